// SPDX-License-Identifier: GPL-3.0-or-later
//
// One instance of the cluster kernel as a type; the passes of a tile, with all points in
// registers; and the roots between columns and rows.

#ifndef INCLUDED_GPUFFT_KERNELS_CLUSTER_SHAPE_CUH
#define INCLUDED_GPUFFT_KERNELS_CLUSTER_SHAPE_CUH

#include "cluster/cluster_exchange.cuh"
#include "roots.cuh"
#include "stockham/stockham.cuh"

namespace gr {
namespace gpufft {
namespace kernels {

GPUFFT_DEVICE constexpr int larger(int a, int b) { return a > b ? a : b; }

// Who copies the samples of the next vector to shared memory.
constexpr int no_prefetch = 0, by_threads = 1, by_card = 2;

// Columns: shape of R points with W columns. Rows: shape of M points with V columns.
// Prefetch: the first area receives the next vector's samples while the rows are
// transformed; then there are two areas.
template <int N_,
          int Cluster,
          int RowStride,
          bool TwoAreas,
          int Prefetch,
          template <int>
          class Exchange,
          class Columns_,
          class Rows_>
struct cluster_shape {
    typedef Columns_ columns;
    typedef Rows_ rows;
    typedef Exchange<Cluster> exchange;
    static constexpr int n = N_;
    static constexpr int cluster = Cluster;
    static constexpr bool two_areas = TwoAreas;
    static constexpr bool prefetch = Prefetch != no_prefetch;
    static constexpr bool prefetch_by_card = Prefetch == by_card;
    static constexpr int threads = columns::threads;
    static constexpr int blocks = columns::blocks;
    // Whether the columns are the later axes of the frame, which lie side by side in
    // memory.
    static constexpr bool has_axes = columns::load_end::is_by_rows;

    // Points that a thread holds in any pass of a tile.
    template <class Tile, int P = 0>
    static GPUFFT_DEVICE constexpr int points_of()
    {
        constexpr int here =
            Tile::template rounds<P>() * Tile::passes::template radix<P>();
        if constexpr (P + 1 < Tile::pass_count)
            return larger(here, points_of<Tile, P + 1>());
        return here;
    }
    static constexpr int samples = // points of the first pass
        columns::template rounds<0>() * columns::passes::template radix<0>();

    // The place where element b of a row arrives. Neighbouring threads send points that
    // lie the last axis apart, and those of one cycle go to different banks.
    static GPUFFT_DEVICE constexpr int incoming_at(int row, int b)
    {
        if constexpr (has_axes)
            return row * RowStride + row / columns::last * columns::columns + b;
        return row * RowStride + b;
    }

    // Complex elements of shared memory.
    static constexpr int incoming = larger(incoming_at(rows::columns, 0), rows::stride);
    static constexpr int first_area = larger(columns::stride,
                                             prefetch   ? samples* threads
                                             : TwoAreas ? rows::stride
                                                        : 0);
    static constexpr int second_at = TwoAreas ? first_area : 0;
    static constexpr int first_size =
        TwoAreas ? first_area : larger(first_area, incoming);
    static constexpr int barriers_at = TwoAreas ? first_area + incoming : first_size;

    static_assert(columns::n * rows::n == n, "the two lengths are N's");
    static_assert(TwoAreas || !prefetch, "samples need an area of their own");
    static_assert(columns::threads == rows::threads, "one block does both");
    static_assert(threads >= Cluster, "each block has a thread for every other");
};

// All passes of a tile; the results stay in `points`. Exchanges use `shared`; is_read:
// other threads may still be reading `shared`. Calls first_exchanged() when all threads
// have written there for the first time, and last_read() when this thread has read it for
// the last time.
template <class Tile, int P = 0, class First, class Last>
GPUFFT_DEVICE void run_passes(complex* points,
                              complex* shared,
                              const complex* twiddles,
                              bool is_read,
                              First&& first_exchanged,
                              Last&& last_read)
{
    constexpr int radix = Tile::passes::template radix<P>();
    const int lane = threadIdx.x;
    if constexpr (Tile::template is_twiddled<P>())
        for_each_point<Tile, P>(lane, [&](int i, int k, int j) {
            if (k > 0)
                points[i] = points[i] * twiddle<Tile, P>(twiddles, k, j);
        });
#pragma unroll
    for (int round = 0; round < Tile::template rounds<P>(); ++round)
        butterfly<radix>(points + round * radix);

    if constexpr (P + 1 < Tile::pass_count) {
        typedef decltype(Tile::passes::template pad<P>()) pad;
        constexpr int count = Tile::elements / Tile::passes::template radix<P + 1>();
        if (P > 0 || is_read)
            __syncthreads();
        for_each_point<Tile, P>(lane, [&](int i, int k, int j) {
            shared[Tile::template exchanged_at<P>(j, k)] = points[i];
        });
        __syncthreads();
        if constexpr (P == 0)
            first_exchanged();
        for_each_point<Tile, P + 1>(lane, [&](int i, int k, int j) {
            points[i] = shared[pad::template of_input<count>(j, k)];
        });
        if constexpr (P + 2 == Tile::pass_count)
            last_read();
        run_passes<Tile, P + 1>(
            points, shared, twiddles, true, first_exchanged, last_read);
    }
}

// Tables of roots after the columns' own twiddles: exp(-2 pi j q b / N), q < R / r, then
// exp(-2 pi j k b / (r M)), k < r, with r the radix of the columns' last pass. Together
// they give exp(-2 pi j b c / N) for c = q + k R / r.
template <class Shape>
struct cluster_roots {
    typedef typename Shape::columns columns;
    static constexpr int radix =
        columns::passes::template radix<columns::pass_count - 1>();
    static constexpr int count = columns::n / radix; // values of q
    static constexpr int m = Shape::rows::n;
    static constexpr int first_at = columns::n - columns::passes::template radix<0>();
    static constexpr int second_at = first_at + count * m;

    static GPUFFT_DEVICE complex of_butterfly(const complex* tables, int q, int b)
    {
        return load_constant(tables + first_at + q * m + b);
    }
    static GPUFFT_DEVICE void
    set_powers(power_sequence<radix>& sequence, const complex* tables, int b)
    {
#pragma unroll
        for (int bit = 0; bit < power_sequence<radix>::bits; ++bit)
            sequence.set_power(bit,
                               load_constant(tables + b + second_at + (1 << bit) * m));
    }
};

} // namespace kernels
} // namespace gpufft
} // namespace gr

#endif
