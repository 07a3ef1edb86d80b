// SPDX-License-Identifier: GPL-3.0-or-later
//
// The working precision of a kernel: single, or double where GPUFFT_DOUBLE is defined.
// Plain data that host code also includes, in single precision.

#ifndef INCLUDED_GPUFFT_KERNELS_PRECISION_CUH
#define INCLUDED_GPUFFT_KERNELS_PRECISION_CUH

namespace gr {
namespace gpufft {
namespace kernels {

#ifdef GPUFFT_DOUBLE
typedef double real;
#else
typedef float real;
#endif

// Aligned to its size, so that one load or store moves both parts.
struct alignas(2 * sizeof(real)) complex {
    real re;
    real im;
};

} // namespace kernels
} // namespace gpufft
} // namespace gr

#endif
