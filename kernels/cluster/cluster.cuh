// SPDX-License-Identifier: GPL-3.0-or-later
//
// The FFT of vectors that fit the shared memory of a thread block cluster, in one pass
// over global memory. With N = R M, n = M a + b, k = c + R d:
//     X[c + R d] = sum_b exp(-2 pi j b d / M) (exp(-2 pi j b c / N) sum_a x[M a + b]
//                  exp(-2 pi j a c / R))
// Block r of C has a tile of columns, b = r W ... (r+1) W - 1 with W = ceil(M / C), then
// a tile of rows, c = r V ... (r+1) V - 1 with V = ceil(R / C), or other rows if a load
// or store step works by pairs of points (cluster_pairs.cuh). In between, every block
// hands its part to each of the others through distributed shared memory.
//
// Frames of several axes: the first axis is M long, the others together have R points,
// side by side in memory (cluster_axes.cuh). So n = R b + a, without roots in between:
//     X[c + R d] = sum_b exp(-2 pi j b d / M) (DFT of x[R b ... R b + R - 1])[c]
//
// Points pass through one or two areas of shared memory: the columns' exchanges use the
// first, and rows arrive in the second, or in the first if there is only one.

#ifndef INCLUDED_GPUFFT_KERNELS_CLUSTER_CUH
#define INCLUDED_GPUFFT_KERNELS_CLUSTER_CUH

#include "cluster/cluster_samples.cuh"
#include "store.cuh"

namespace gr {
namespace gpufft {
namespace kernels {

// One block's share of one transform after another.
template <class Shape, class Load, class Store>
class cluster_block
{
public:
    typedef typename Shape::columns columns;
    typedef typename Shape::rows rows;
    typedef cluster_samples<Shape, Load> samples;
    typedef typename samples::own_columns own_columns;
    typedef
        typename rows_of<Store, columns::n, rows::columns, Shape::cluster>::type own_rows;

    GPUFFT_DEVICE cluster_block(const transform_arguments& arguments)
        : d_arguments(arguments),
          d_first(shared_memory<complex>()),
          d_second(d_first + Shape::second_at),
          d_exchange(reinterpret_cast<transfer_barrier*>(d_first + Shape::barriers_at)),
          d_rank(cluster_rank()),
          d_samples(arguments,
                    d_first,
                    reinterpret_cast<transfer_barrier*>(d_first + Shape::barriers_at) +
                        Shape::exchange::barriers,
                    d_rank)
    {
        d_exchange.start();
        d_samples.start();
    }

    GPUFFT_DEVICE void run()
    {
        const unsigned long long clusters = gridDim.x / Shape::cluster;
        unsigned long long frame = blockIdx.x / Shape::cluster;
        unsigned count = 0;
        static_for<0, samples::parts>(
            [&](auto part) { d_samples.template prefetch<part.value>(frame); });
        for (; frame < d_arguments.frames; frame += clusters, ++count) {
            const bool is_last = frame + clusters >= d_arguments.frames;
            d_exchange.expect(own_rows::own(d_rank) * rows::n);
            read_columns(frame, count);
            transform_columns(frame + clusters, count, is_last);
            send_columns(count);
            d_samples.template prefetch<1>(frame + clusters);
            d_exchange.wait_until_full(count);
            read_rows();
            d_samples.template prefetch<2>(frame + clusters);
            transform_rows(is_last);
            d_samples.template prefetch<3>(frame + clusters);
            if constexpr (works_by_pairs<Store>)
                store_pairs(frame, is_last);
            else
                store_rows(frame);
        }
    }

private:
    // Whether this block has the column or row.
    GPUFFT_DEVICE bool has_column(int c) const { return own_columns::has(d_rank, c); }
    GPUFFT_DEVICE bool has_row(int c) const { return own_rows::has(d_rank, c); }

    GPUFFT_DEVICE void read_columns(unsigned long long frame, unsigned count)
    {
        if constexpr (Shape::prefetch)
            d_samples.wait();
        if constexpr (works_by_pairs<Load>)
            read_pairs(frame, count);
        else
            read_points(frame);
        if (count == 0)
            d_exchange.wait_for_start();
    }

    GPUFFT_DEVICE void read_points(unsigned long long frame)
    {
        const int lane =
            Load::has_factors || Shape::has_axes ? recomputed(threadIdx.x) : threadIdx.x;
        d_samples.for_each_sample(lane, [&](int i, int k, int j, int m, int offset) {
            if constexpr (Shape::prefetch)
                d_points[i] = Load::template value<Shape::n>(
                    d_arguments, m + offset, *d_samples.prefetched(i, k, j));
            else
                d_points[i] = Load::template get<Shape::n>(d_arguments, frame, m, offset);
        });
    }

