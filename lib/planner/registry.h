// SPDX-License-Identifier: GPL-3.0-or-later
//
// The list of algorithms, and functions of the algorithm that a recipe names.

#ifndef INCLUDED_GPUFFT_REGISTRY_H
#define INCLUDED_GPUFFT_REGISTRY_H

#include "algorithm.h"
#include <gnuradio/gpufft/plan.h>

namespace gr {
namespace gpufft {

// All algorithms; of two with equal costs the earlier one wins.
const std::vector<algorithm>& algorithms();

// The algorithm of this name. Throws std::invalid_argument that lists the names.
const algorithm& find_algorithm(const std::string& name);

// The data that the kernels of a recipe read for the problem's window, in their
// precision. `rotations` are those of a running channel bank.
std::vector<unsigned char> window_of(const problem& what,
                                     const recipe& how,
                                     const std::vector<double>& window,
                                     const std::vector<plan::rotation>& rotations);

// The program of a recipe for a problem. Throws std::invalid_argument if the recipe is of
// the other precision.
program build_program(const problem& what, const recipe& how);

} // namespace gpufft
} // namespace gr

#endif
