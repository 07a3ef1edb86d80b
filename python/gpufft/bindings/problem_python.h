// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the bindings of plans and of array functions share about problems.

#ifndef INCLUDED_GPUFFT_PROBLEM_PYTHON_H
#define INCLUDED_GPUFFT_PROBLEM_PYTHON_H

#include "block_bindings.h"
#include <gnuradio/gpufft/problem.h>
#include <string>
#include <vector>

namespace gr {
namespace gpufft {

// The factor of SciPy's norm "backward", "ortho" or "forward": 1, or one over (the root
// of) the period, that is n, or 2 n, 2 (n - 1) or 2 (n + 1) of a dct or dst, of each
// axis. Throws std::invalid_argument for other norms.
double norm_factor(transform_kind kind,
                   const std::vector<std::size_t>& lengths,
                   bool forward,
                   const std::string& norm);

// Throws py::type_error for keywords that do not exist, else as problem::validate(). The
// error may recommend one of `others`, keywords that the caller takes.
problem problem_from_keywords(const py::kwargs& named,
                              const std::vector<std::string>& others = {});

void bind_problem(py::module& module);

} // namespace gpufft
} // namespace gr

#endif
