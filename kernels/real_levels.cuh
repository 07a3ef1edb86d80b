// SPDX-License-Identifier: GPL-3.0-or-later
//
// Real transforms whose complex one takes several kernels, or is a convolution: its first
// kernel reads the real rows, its last stores them. The hierarchical one's last level has
// a bin k = c + P d of L = P M and its partner L - k in the rows c and P - c, so a tile
// holds rows and their partners.

#ifndef INCLUDED_GPUFFT_KERNELS_REAL_LEVELS_CUH
#define INCLUDED_GPUFFT_KERNELS_REAL_LEVELS_CUH

#include "bluestein.cuh"
#include "bluestein_levels.cuh"
#include "hierarchical.cuh"
#include "mixed.cuh"
#include "rader.cuh"
#include "rader_levels.cuh"
#include "real.cuh"
#include "real_ends.cuh"

namespace gr {
namespace gpufft {
namespace kernels {

// Which rows a tile has: Columns / 2 neighbours c, and their partners.
template <class Shape, class Levels, class Pair>
class mirrored_rows
{
public:
    static constexpr int product = Levels::product; // P
    static constexpr int half = Shape::columns / 2;
    static constexpr int tiles = (product / 2 + half - 1) / half; // of a vector

    GPUFFT_DEVICE explicit mirrored_rows(int tile) : d_first(tile * half) {}

    // The c of a tile's column, or -1 if it has none.
    GPUFFT_DEVICE int row(int column) const
    {
        const int c = d_first + column % half;
        if (c >= product / 2)
            return -1;
        if (column < half)
            return c;
        if constexpr (Pair::is_between)
            return product - 1 - c;
        return c == 0 ? product / 2 : product - c; // 0 is its own partner, as P/2 is
    }

    // Stores what bin d of column s < half and its partner give. The columns 0 and P/2
    // have their partners in themselves: each does half of its bins.
    template <class Read>
    GPUFFT_DEVICE void run(const transform_arguments& arguments,
                           unsigned long long vector,
                           int s,
                           int d,
                           Read&& read) const
    {
        constexpr int m = Shape::n;
        const int c = d_first + s;
        if (c >= product / 2)
            return;
        if (Pair::is_between || c > 0) {
            Pair::run(arguments,
                      vector,
                      c + product * d,
                      read(s, d),
                      read(s + half, m - 1 - d));
        } else if (d < m / 2) {
            Pair::run(
                arguments, vector, product * d, read(0, d), read(0, d == 0 ? 0 : m - d));
            if (d == 0)
                Pair::run(
                    arguments, vector, product * (m / 2), read(0, m / 2), read(0, m / 2));
        } else {
            const int e = d - m / 2;
            Pair::run(arguments,
                      vector,
                      product / 2 + product * e,
                      read(half, e),
                      read(half, m - 1 - e));
        }
    }

private:
    const int d_first;
};

// Computes  the last level of every vector and the rows from its bins.
// Layout    block b does tile b mod tiles of vector floor(b / tiles); see mirrored_rows.
// Launch    grid = vectors * tiles, block = Threads, shared =
//           stockham_shape::shared_bytes().
// Requires  P and Shape::n even; the points between the levels as input.
template <class Shape, class Levels, class Pair>
GPUFFT_KERNEL(Shape::block_threads, Shape::blocks)
real_rows_kernel(transform_arguments arguments)
{
    typedef mirrored_rows<Shape, Levels, Pair> rows;
    static_assert(Levels::product % 2 == 0 && Shape::n % 2 == 0, "even levels");
    constexpr int last = Shape::pass_count - 1;
    constexpr int count = Shape::n / Shape::passes::template radix<0>();
    constexpr int span = Shape::template span<last>();
    const unsigned long long vector = blockIdx.x / rows::tiles;
    const rows tile(blockIdx.x % rows::tiles);
    const complex* from = static_cast<const complex*>(arguments.input) +
                          vector * (Levels::product * Shape::n);
    complex* shared = shared_memory<complex>();
    complex points[Shape::points()] = {};
    complex results[Shape::results()];

    for_each_point<Shape, 0>(threadIdx.x, [&](int i, int k, int j) {
        const int c = tile.row(j / count);
        if (c >= 0)
            points[i] = load_shared_by_blocks(from + Levels::row_of_bin(c) * Shape::n +
                                              j % count + k * count);
    });
    transform<Shape>(points,
                     shared,
                     arguments.twiddles,
                     threadIdx.x,
                     false,
                     [&](int i, int, int, complex value) { results[i] = value; });
    __syncthreads();
    for_each_point<Shape, last>(
        threadIdx.x, [&](int i, int k, int j) { shared[j + k * span] = results[i]; });
    __syncthreads();
    constexpr int items = rows::half * Shape::n;
    for (int e = threadIdx.x; e < items; e += Shape::block_threads)
        tile.run(
            arguments, vector, e % rows::half, e / rows::half, [&](int column, int d) {
                return shared[d * Shape::columns + column];
            });
}

} // namespace kernels
} // namespace gpufft
} // namespace gr

#endif
