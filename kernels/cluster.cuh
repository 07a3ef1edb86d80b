// SPDX-License-Identifier: GPL-3.0-or-later
//
// The FFT of vectors that fit the shared memory of a thread block cluster, in one pass
// over global memory. With N = R M, n = M a + b, k = c + R d:
//     X[c + R d] = sum_b exp(-2 pi j b d / M) (exp(-2 pi j b c / N) sum_a x[M a + b]
//                  exp(-2 pi j a c / R))
// Block r of C has a tile of columns, b = r W ... (r+1) W - 1 with W = ceil(M / C), then
// a tile of rows, c = r V ... (r+1) V - 1 with V = ceil(R / C). In between every block
// hands each of the others its part by distributed shared memory.
//
// Points travel through up to two areas of shared memory: the exchanges of the columns
// use the first, and the rows come in the second; or both are the same area.

#ifndef INCLUDED_GPUFFT_KERNELS_CLUSTER_CUH
#define INCLUDED_GPUFFT_KERNELS_CLUSTER_CUH

#include "bulk_copy.cuh"
#include "cluster_shape.cuh"
#include "load.cuh"
#include "store.cuh"

namespace gr {
namespace gpufft {
namespace kernels {

// What one block does of one transform after another.
template <class Shape, class Load, class Store>
class cluster_block
{
public:
    typedef typename Shape::columns columns;
    typedef typename Shape::rows rows;

    GPUFFT_DEVICE cluster_block(const transform_arguments& arguments)
        : d_arguments(arguments),
          d_first(shared_memory<complex>()),
          d_second(d_first + Shape::second_at),
          d_exchange(reinterpret_cast<transfer_barrier*>(d_first + Shape::barriers_at)),
          d_samples_there(
              reinterpret_cast<transfer_barrier*>(d_first + Shape::barriers_at) +
              Shape::exchange::barriers),
          d_rank(cluster_rank())
    {
        d_exchange.start();
        if constexpr (Shape::prefetch_by_card) {
            if (threadIdx.x == 0)
                start_barrier(d_samples_there, 1);
            __syncthreads();
        }
    }

    GPUFFT_DEVICE void run()
    {
        const unsigned long long clusters = gridDim.x / Shape::cluster;
        unsigned long long frame = blockIdx.x / Shape::cluster;
        unsigned count = 0;
        static_for<0, parts>([&](auto part) { prefetch<part.value>(frame); });
        for (; frame < d_arguments.frames; frame += clusters, ++count) {
            const bool is_last = frame + clusters >= d_arguments.frames;
            d_exchange.expect(own_rows() * rows::n);
            read_columns(frame, count);
            transform_columns(frame + clusters, count, is_last);
            send_columns(count);
            prefetch<1>(frame + clusters);
            d_exchange.wait_until_full(count);
            read_rows();
            prefetch<2>(frame + clusters);
            transform_rows(is_last);
            prefetch<3>(frame + clusters);
            store_rows(frame);
        }
    }

private:
    // Columns and rows that this block has: the last ones may have fewer than the shape.
    GPUFFT_DEVICE int own_columns() const { return own<rows::n, columns::columns>(); }
    GPUFFT_DEVICE int own_rows() const { return own<columns::n, rows::columns>(); }

    template <int All, int Width>
    GPUFFT_DEVICE int own() const
    {
        if constexpr (Width * Shape::cluster == All)
            return Width;
        const int left = All - d_rank * Width;
        return left < 0 ? 0 : left < Width ? left : Width;
    }

    // Calls body(i, k, j, m, offset) for the samples of this thread: point i, input k of
    // butterfly j, is sample m + offset of the vector, `offset` a constant.
    template <class Body>
    GPUFFT_DEVICE void for_each_sample(Body&& body) const
    {
        constexpr int radix = columns::passes::template radix<0>();
        constexpr int count = columns::n / radix;
        for_each_point<columns, 0>(threadIdx.x, [&](int i, int k, int j) {
            const int c = j % columns::columns, a = j / columns::columns;
            if (c < own_columns())
                body(i,
                     k,
                     j,
                     a * rows::n + d_rank * columns::columns + c,
                     k * (count * rows::n));
        });
    }

