// SPDX-License-Identifier: GPL-3.0-or-later
//
// The hierarchical FFT of vectors in global memory (Govindaraju et al., SC'08, section
// IV.C), any number of levels. With N = R M, n = M a + b, k = c + R d:
//     X[c + R d] = sum_b exp(-2 pi j b d / M) (exp(-2 pi j b c / N) sum_a x[M a + b]
//                  exp(-2 pi j a c / R))
// The column kernel does the inner sum over a and its twiddle for a tile of columns b;
// the row kernel does the outer sums as the last level, or the column kernel again with M
// in place of N. Between the levels point (c, b) lies at c M + b of the scratch. The
// transposition is fused into the row kernel's store: a tile's rows are neighbours in c.

#ifndef INCLUDED_GPUFFT_KERNELS_HIERARCHICAL_CUH
#define INCLUDED_GPUFFT_KERNELS_HIERARCHICAL_CUH

#include "load.cuh"
#include "roots.cuh"
#include "stockham.cuh"
#include "store.cuh"

namespace gr {
namespace gpufft {
namespace kernels {

// Where the levels meet: complex points of [frame][point], N a frame. Read past the L1
// cache, which other multiprocessors' writes do not reach.
struct load_scratch {
    template <int N>
    static GPUFFT_DEVICE complex32 get(const transform_arguments& arguments,
                                       unsigned long long frame,
                                       int m)
    {
        return load_shared_by_blocks(static_cast<const complex32*>(arguments.input) +
                                     frame * N + m);
    }
};

struct store_scratch {
    template <int N>
    static GPUFFT_DEVICE void put(const transform_arguments& arguments,
                                  unsigned long long frame,
                                  int k,
                                  complex32 value)
    {
        static_cast<complex32*>(arguments.output)[frame * N + k] = value;
    }
};

// All passes of a tile. load(m, c) is element m of column c, store(k, c, X) takes bin k.
// Columns from `columns` on are left out.
template <class Shape, class Load, class Store>
GPUFFT_DEVICE void
transform_tile(const complex32* twiddles, int columns, Load&& load, Store&& store)
{
    constexpr int radix = Shape::passes::template radix<0>();
    constexpr int count = Shape::n / radix; // butterflies of a column
    constexpr int last = Shape::pass_count - 1;
    constexpr int last_count = Shape::n / Shape::passes::template radix<last>();
    const int lane = threadIdx.x;
    complex32* shared = shared_memory<complex32>();
    complex32 points[Shape::points()] = {};
    for_each_point<Shape, 0>(lane, [&](int i, int k, int j) {
        const int c = Shape::load_end::is_by_rows ? j / count : j % Shape::columns;
        const int m = Shape::load_end::is_by_rows ? j % count : j / Shape::columns;
        if (c < columns)
            points[i] = load(m + k * count, c);
    });
    transform<Shape>(
        points, shared, twiddles, lane, false, [&](int, int k, int j, complex32 value) {
            const int c = j % Shape::columns;
            if (c < columns)
                store(j / Shape::columns + k * last_count, c, value);
        });
}

// The levels read frame `from` of the input and write frame `to` of the output.

// The column level: vectors of N points, Outer of them side by side in a frame, R =
// Shape::n, M = N / R.
template <class Shape, class Load, class Store, int N, int Outer>
struct column_level {
    static constexpr int m = N / Shape::n;
    static constexpr int groups = (m + Shape::columns - 1) / Shape::columns;
    static constexpr int tiles = Outer * groups; // of a frame

    static GPUFFT_DEVICE void run(const transform_arguments& arguments,
                                  unsigned long long from,
                                  unsigned long long to,
                                  int tile)
    {
        const int first = tile % groups * Shape::columns; // column
        const int base = tile / groups * N + first;
        transform_tile<Shape>(
            arguments.twiddles,
            m % Shape::columns == 0 ? Shape::columns : m - first,
            [&](int a, int c) {
                return Load::template get<N * Outer>(arguments, from, base + a * m + c);
            },
            [&](int k, int c, complex32 value) {
                Store::template put<N * Outer>(arguments,
                                               to,
                                               base + k * m + c,
                                               value * root_of_unity<N>(k * (first + c)));
            });
    }
};

// What the row level must know of the levels before it: their lengths R0, R1, ...
template <int First, int... Rest>
struct level_list {
    static constexpr int first = First;
    static constexpr int product = (First * ... * Rest);

    // Bin offset of row (c0, c1, ...), c0 slowest: c0 + R0 (c1 + R1 (c2 + ...)).
    static GPUFFT_DEVICE int bin_of_row(int row)
    {
        if constexpr (sizeof...(Rest) == 0) {
            return row;
        } else {
            constexpr int inner = (1 * ... * Rest);
            return row / inner + First * level_list<Rest...>::bin_of_row(row % inner);
        }
    }
};

// The row level: the last length is Shape::n. A tile has rows that are neighbours in c0.
template <class Shape, class Load, class Store, class Levels>
struct row_level {
    static constexpr int n = Levels::product * Shape::n;
    static constexpr int inner = Levels::product / Levels::first; // rows of one c0
    static constexpr int groups = (Levels::first + Shape::columns - 1) / Shape::columns;
    static constexpr int tiles = groups * inner; // of a frame

    static GPUFFT_DEVICE void run(const transform_arguments& arguments,
                                  unsigned long long from,
                                  unsigned long long to,
                                  int tile)
    {
        const int first = tile / inner * Shape::columns; // c0
        const int row = first * inner + tile % inner;
        const int bin = Levels::bin_of_row(row);
        transform_tile<Shape>(
            arguments.twiddles,
            Levels::first % Shape::columns == 0 ? Shape::columns : Levels::first - first,
            [&](int b, int c) {
                return Load::template get<n>(
                    arguments, from, (row + c * inner) * Shape::n + b);
            },
            [&](int d, int c, complex32 value) {
                Store::template put<n>(
                    arguments, to, bin + c + d * Levels::product, value);
            });
    }
};

// Computes  one level for all frames: see column_level and row_level.
// Layout    block b does tile b mod tiles of frame floor(b / tiles).
// Launch    grid = frames * Level::tiles, block = Shape::threads, shared =
//           stockham_shape::shared_bytes().
// Requires  input and output do not overlap, or are the same scratch (column level).
template <class Shape, class Level>
GPUFFT_KERNEL(Shape::block_threads, Shape::blocks)
hierarchical_kernel(transform_arguments arguments)
{
    const unsigned frame = blockIdx.x / Level::tiles;
    Level::run(arguments, frame, frame, blockIdx.x % Level::tiles);
}

} // namespace kernels
} // namespace gpufft
} // namespace gr

#endif
