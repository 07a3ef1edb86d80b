// SPDX-License-Identifier: GPL-3.0-or-later
//
// Transpositions for transforms of several axes: the last axis becomes the first. Shared
// memory keeps reads and writes in the order of memory.

#ifndef INCLUDED_GPUFFT_KERNELS_TRANSPOSE_CUH
#define INCLUDED_GPUFFT_KERNELS_TRANSPOSE_CUH

#include "load.cuh"
#include "real/real_rows.cuh"

namespace gr {
namespace gpufft {
namespace kernels {

// Reads item m of a frame as it is stored.
template <class Item>
struct stored_item {
    typedef Item item;

    static GPUFFT_DEVICE item get(const transform_arguments& arguments,
                                  unsigned long long frame,
                                  int m)
    {
        return static_cast<const item*>(arguments.input)[frame * arguments.hop + m];
    }
};

// Reads item m of a frame as a number of the working precision, times the window.
template <class Format>
struct windowed_complex {
    typedef complex item;

    static GPUFFT_DEVICE item get(const transform_arguments& arguments,
                                  unsigned long long frame,
                                  int m)
    {
        typedef stored_item<typename Format::item> sample;
        return Format::convert(sample::get(arguments, frame, m)) *
               load_constant(arguments.window + m);
    }
};

template <class Format>
struct windowed_real {
    typedef real item;

    static GPUFFT_DEVICE item get(const transform_arguments& arguments,
                                  unsigned long long frame,
                                  int m)
    {
        typedef stored_item<typename Format::item> sample;
        return Format::value(sample::get(arguments, frame, m)) *
               load_constant(arguments.window + m);
    }
};

// Frames of Rows x Columns items; a block transposes tiles of TileRows x TileColumns, of
// Together frames at once.
template <int Rows, int Columns, int TileRows, int TileColumns, int Together>
struct transposition {
    static constexpr int rows = Rows, columns = Columns;
    static constexpr int tile_rows = TileRows, tile_columns = TileColumns;
    static constexpr int tiles_across = (Columns + TileColumns - 1) / TileColumns;
    static constexpr int tiles = (Rows + TileRows - 1) / TileRows * tiles_across;
    static constexpr int area = TileRows * TileColumns, items = area * Together;

    // In shared memory a column's items lie side by side. The pitch is odd, so that
    // neither rows nor columns meet a bank twice.
    static constexpr int pitch = TileRows | 1;
    static GPUFFT_DEVICE constexpr int shared_at(int slot, int row, int column)
    {
        return (slot * TileColumns + column) * pitch + row;
    }
};

// Computes  for every frame x of Rows x Columns items: output[column Rows + row] =
//           x[row Columns + column].
// Layout    block b takes tile b mod tiles of the frames floor(b / tiles) Together ... +
//           Together - 1; several frames only if each is one tile.
// Launch    grid = tiles * ceil(frames / Together), block = Threads, shared = Together *
//           TileColumns * pitch items.
// Requires  input and output do not overlap.
template <class Load, class Shape, int Threads>
GPUFFT_KERNEL(Threads, 1)
transpose_kernel(transform_arguments arguments)
{
    begin_kernel();
    typedef typename Load::item item;
    constexpr int rounds = (Shape::items + Threads - 1) / Threads;
    const int tile = blockIdx.x % Shape::tiles;
    const int first_row = tile / Shape::tiles_across * Shape::tile_rows;
    const int first_column = tile % Shape::tiles_across * Shape::tile_columns;
    const unsigned long long first_frame =
        blockIdx.x / Shape::tiles *
        static_cast<unsigned long long>(Shape::items / Shape::area);
    item* const shared = shared_memory<item>();
    const auto is_inside = [&](int e, int row, int column) {
        return e < Shape::items && first_row + row < Shape::rows &&
               first_column + column < Shape::columns &&
               first_frame + e / Shape::area < arguments.frames;
    };

    item items[rounds];
#pragma unroll
    for (int i = 0; i < rounds; ++i) {
        const int e = i * Threads + threadIdx.x;
        const int row = digit_of<Shape::tile_columns, Shape::tile_rows>(e);
        const int column = e % Shape::tile_columns;
        if (is_inside(e, row, column))
            items[i] =
                Load::get(arguments,
                          first_frame + e / Shape::area,
                          (first_row + row) * Shape::columns + first_column + column);
    }
#pragma unroll
    for (int i = 0; i < rounds; ++i) {
        const int e = i * Threads + threadIdx.x;
        const int row = digit_of<Shape::tile_columns, Shape::tile_rows>(e);
        const int column = e % Shape::tile_columns;
        if (is_inside(e, row, column))
            shared[Shape::shared_at(e / Shape::area, row, column)] = items[i];
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < rounds; ++i) {
        const int e = i * Threads + threadIdx.x;
        const int column = digit_of<Shape::tile_rows, Shape::tile_columns>(e);
        const int row = e % Shape::tile_rows;
        if (!is_inside(e, row, column))
            continue;
        item* const frame = static_cast<item*>(arguments.output) +
                            (first_frame + e / Shape::area) *
                                (Shape::rows * static_cast<long long>(Shape::columns));
        frame[(first_column + column) * Shape::rows + first_row + row] =
            shared[Shape::shared_at(e / Shape::area, row, column)];
    }
}

} // namespace kernels
} // namespace gpufft
} // namespace gr

#endif
