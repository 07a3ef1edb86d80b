// SPDX-License-Identifier: GPL-3.0-or-later
//
// From recipe to kernel: the one C++ template instantiation that is compiled for it (by
// NVRTC, or by g++ in the tests), and how it is launched.

#ifndef INCLUDED_GPUFFT_KERNEL_INSTANCE_H
#define INCLUDED_GPUFFT_KERNEL_INSTANCE_H

#include "recipe.h"
#include <complex>
#include <gnuradio/gpufft/problem.h>
#include <string>
#include <vector>

namespace gr {
namespace gpufft {

struct kernel_instance {
    std::string header;     // e.g. "stockham.cuh": what the program includes
    std::string expression; // e.g. "gr::gpufft::kernels::stockham_kernel<...>"
    int block_threads = 1;
    int frames_per_block = 1; // transforms (units, rows) that one block takes
    std::size_t shared_bytes = 0;
};

// The kernel that transforms, with its load and store steps. For power with averaging it
// is stockham_power_kernel, which stores partial sums.
kernel_instance transform_kernel(const problem& what, const recipe& how);

// True if the problem's rows are finished by average_kernel (averaging or smoothing is on
// or may be switched on): output is a power and average > 1 or smoothing < 1.
bool needs_average_kernel(const problem& what);

// The kernel that adds partial sums to rows; 1 thread a bin.
kernel_instance average_kernel(const problem& what);

// Twiddles in the order in which the kernel's passes read them: pass p >= 1, then input k
// = 1 ... radix-1, then j = 0 ... span-1 with span the product of the radices before p:
// exp(-2 pi i j k / (span radix)).
std::vector<std::complex<float>> stockham_twiddles(const stockham_shape& shape);

} // namespace gpufft
} // namespace gr

#endif
