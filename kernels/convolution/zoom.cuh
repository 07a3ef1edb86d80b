// SPDX-License-Identifier: GPL-3.0-or-later
//
// The zoom of lib/planner/convolution/zoom_chirp.h by the kernels of Bluestein's
// algorithm: a DFT of P = max(N, B) points with another chirp, with zeros for the samples
// from N on, and a store of the first B bins only.

#ifndef INCLUDED_GPUFFT_KERNELS_ZOOM_CUH
#define INCLUDED_GPUFFT_KERNELS_ZOOM_CUH

#include "convolution/bluestein_levels.cuh"

namespace gr {
namespace gpufft {
namespace kernels {

// Sample m < N of Load times exp(-2 pi j f_start m), a table after the chirp's P values;
// zeros from N on.
template <int N, class Load>
struct zoom_load {
    typedef typename Load::item item;

    template <int P>
    static GPUFFT_DEVICE complex get(const transform_arguments& arguments,
                                     unsigned long long frame,
                                     int m)
    {
        if (m >= N)
            return { 0, 0 };
        return Load::template get<N>(arguments, frame, m) *
               load_constant(arguments.chirp + P + m);
    }
};

// Stores the bins k < B by Store.
template <int B, class Store>
struct zoom_store {
    typedef typename Store::item item;

    template <int P>
    static GPUFFT_DEVICE void put(const transform_arguments& arguments,
                                  unsigned long long frame,
                                  int k,
                                  complex value)
    {
        if (k < B)
            Store::template put<B>(arguments, frame, k, value);
    }
};

} // namespace kernels
} // namespace gpufft
} // namespace gr

#endif
