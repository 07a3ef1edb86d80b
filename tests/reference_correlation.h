// SPDX-License-Identifier: GPL-3.0-or-later
//
// Correlations by the sums of problem.h in long double.

#ifndef INCLUDED_GPUFFT_REFERENCE_CORRELATION_H
#define INCLUDED_GPUFFT_REFERENCE_CORRELATION_H

#include "reference_transform.h"
#include <cstdint>

namespace gr {
namespace gpufft {

// A frame's row, unscaled; the templates as plan::set_window() takes them.
spectrum correlated(const problem& what,
                    const std::uint8_t* frame,
                    const std::vector<float>& templates);

} // namespace gpufft
} // namespace gr

#endif
