// SPDX-License-Identifier: GPL-3.0-or-later
//
// The samples of a block's columns (see cluster.cuh): where they lie in memory, and how
// those of the next frame arrive in the first area while this one is transformed.

#ifndef INCLUDED_GPUFFT_KERNELS_CLUSTER_SAMPLES_CUH
#define INCLUDED_GPUFFT_KERNELS_CLUSTER_SAMPLES_CUH

#include "bulk_copy.cuh"
#include "cluster/cluster_axes.cuh"
#include "cluster/cluster_pairs.cuh"
#include "cluster/cluster_shape.cuh"
#include "load.cuh"

namespace gr {
namespace gpufft {
namespace kernels {

template <class Shape, class Load>
class cluster_samples
{
public:
    typedef typename Shape::columns columns;
    typedef typename Shape::rows rows;
    typedef typename rows_of<Load, rows::n, columns::columns, Shape::cluster>::type
        own_columns;

    // The copy engine completes phases of the barrier `there`.
    GPUFFT_DEVICE cluster_samples(const transform_arguments& arguments,
                                  complex* area,
                                  transfer_barrier* there,
                                  int rank)
        : d_arguments(arguments),
          d_area(area),
          d_there(there),
          d_rank(rank)
    {
    }

    // Makes the barrier ready for use.
    GPUFFT_DEVICE void start()
    {
        if constexpr (Shape::prefetch_by_card) {
            if (threadIdx.x == 0)
                start_barrier(d_there, 1);
            __syncthreads();
        }
    }

    // Calls body(i, k, j, m, offset) for the samples of this thread: point i, input k of
    // butterfly j, is sample m + offset of the vector; `offset` is a constant.
    template <class Body>
    GPUFFT_DEVICE void for_each_sample(int lane, Body&& body) const
    {
        constexpr int radix = columns::passes::template radix<0>();
        constexpr int count = columns::n / radix;
        for_each_point<columns, 0>(lane, [&](int i, int k, int j) {
            const int c = Shape::has_axes ? j / count : j % columns::columns;
            const int a = Shape::has_axes ? j % count : j / columns::columns;
            if (own_columns::has(d_rank, c))
                body(i,
                     k,
                     j,
                     Shape::has_axes ? own_columns::row(d_rank, c) * columns::n + a
                                     : a * rows::n + own_columns::row(d_rank, c),
                     k * (count * (Shape::has_axes ? 1 : rows::n)));
        });
    }

    // The place of this thread's prefetched sample i: among its own samples, which no
    // other thread reads, or where the copy engine put it, in the layout of global
    // memory.
    GPUFFT_DEVICE auto* prefetched(int i, int k, int j) const
    {
        constexpr int count = columns::n / columns::passes::template radix<0>();
        auto* samples = reinterpret_cast<typename Load::item*>(d_area);
        if constexpr (!Shape::prefetch_by_card)
            return samples + i * Shape::threads + threadIdx.x;
        else if constexpr (Shape::has_axes)
            return samples + j / count * columns::n + j % count + k * count;
        else
            return samples + j + k * (count * columns::columns);
    }

    // The memory pipe takes the threads' copies in order with all other accesses. All
    // copies at once would delay the exchanges, so parts of them start between the
    // exchanges.
    static constexpr int parts = 4;

    template <int Part>
    GPUFFT_DEVICE void prefetch(unsigned long long frame)
    {
        if constexpr (Shape::prefetch) {
            if (frame >= d_arguments.frames)
                return;
            if (Shape::prefetch_by_card && (Part == 0 ? start_rows(frame) : d_by_card))
                return;
            for_each_sample(threadIdx.x, [&](int i, int k, int j, int m, int offset) {
                if (i * parts / Shape::samples == Part)
                    Load::start(
                        prefetched(i, k, j),
                        Load::template at<Shape::n>(d_arguments, frame, m, offset));
            });
        }
    }

    GPUFFT_DEVICE void wait()
    {
        if (d_by_card) {
            wait_for_phase(d_there, d_phase);
            d_phase ^= 1;
        } else {
            wait_for_copies(); // this thread's copies, which no other thread reads
        }
    }

private:
    // The copy engine reads the tile in runs that are contiguous in memory, if these
    // always begin at multiples of 16 bytes.
    GPUFFT_DEVICE bool start_rows(unsigned long long frame)
    {
        typedef typename Load::item item;
        constexpr int run = Shape::has_axes ? columns::n : columns::columns;
        constexpr int step = Shape::has_axes ? columns::n : rows::n; // between runs
        constexpr int bytes = run * static_cast<int>(sizeof(item));
        constexpr bool fits = bytes % 16 == 0 && step * sizeof(item) % 16 == 0 &&
                              columns::columns * Shape::cluster == rows::n &&
                              Load::in_order;
        if constexpr (fits) {
            const item* first = Load::template at<Shape::n>(
                d_arguments,
                frame,
                d_rank * columns::columns * (Shape::has_axes ? columns::n : 1));
            d_by_card = reinterpret_cast<unsigned long long>(first) % 16 == 0;
            if (d_by_card && threadIdx.x == 0)
                arrive_and_expect(d_there, bytes * (columns::elements / run));
            for (int a = threadIdx.x; d_by_card && a < columns::elements / run;
                 a += Shape::threads)
                start_bulk_load(
                    reinterpret_cast<complex*>(reinterpret_cast<item*>(d_area) + a * run),
                    reinterpret_cast<const complex*>(first + a * step),
                    bytes,
                    d_there);
        }
        return d_by_card;
    }

    const transform_arguments& d_arguments;
    complex* const d_area;
    transfer_barrier* const d_there;
    bool d_by_card = false;
    unsigned d_phase = 0;
    const int d_rank;
};

} // namespace kernels
} // namespace gpufft
} // namespace gr

#endif
