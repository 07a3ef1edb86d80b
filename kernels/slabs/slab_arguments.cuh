// SPDX-License-Identifier: GPL-3.0-or-later
//
// The run-time arguments of kernels/slabs/slabs.cuh, as plain data that host code also
// includes.

#ifndef INCLUDED_GPUFFT_KERNELS_SLAB_ARGUMENTS_CUH
#define INCLUDED_GPUFFT_KERNELS_SLAB_ARGUMENTS_CUH

namespace gr {
namespace gpufft {
namespace kernels {

// For slab_twiddles_kernel: the rows of a slab, and the exponents of their twiddles.
struct slab_twiddles_arguments {
    void* points; // [rows][row_points]
    unsigned long long rows, row_points;
    unsigned long long n; // points of the whole transform
    // Row r has the exponent first + (r / inner) outer_step + (r % inner) inner_step.
    unsigned long long first, inner, outer_step, inner_step;
    int inverse;
};

// For slab_pairs_kernel: columns of a matrix, and those that mirror them.
struct slab_pairs_arguments {
    const void* input; // [rows][pitch], then one more point
    void* output;      // the same
    unsigned long long rows, pitch;
    unsigned long long columns; // of the whole matrix
    // Matrix columns own ... own + owns - 1 lie from column 0 on, mirrors ... mirrors +
    // mirrored - 1 from column `second` on.
    unsigned long long own, owns, mirrors, mirrored, second;
};

} // namespace kernels
} // namespace gpufft
} // namespace gr

#endif
