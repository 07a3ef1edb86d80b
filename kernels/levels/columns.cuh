// SPDX-License-Identifier: GPL-3.0-or-later
//
// The Stockham FFT of frames whose bins are stored beside those of their neighbours, as a
// channeliser needs them, or along an axis that is not the last one. A block transforms a
// tile of frames, side by side in shared memory, and writes one bin of all its frames at
// once. Memory is read once and written once.

#ifndef INCLUDED_GPUFFT_KERNELS_COLUMNS_CUH
#define INCLUDED_GPUFFT_KERNELS_COLUMNS_CUH

#include "levels/hierarchical.cuh"

namespace gr {
namespace gpufft {
namespace kernels {

// Start of a frame: the hop, or Distance, after the start of the previous frame.
struct frames_by_hop {
    static GPUFFT_DEVICE unsigned long long at(const transform_arguments& arguments,
                                               unsigned long long frame)
    {
        return frame * arguments.hop;
    }
};

template <unsigned long long Distance>
struct rows_by_distance {
    static GPUFFT_DEVICE unsigned long long at(const transform_arguments&,
                                               unsigned long long row)
    {
        return row * Distance;
    }
};

// The kernel's frames are the columns of successive matrices of Points rows and Width
// columns. Each input frame has Columns columns; input frames lie `hop` apart.
template <unsigned long long Points, unsigned long long Width, unsigned long long Columns>
struct columns_of_frames {
    static GPUFFT_DEVICE unsigned long long at(const transform_arguments& arguments,
                                               unsigned long long column)
    {
        return column / Columns * arguments.hop +
               column % Columns / Width * (Points * Width) + column % Width;
    }
};

// The same if the input frames have no gaps between them.
template <unsigned long long Points, unsigned long long Width>
struct columns_in_order {
    static GPUFFT_DEVICE unsigned long long at(const transform_arguments&,
                                               unsigned long long column)
    {
        return column / Width * (Points * Width) + column % Width;
    }
};

// Reads samples Stride apart; samples of neighbouring frames lie between them.
template <class Format,
          bool Windowed,
          bool Shifted,
          bool Inverse,
          long long Stride,
          class Begin>
struct load_apart {
    template <int N>
    static GPUFFT_DEVICE complex get(const transform_arguments& arguments,
                                     unsigned long long frame,
                                     int m)
    {
        typedef load<Format, Windowed, Shifted, Inverse> step;
        const auto* sample = static_cast<const typename Format::item*>(arguments.input) +
                             Begin::at(arguments, frame) +
                             step::template read_at<N>(m) * Stride;
        return step::template value<N>(arguments, m, *sample);
    }
};

// Stores bins Stride apart.
template <class Kind, bool Shifted, bool Inverse, long long Stride, class Begin>
struct store_apart {
    template <int N>
    static GPUFFT_DEVICE void put(const transform_arguments& arguments,
                                  unsigned long long frame,
                                  int k,
                                  complex value)
    {
        typedef store<Kind, Shifted, Inverse> step;
        static_cast<typename Kind::item*>(
            arguments
                .output)[Begin::at(arguments, frame) + step::template at<N>(k) * Stride] =
            step::value(arguments, value);
    }
};

// Computes  for every frame f: Store(sum_m Load(f, m) exp(-2 pi j m k / N)).
// Layout    block b takes the frames b columns ... (b+1) columns - 1.
// Launch    grid = ceil(frames / columns), block = Shape::threads, shared =
//           stockham_shape::shared_bytes().
// Requires  input and output do not overlap.
template <class Shape, class Load, class Store>
GPUFFT_KERNEL(Shape::block_threads, Shape::blocks)
columns_kernel(transform_arguments arguments)
{
    begin_kernel();
    const unsigned long long first = blockIdx.x * (unsigned long long)Shape::columns;
    const unsigned long long left = arguments.frames - first;
    transform_tile<Shape>(
        arguments.twiddles,
        left < Shape::columns ? static_cast<int>(left) : Shape::columns,
        [&](tile_point at) {
            return Load::template get<Shape::n>(arguments, first + at.c, at.m);
        },
        [&](tile_point at, complex value) {
            Store::template put<Shape::n>(arguments, first + at.c, at.m, value);
        });
}

} // namespace kernels
} // namespace gpufft
} // namespace gr

#endif
