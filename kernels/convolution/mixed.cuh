// SPDX-License-Identifier: GPL-3.0-or-later
//
// The last step of transforms of N = R M points. Their column levels are those of
// hierarchical.cuh; their rows of M points, with prime factors that no radix has, go
// through rader.cuh or bluestein.cuh. These kernels take each row as a frame of M
// samples; frame v is row v mod R of frame floor(v / R).

#ifndef INCLUDED_GPUFFT_KERNELS_MIXED_CUH
#define INCLUDED_GPUFFT_KERNELS_MIXED_CUH

#include "convolution/bluestein.cuh"
#include "convolution/rader.cuh"
#include "levels/hierarchical.cuh"

namespace gr {
namespace gpufft {
namespace kernels {

// Stores bin d of a row as bin c + R d of its frame, c = Levels::bin_of_row(row), R =
// Levels::product.
template <class Store, class Levels, int M>
struct store_bins {
    struct item { // a row's bins lie apart, so none are copied
    };
    static constexpr bool rows_are_neighbours = true;

    template <int>
    static GPUFFT_DEVICE void
    put(const transform_arguments& arguments, unsigned long long v, int d, complex value)
    {
        // there are less than 2^32 rows, which lie in a scratch of 2 GiB
        const unsigned frame = static_cast<unsigned>(v) / Levels::product;
        const int row = static_cast<int>(static_cast<unsigned>(v) % Levels::product);
        Store::template put<Levels::product * M>(
            arguments, frame, Levels::bin_of_row(row) + d * Levels::product, value);
    }
};

} // namespace kernels
} // namespace gpufft
} // namespace gr

#endif