    // Where sample i of this thread waits: among its own, which no other thread reads, or
    // where the card put it, row after row of the tile.
    GPUFFT_DEVICE auto* prefetched(int i, int k, int j) const
    {
        constexpr int count = columns::n / columns::passes::template radix<0>();
        auto* samples = reinterpret_cast<typename Load::item*>(d_first);
        return Shape::prefetch_by_card ? samples + j + k * (count * columns::columns)
                                       : samples + i * Shape::threads + threadIdx.x;
    }

    // The memory pipe takes the threads' copies in order with everything else: all at
    // once they would hold up the exchanges. So they are started in parts, in between.
    static constexpr int parts = 4;

    template <int Part>
    GPUFFT_DEVICE void prefetch(unsigned long long frame)
    {
        if constexpr (Shape::prefetch) {
            if (frame >= d_arguments.frames)
                return;
            if (Shape::prefetch_by_card && (Part == 0 ? start_rows(frame) : d_by_card))
                return;
            for_each_sample([&](int i, int k, int j, int m, int offset) {
                if (i * parts / Shape::samples == Part)
                    start_copy(
                        prefetched(i, k, j),
                        Load::template at<Shape::n>(d_arguments, frame, m, offset));
            });
        }
    }

    // The card copies the rows of the tile, if they lie at multiples of 16 bytes.
    GPUFFT_DEVICE bool start_rows(unsigned long long frame)
    {
        typedef typename Load::item item;
        constexpr int bytes = columns::columns * static_cast<int>(sizeof(item));
        constexpr bool fits = bytes % 16 == 0 && rows::n * sizeof(item) % 16 == 0 &&
                              columns::columns * Shape::cluster == rows::n &&
                              Load::in_order;
        if constexpr (fits) {
            const item* first = Load::template at<Shape::n>(
                d_arguments, frame, d_rank * columns::columns);
            d_by_card = reinterpret_cast<unsigned long long>(first) % 16 == 0;
            if (d_by_card && threadIdx.x == 0)
                arrive_and_expect(d_samples_there, bytes * columns::n);
            for (int a = threadIdx.x; d_by_card && a < columns::n; a += Shape::threads)
                start_bulk_load(
                    reinterpret_cast<complex*>(reinterpret_cast<item*>(d_first) +
                                               a * columns::columns),
                    reinterpret_cast<const complex*>(first + a * rows::n),
                    bytes,
                    d_samples_there);
        }
        return d_by_card;
    }

    GPUFFT_DEVICE void wait_for_samples()
    {
        if (d_by_card) {
            wait_for_phase(d_samples_there, d_phase);
            d_phase ^= 1;
        } else {
            wait_for_copies(); // its own, which no other thread reads
        }
    }

    GPUFFT_DEVICE void read_columns(unsigned long long frame, unsigned count)
    {
        if constexpr (Shape::prefetch)
            wait_for_samples();
        for_each_sample([&](int i, int k, int j, int m, int offset) {
            if constexpr (Shape::prefetch)
                d_points[i] = Load::template value<Shape::n>(
                    d_arguments, m + offset, *prefetched(i, k, j));
            else
                d_points[i] = Load::template get<Shape::n>(d_arguments, frame, m, offset);
        });
        if (count == 0)
            d_exchange.wait_for_start();
    }

    // With one area, release() says that the columns' exchanges are over.
    GPUFFT_DEVICE void
    transform_columns(unsigned long long next, unsigned count, bool last)
    {
        const auto last_read = [&] {
            if constexpr (Shape::prefetch) {
                if (Shape::prefetch_by_card)
                    show_to_bulk_copies(); // what they overwrite
                __syncthreads();
                prefetch<0>(next);
            } else if constexpr (!Shape::two_areas) {
                __syncthreads();
                d_exchange.release();
            }
        };
        if constexpr (columns::pass_count == 1)
            last_read();
        run_passes<columns>(
            d_points,
            d_first,
            d_arguments.twiddles,
            Shape::prefetch || count > 0,
            [] {},
            last_read);
    }

