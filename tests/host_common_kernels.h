// SPDX-License-Identifier: GPL-3.0-or-later
//
// The kernels that several tests launch on the host engine.

#ifndef INCLUDED_GPUFFT_HOST_COMMON_KERNELS_H
#define INCLUDED_GPUFFT_HOST_COMMON_KERNELS_H

#include "planner/kernel_instance.h"
#include <vector>

namespace gr {
namespace gpufft {

// What host_problems.h and most lists of cases need.
std::vector<kernel_instance> common_kernels();

} // namespace gpufft
} // namespace gr

#endif
