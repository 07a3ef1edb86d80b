// SPDX-License-Identifier: GPL-3.0-or-later
//
// The rows of all vectors of a block as one tile in shared memory, where they lie as in
// global memory. Load and store steps find them there by arguments that stand for the
// tile, whose first vector has number 0.

#ifndef INCLUDED_GPUFFT_KERNELS_ROW_TILES_CUH
#define INCLUDED_GPUFFT_KERNELS_ROW_TILES_CUH

#include "real/real_two_rows.cuh"
#include "stockham/stockham_shape.cuh"
#include "tile_moves.cuh"

namespace gr {
namespace gpufft {
namespace kernels {

// The rows of a vector: two with pack_two, else one.
template <class End, class = void>
constexpr int rows_of_vector = 1;

template <class End>
constexpr int rows_of_vector<End, decltype(static_cast<void>(End::rows))> = End::rows;

// End: the step that reads or stores the rows; Row: how it reads or stores one.
template <class Shape, class End, class Row>
struct row_tile {
    typedef typename Row::item item;
    static constexpr int rows = Shape::transforms * rows_of_vector<End>;
    static constexpr int row_items = Row::row_items, items = rows * row_items;
    static constexpr int size = sizeof(item), row_bytes = row_items * size;
    // Rows that are read lie 16 bytes apart if their size is a multiple of 32 bytes:
    // without gaps accesses would fall into few banks.
    static constexpr bool is_spaced = rows > 1 && row_bytes % 32 == 0;
    static constexpr int distance = row_items + (is_spaced ? 16 / size : 0);
    // Includes what may precede the first row, up to a multiple of 16 bytes.
    static constexpr int bytes_of(int distance)
    {
        return (rows * distance * size + 31) / 16 * 16;
    }
    static constexpr int read_bytes = bytes_of(distance), bytes = bytes_of(row_items);

    // The rows of the block that exist.
    static GPUFFT_DEVICE int rows_left(const transform_arguments& arguments,
                                       unsigned long long first_vector)
    {
        const unsigned long long all =
            rows_of_vector<End> == 2 ? arguments.average : arguments.frames;
        const unsigned long long left = all - first_vector * rows_of_vector<End>;
        return left < rows ? static_cast<int>(left) : rows;
    }

    // The arguments for steps on the tile's rows; steps use `input` or `output`.
    static GPUFFT_DEVICE transform_arguments arguments_of(transform_arguments arguments,
                                                          unsigned long long first,
                                                          item* tile,
                                                          int distance)
    {
        const unsigned long long left = arguments.frames - first;
        arguments.average = rows_left(arguments, first);
        arguments.frames = left < Shape::transforms ? left : Shape::transforms;
        arguments.hop = distance;
        arguments.input = arguments.output = tile;
        return arguments;
    }

    static GPUFFT_DEVICE transform_arguments read(const transform_arguments& arguments,
                                                  unsigned long long first)
    {
        const item* const outside = static_cast<const item*>(arguments.input) +
                                    first * rows_of_vector<End> * arguments.hop;
        item* const tile = beside(outside, shared_memory<item>());
        const int count = rows_left(arguments, first) * row_items;
        if (arguments.hop == row_items && !is_spaced)
            read_run<items, Shape::block_threads>(shared_memory<item>(), outside, count);
        else if (arguments.hop == row_items && bytes_beyond_16(outside) == 0)
            read_vectors<items * size / 16, Shape::block_threads>(
                tile, outside, count * size / 16, [](int i) {
                    return i + i / (row_bytes / 16);
                });
        else
            for (int e = threadIdx.x; e < count; e += Shape::block_threads)
                tile[e / row_items * distance + e % row_items] =
                    outside[e / row_items * arguments.hop + e % row_items];
        return arguments_of(arguments, first, tile, distance);
    }

    // For rows that store() will store.
    static GPUFFT_DEVICE transform_arguments prepare(const transform_arguments& arguments,
                                                     unsigned long long first)
    {
        return arguments_of(arguments,
                            first,
                            beside(output_of(arguments, first), shared_memory<item>()),
                            row_items);
    }

    static GPUFFT_DEVICE void store(const transform_arguments& arguments,
                                    unsigned long long first)
    {
        store_run<items, Shape::block_threads>(output_of(arguments, first),
                                               shared_memory<item>(),
                                               rows_left(arguments, first) * row_items);
    }

private:
    static GPUFFT_DEVICE item* output_of(const transform_arguments& arguments,
                                         unsigned long long first)
    {
        return static_cast<item*>(arguments.output) +
               first * rows_of_vector<End> * row_items;
    }
};

} // namespace kernels
} // namespace gpufft
} // namespace gr

#endif