    // Exchanges the partners of a thread's points through the first area.
    GPUFFT_DEVICE void read_pairs(unsigned long long frame, unsigned count)
    {
        typedef tile_pairs<columns, 0, Load::is_between> pairs;
        constexpr int radix = pairs::radix;
        static_assert(!Shape::prefetch, "points are made of several samples");
        static_assert(pairs::exchanged <= Shape::first_size, "partners fit the area");
        const pairs own(d_rank);
        if (count > 0)
            __syncthreads(); // rows were in this area
        for_each_butterfly<columns, radix>([&](auto first, int j) {
            const int c = j % columns::columns;
            if (!has_column(c))
                return;
            const int m = j / columns::columns * rows::n + own_columns::row(d_rank, c);
            const auto place = Load::at(d_arguments, frame, m);
            static_for<0, radix / 2>([&](auto k) {
                complex partner;
                Load::template both_at<k.value, radix>(
                    d_arguments, place, d_points[first.value + k.value], partner);
                if (own.is_alone(j, k.value))
                    partner = Load::point(d_arguments, frame, Shape::n / 2);
                d_first[own.is_alone(j, k.value) ? pairs::upper(j, radix / 2)
                                                 : own.partner(j, k.value)] = partner;
            });
        });
        __syncthreads();
        for_each_point<columns, 0>(threadIdx.x, [&](int i, int k, int j) {
            if (k >= radix / 2 && has_column(j % columns::columns))
                d_points[i] = d_first[pairs::upper(j, k)];
        });
    }

    // Calls body(constant<i>(), j) for this thread's butterflies j, whose points are
    // d_points[i] ...; values that depend on j are recomputed for every frame.
    template <class Tile, int Radix, class Body>
    static GPUFFT_DEVICE void for_each_butterfly(Body&& body)
    {
        constexpr int butterflies = Tile::elements / Radix;
        const int lane = recomputed(threadIdx.x);
        static_for<0, (butterflies + Shape::threads - 1) / Shape::threads>(
            [&](auto round) {
                const int j = lane + round.value * Shape::threads;
                if (butterflies % Shape::threads == 0 || j < butterflies)
                    body(constant<round.value * Radix>(), j);
            });
    }

    // With one area, release() says that the columns' exchanges are over.
    GPUFFT_DEVICE void
    transform_columns(unsigned long long next, unsigned count, bool last)
    {
        const auto last_read = [&] {
            if constexpr (Shape::prefetch) {
                if (Shape::prefetch_by_card)
                    show_to_bulk_copies(); // which overwrite the area
                __syncthreads();
                d_samples.template prefetch<0>(next);
            } else if constexpr (!Shape::two_areas) {
                release_area();
            }
        };
        if constexpr (columns::pass_count == 1)
            last_read();
        run_passes<columns>(
            d_points,
            d_first,
            d_arguments.twiddles,
            Shape::prefetch || works_by_pairs<Load> || count > 0,
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
            const int b = own_columns::row(d_rank, c);
            if (!has_column(c))
                return;
            if constexpr (Shape::has_axes) {
                send(q, k, b, d_points[i]);
                return;
            }
            if (k == 0) {
                if (i == 0 || columns::threads % columns::columns != 0)
                    roots::set_powers(sequence, tables, b);
                sequence.set_first(roots::count > 1 ? roots::of_butterfly(tables, q, b)
                                                    : complex{ 1, 0 });
            }
            send(q, k, b, d_points[i] * sequence.next(k));
        });
    }

    // Sends a point to the block that has row q + k R / r.
    GPUFFT_DEVICE void send(int q, int k, int b, complex value)
    {
        constexpr int radix = columns::passes::template radix<columns::pass_count - 1>();
        constexpr int step = columns::n / radix;
        int rank, row;
        if constexpr (Shape::has_axes)
            own_rows::template place<step / columns::before_last(), radix>(
                columns::ordered(q), k, rank, row);
        else
            own_rows::template place<step, radix>(q, k, rank, row);
        d_exchange.send(d_second + Shape::incoming_at(row, b), rank, value);
    }

    GPUFFT_DEVICE void read_rows()
    {
        constexpr int radix = rows::passes::template radix<0>();
        constexpr int count = rows::n / radix;
        for_each_point<rows, 0>(threadIdx.x, [&](int i, int k, int j) {
            const int c = j % rows::columns, b = j / rows::columns + k * count;
            if (has_row(c))
                d_points[i] = d_second[Shape::incoming_at(c, b)];
        });
    }