    GPUFFT_DEVICE void send_columns(unsigned count)
    {
        constexpr int last = columns::pass_count - 1;
        typedef cluster_roots<Shape> roots;
        if (!Shape::two_areas)
            d_exchange.wait_until_free(count);
        else if (count > 0)
            d_exchange.wait_until_free(count - 1);
        const complex* tables = d_arguments.twiddles;
        power_sequence<roots::radix> sequence;
        for_each_point<columns, last>(threadIdx.x, [&](int i, int k, int j) {
            const int q = j / columns::columns, c = j % columns::columns;
            const int b = d_rank * columns::columns + c;
            if (c >= own_columns())
                return;
            if (k == 0) {
                if (i == 0 || columns::threads % columns::columns != 0)
                    roots::set_powers(sequence, tables, b);
                sequence.set_first(roots::count > 1 ? roots::of_butterfly(tables, q, b)
                                                    : complex{ 1, 0 });
            }
            const complex value = d_points[i] * sequence.next(k);
            send(q, k, b, value);
        });
    }

    // Row c = q + k R / r goes to block c / V.
    GPUFFT_DEVICE void send(int q, int k, int b, complex value)
    {
        constexpr int step = cluster_roots<Shape>::count;
        constexpr int v = rows::columns;
        int rank, row;
        if constexpr (step % v == 0) { // with one division for all k
            rank = q / v + k * (step / v);
            row = q % v;
        } else if constexpr (v % step == 0) {
            rank = k / (v / step);
            row = q + k % (v / step) * step;
        } else {
            rank = (q + k * step) / v;
            row = (q + k * step) % v;
        }
        d_exchange.send(d_second + row * Shape::row_stride + b, rank, value);
    }

    GPUFFT_DEVICE void read_rows()
    {
        constexpr int radix = rows::passes::template radix<0>();
        constexpr int count = rows::n / radix;
        for_each_point<rows, 0>(threadIdx.x, [&](int i, int k, int j) {
            const int c = j % rows::columns, b = j / rows::columns + k * count;
            if (c < own_rows())
                d_points[i] = d_second[c * Shape::row_stride + b];
        });
    }

    // With two areas, release() says that the rows are read. Their exchanges go through
    // the first area, or through the second if the first takes the next samples.
    GPUFFT_DEVICE void transform_rows(bool is_last)
    {
        constexpr bool through_second = !Shape::two_areas || Shape::prefetch;
        const auto first_exchanged = [&] {
            if (Shape::two_areas && !through_second && !is_last)
                d_exchange.release();
        };
        const auto last_read = [&] {
            if (Shape::two_areas && through_second && !is_last) {
                __syncthreads();
                d_exchange.release();
            }
        };
        if constexpr (rows::pass_count == 1) {
            if (Shape::two_areas && !is_last) {
                __syncthreads();
                d_exchange.release();
            }
        }
        run_passes<rows>(d_points,
                         through_second ? d_second : d_first,
                         d_arguments.more_twiddles,
                         true,
                         first_exchanged,
                         last_read);
    }

    GPUFFT_DEVICE void store_rows(unsigned long long frame) const
    {
        constexpr int last = rows::pass_count - 1;
        constexpr int count = rows::n / rows::passes::template radix<last>();
        for_each_point<rows, last>(threadIdx.x, [&](int i, int k, int j) {
            const int c = j % rows::columns, d = j / rows::columns;
            if (c < own_rows())
                Store::template put<Shape::n>(d_arguments,
                                              frame,
                                              d_rank * rows::columns + c + d * columns::n,
                                              d_points[i],
                                              k * (count * columns::n));
        });
    }

    const transform_arguments& d_arguments;
    complex* const d_first;
    complex* const d_second;
    typename Shape::exchange d_exchange;
    transfer_barrier* const d_samples_there; // by card
    bool d_by_card = false;
    unsigned d_phase = 0;
    const int d_rank;
    complex d_points[larger(Shape::template points_of<columns>(),
                            Shape::template points_of<rows>())] = {};
};

// Computes  for every frame f: Store(sum_m Load(f, m) exp(-2 pi j m k / N)).
// Layout    cluster g takes the frames g, g + clusters, g + 2 clusters, ...
// Launch    grid = Cluster * (1 ... frames), cluster = Cluster, block = Shape::threads,
//           shared = Shape::barriers_at complex and Shape::exchange::barriers barriers.
//           Tables: twiddles of the columns and cluster_roots, more_twiddles of the rows.
// Requires  input and output do not overlap; compute capability 9.0.
template <class Shape, class Load, class Store>
GPUFFT_CLUSTER_KERNEL(Shape::threads, Shape::blocks, Shape::cluster)
cluster_kernel(transform_arguments arguments)
{
    cluster_block<Shape, Load, Store>(arguments).run();
}

} // namespace kernels
} // namespace gpufft
} // namespace gr

#endif
