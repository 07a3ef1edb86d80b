// SPDX-License-Identifier: GPL-3.0-or-later
//
// The card's conversions that kernels/numbers.cuh uses, for g++.

#ifndef INCLUDED_GPUFFT_NUMBERS_ON_HOST_H
#define INCLUDED_GPUFFT_NUMBERS_ON_HOST_H

#include "half_float.h"
#include <algorithm>
#include <cmath>

namespace gr {
namespace gpufft {
namespace host_device {

inline int nearest_integer(float value)
{
    constexpr float MOST = 1 << 30;
    return value == value ? int(std::lrint(std::clamp(value, -MOST, MOST))) : 0;
}

} // namespace host_device
} // namespace gpufft
} // namespace gr

#endif