    // The exchanges of the rows and of their results' partners use the first area, or the
    // second if the first receives the next samples.
    static constexpr bool through_second = !Shape::two_areas || Shape::prefetch;
    static constexpr bool keeps_second = through_second && works_by_pairs<Store>;

    // With two areas, release() says that the second has been read.
    GPUFFT_DEVICE void transform_rows(bool is_last)
    {
        const auto first_exchanged = [&] {
            if (Shape::two_areas && !through_second && !is_last)
                d_exchange.release(); // points are read, transformed and written
        };
        const auto last_read = [&] {
            if (through_second && !keeps_second)
                release_second(is_last);
        };
        if constexpr (rows::pass_count == 1 && !keeps_second)
            release_second(is_last);
        run_passes<rows>(d_points,
                         through_second ? d_second : d_first,
                         d_arguments.more_twiddles,
                         true,
                         first_exchanged,
                         last_read);
    }

    GPUFFT_DEVICE void release_second(bool is_last)
    {
        if (Shape::two_areas && !is_last)
            release_area();
    }

    GPUFFT_DEVICE void release_area()
    {
        finish_reads();
        __syncthreads();
        d_exchange.release();
    }

    GPUFFT_DEVICE void store_rows(unsigned long long frame) const
    {
        constexpr int last = rows::pass_count - 1;
        constexpr int count = rows::n / rows::passes::template radix<last>();
        for_each_point<rows, last>(
            Shape::has_axes ? recomputed(threadIdx.x) : threadIdx.x,
            [&](int i, int k, int j) {
                const int c = j % rows::columns, d = j / rows::columns;
                if (has_row(c))
                    Store::template put<Shape::n>(d_arguments,
                                                  frame,
                                                  own_rows::row(d_rank, c) +
                                                      d * columns::n,
                                                  d_points[i],
                                                  k * (count * columns::n));
            });
    }

    // Stores what the results and their partners give; half of the results are exchanged.
    GPUFFT_DEVICE void store_pairs(unsigned long long frame, bool is_last)
    {
        constexpr int last = rows::pass_count - 1;
        typedef tile_pairs<rows, last, Store::is_between> pairs;
        constexpr int radix = pairs::radix;
        static_assert(pairs::exchanged <=
                          (through_second ? Shape::incoming : Shape::first_size),
                      "partners fit the area");
        const pairs own(d_rank);
        complex* area = through_second ? d_second : d_first;
        __syncthreads(); // points were in this area
        for_each_point<rows, last>(threadIdx.x, [&](int i, int k, int j) {
            if (k >= radix / 2)
                area[pairs::upper(j, k)] = d_points[i];
        });
        __syncthreads();
        for_each_butterfly<rows, radix>([&](auto first, int j) {
            const int c = j % rows::columns;
            if (!has_row(c))
                return;
            const int bin = own_rows::row(d_rank, c) + j / rows::columns * columns::n;
            const auto place = Store::at(d_arguments, frame, bin);
            static_for<0, radix / 2>([&](auto k) {
                const complex z = d_points[first.value + k.value];
                Store::template run_at<k.value, radix>(
                    d_arguments,
                    place,
                    z,
                    own.is_alone(j, k.value) ? z : area[own.partner(j, k.value)]);
            });
            if (own.is_alone(j, 0)) {
                const complex middle = area[pairs::upper(j, radix / 2)];
                Store::run(d_arguments, frame, Shape::n / 2, middle, middle);
            }
        });
        if constexpr (keeps_second)
            release_second(is_last);
    }

    const transform_arguments& d_arguments;
    complex* const d_first;
    complex* const d_second;
    typename Shape::exchange d_exchange;
    const int d_rank;
    samples d_samples;
    complex d_points[larger(Shape::template points_of<columns>(),
                            Shape::template points_of<rows>())] = {};
};

// Computes  for every frame f: Store(sum_m Load(f, m) exp(-2 pi j m k / N)), or the
//           transform along all axes.
// Layout    cluster g takes the frames g, g + clusters, g + 2 clusters, ...
// Launch    grid = Cluster * (1 ... frames), cluster = Cluster, block = Shape::threads,
//           shared = Shape::barriers_at complex and Shape::exchange::barriers barriers.
//           Tables: twiddles of the columns and cluster_roots, more_twiddles of the rows.
// Requires  input and output do not overlap; compute capability 9.0.
template <class Shape, class Load, class Store>
GPUFFT_CLUSTER_KERNEL(Shape::threads, Shape::blocks, Shape::cluster)
cluster_kernel(transform_arguments arguments)
{
    begin_kernel();
    cluster_block<Shape, Load, Store>(arguments).run();
}

} // namespace kernels
} // namespace gpufft
} // namespace gr

#endif
