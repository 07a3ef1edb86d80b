// SPDX-License-Identifier: GPL-3.0-or-later
//
// Real transforms whose complex transform takes several kernels, or is a convolution: the
// first kernel reads the real rows, the last one stores them. Hierarchical levels that
// need pairs have tiles of columns and their partners.

#ifndef INCLUDED_GPUFFT_KERNELS_REAL_LEVELS_CUH
#define INCLUDED_GPUFFT_KERNELS_REAL_LEVELS_CUH

#include "convolution/bluestein.cuh"
#include "convolution/bluestein_levels.cuh"
#include "convolution/mixed.cuh"
#include "convolution/rader.cuh"
#include "convolution/rader_levels.cuh"
#include "levels/hierarchical.cuh"
#include "real/mirrored_tiles.cuh"
#include "real/real.cuh"
#include "real/real_ends.cuh"
#include "real/sector_tiles.cuh"

namespace gr {
namespace gpufft {
namespace kernels {

// Computes  the first level of vectors of N = Pack::points whose points come in pairs.
// Layout    block b takes tile b mod tiles of vector floor(b / tiles); see mirrored_tile.
// Launch    grid = vectors * tiles, block = Threads, shared =
//           stockham_shape::shared_bytes().
// Requires  N / Shape::n and Shape::n even, at least two passes; the scratch as output.
template <class Shape, class Pack, bool Exchanged>
GPUFFT_KERNEL(Shape::block_threads, Shape::blocks)
real_columns_kernel(transform_arguments arguments)
{
    begin_kernel();
    constexpr int m = Pack::points / Shape::n; // columns
    typedef mirrored_tile<Shape, m, Pack::is_between> tile_of;
    constexpr int last = Shape::pass_count - 1;
    constexpr int count = Shape::n / Shape::passes::template radix<last>();
    const unsigned long long vector = blockIdx.x / tile_of::tiles;
    const tile_of tile(blockIdx.x % tile_of::tiles);
    complex* shared = shared_memory<complex>();
    complex points[Shape::points()] = {};
    column_roots<Shape, Pack::points, last> roots;

    pass_of_packed_pairs<Shape, tile_of, Pack, Exchanged>(
        arguments, vector, tile, shared);
    transform_from_shared<Shape, 1>(points, shared, arguments.twiddles, threadIdx.x, [&] {
        last_pass<Shape>(
            shared, arguments.twiddles, threadIdx.x, [&](int i, int k, int j, complex x) {
                const int place = j % Shape::columns, q = j / Shape::columns;
                const int c = tile.column(place);
                const complex root =
                    roots.next(tile_point{ q + k * count, place, q, k, i }, c);
                if (tile.has(place))
                    store_scratch::put<Pack::points>(
                        arguments, vector, q * m + c, x * root, k * (count * m));
            });
    });
}

// Reads the rows of a tile, and computes all passes but the last.
template <class Shape, class Levels, class Tile, class Last>
GPUFFT_DEVICE void transform_rows(const transform_arguments& arguments,
                                  unsigned long long vector,
                                  const Tile& tile,
                                  Last&& last)
{
    constexpr int count = Shape::n / Shape::passes::template radix<0>();
    const complex* from = static_cast<const complex*>(arguments.input) +
                          vector * (Levels::product * Shape::n);
    complex points[Shape::points()] = {};
    for_each_point<Shape, 0>(threadIdx.x, [&](int i, int k, int j) {
        const int row = Levels::row_of_bin(tile.column(j / count));
        points[i] =
            load_shared_by_blocks(from + (row * Shape::n + j % count) + k * count);
    });
    transform_to_shared<Shape, 0>(
        points, shared_memory<complex>(), arguments.twiddles, threadIdx.x, false, last);
}

// Computes  the last level of every vector and the rows from its bins.
// Layout    block b takes tile b mod tiles of vector floor(b / tiles); see mirrored_tile.
// Launch    grid = vectors * tiles, block = Threads, shared =
//           stockham_shape::shared_bytes().
// Requires  P and Shape::n even, at least two passes; the points between the levels as
//           input.
template <class Shape, class Levels, class Pair, bool Exchanged>
GPUFFT_KERNEL(Shape::block_threads, Shape::blocks)
real_rows_kernel(transform_arguments arguments)
{
    begin_kernel();
    typedef mirrored_tile<Shape, Levels::product, Pair::is_between> tile_of;
    const unsigned long long vector = blockIdx.x / tile_of::tiles;
    const tile_of tile(blockIdx.x % tile_of::tiles);
    transform_rows<Shape, Levels>(arguments, vector, tile, [&] {
        last_pass_of_pairs<Shape, tile_of, Pair, Exchanged>(
            arguments, vector, tile, shared_memory<complex>());
    });
}

// Computes  the same, in whole sectors: see sector_tiles.cuh.
// Launch    grid = vectors * tiles, block = Threads, shared =
//           stockham_shape::shared_bytes() and the bytes of a column.
// Requires  a thread for each pair of butterflies of the last pass; a forward transform.
template <class Shape, class Levels, class Pair>
GPUFFT_KERNEL(Shape::block_threads, Shape::blocks)
real_sectors_kernel(transform_arguments arguments)
{
    begin_kernel();
    typedef mirrored_tile<Shape, Levels::product, false, 1> tile_of;
    const unsigned long long vector = blockIdx.x / tile_of::tiles;
    const sector_windows windows = Pair::windows(arguments, vector);
    const tile_of tile(blockIdx.x % tile_of::tiles, windows.before);
    if (tile.first() >= Levels::product / 2)
        return;
    complex* const shared = shared_memory<complex>();
    transform_rows<Shape, Levels>(arguments, vector, tile, [&] {
        last_pass_in_sectors<Shape, tile_of, Pair>(
            arguments, vector, tile, windows.up_is_later, shared, shared + Shape::stride);
    });
}

} // namespace kernels
} // namespace gpufft
} // namespace gr

#endif
