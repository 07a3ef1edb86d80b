// SPDX-License-Identifier: GPL-3.0-or-later
//
// Real transforms by a complex one inside: DFT of real rows and back, DCT and DST. A row
// becomes complex points (real_pack.cuh), and their transform's bins become the stored
// row (real_split.cuh): in one kernel if the points fit a block, else by two kernels
// around any complex transform.

#ifndef INCLUDED_GPUFFT_KERNELS_REAL_CUH
#define INCLUDED_GPUFFT_KERNELS_REAL_CUH

#include "real/real_split.cuh"
#include "real/real_two_tiles.cuh"
#include "real/row_tiles.cuh"
#include "stockham/stockham.cuh"

namespace gr {
namespace gpufft {
namespace kernels {

// Inverse transforms run the forward kernel on exchanged parts.
template <class Pack>
GPUFFT_DEVICE complex exchanged(complex z)
{
    return Pack::is_inverse ? exchange_parts(z) : z;
}

// Whether a split works by pairs.
template <class Split, class = void>
constexpr bool has_pair = false;

template <class Split>
constexpr bool
    has_pair<Split, decltype(static_cast<void>(sizeof(typename Split::pair)))> = true;

// Whether the threads of the butterflies make and store pairs: if enough neighbouring
// threads do so for their accesses to fill lines of memory.
template <class Shape, int P>
constexpr bool
    keeps_pairs = Shape::passes::template radix<P>() % 2 == 0 && Shape::threads >= 16 &&
                  Shape::n / Shape::passes::template radix<P>() >= 16;

// Puts the partner of point m into the shared memory of its vector. Point 0 is its own
// partner, so its place takes the middle point, which is its own, too.
template <class Pack>
GPUFFT_DEVICE void put_partner(const transform_arguments& arguments,
                               unsigned long long vector,
                               int m,
                               complex partner,
                               complex* area)
{
    constexpr int n = Pack::points;
    if (Pack::is_between || m > 0)
        area[n - Pack::is_between - m] = exchanged<Pack>(partner);
    else if (n % 2 == 0)
        area[n / 2] = exchanged<Pack>(Pack::point(arguments, vector, n / 2));
}

// Puts point m and its partner into the shared memory of their vector.
template <class Pack>
GPUFFT_DEVICE void put_both(const transform_arguments& arguments,
                            unsigned long long vector,
                            int m,
                            complex* area)
{
    complex z, partner;
    Pack::both(arguments, vector, m, z, partner);
    area[m] = exchanged<Pack>(z);
    put_partner<Pack>(arguments, vector, m, partner, area);
}

// A thread's points of the first pass. With pairs the thread makes the points of the
// first half of each of its butterflies, j + k N/r for k < r/2, and their partners, which
// go through shared memory to thread N/r - j.
template <class Shape, class Pack>
GPUFFT_DEVICE void read_points(const transform_arguments& arguments,
                               unsigned long long vector,
                               bool active,
                               complex* shared,
                               int lane,
                               complex* points)
{
    constexpr int radix = Shape::passes::template radix<0>();
    constexpr int count = Shape::n / radix;
    if constexpr (Pack::has_pairs && !keeps_pairs<Shape, 0>) {
        constexpr int items = (Shape::n + 1) / 2;
        complex* const block = shared - threadIdx.x / Shape::threads * Shape::stride;
        const unsigned long long first = vector - threadIdx.x / Shape::threads;
        for_each_item<Shape, items>(first, arguments.frames, [&](int own, int m) {
            put_both<Pack>(arguments, first + own, m, block + own * Shape::stride);
        });
        synchronize<Shape>();
        for_each_point<Shape, 0>(
            lane, [&](int i, int k, int j) { points[i] = shared[j + k * count]; });
    } else if constexpr (!Pack::has_pairs) {
        if (active)
            for_each_point<Shape, 0>(lane, [&](int i, int k, int j) {
                points[i] =
                    exchanged<Pack>(Pack::point(arguments, vector, j + k * count));
            });
    } else {
        if (active)
            for_each_point<Shape, 0>(lane, [&](int i, int k, int j) {
                const int m = j + k * count;
                if (k >= radix / 2)
                    return;
                complex partner;
                Pack::both(arguments, vector, m, points[i], partner);
                points[i] = exchanged<Pack>(points[i]);
                put_partner<Pack>(arguments, vector, m, partner, shared);
            });
        synchronize<Shape>();
        for_each_point<Shape, 0>(lane, [&](int i, int k, int j) {
            if (k >= radix / 2)
                points[i] = shared[j + k * count];
        });
    }
}

// Stores the rows from the results of the last pass, by pairs: as in read_points(), a
// thread takes the pairs of the first half of its butterflies.
template <class Shape, class Pack, class Pair>
GPUFFT_DEVICE void write_pairs(const transform_arguments& arguments,
                               unsigned long long vector,
                               bool active,
                               complex* shared,
                               int lane,
                               const complex* results)
{
    constexpr int last = Shape::pass_count - 1;
    constexpr int radix = Shape::passes::template radix<last>();
    constexpr int span = Shape::template span<last>();
    for_each_point<Shape, last>(lane, [&](int i, int k, int j) {
        if (k >= radix / 2)
            shared[j + k * span] = exchanged<Pack>(results[i]);
    });
    synchronize<Shape>();
    if (!active)
        return;
    for_each_point<Shape, last>(lane, [&](int i, int k, int j) {
        const int m = j + k * span;
        if (k >= radix / 2)
            return;
        const complex z = exchanged<Pack>(results[i]);
        const bool is_alone = !Pair::is_between && m == 0;
        const complex partner = is_alone ? z : shared[Shape::n - Pair::is_between - m];
        Pair::run(arguments, vector, m, z, partner);
        if (is_alone) {
            const complex middle = shared[Shape::n / 2];
            Pair::run(arguments, vector, Shape::n / 2, middle, middle);
        }
    });
}

// Stores the rows from the results of the last pass, by items of Split.
template <class Shape, class Pack, class Split>
GPUFFT_DEVICE void write_items(const transform_arguments& arguments,
                               unsigned long long first,
                               complex* block_shared,
                               int lane,
                               const complex* results)
{
    constexpr int last = Shape::pass_count - 1;
    constexpr int span = Shape::template span<last>();
    typedef typename Shape::store_end::pad pad;
    complex* shared = block_shared + threadIdx.x / Shape::threads * Shape::stride;
    for_each_point<Shape, last>(lane, [&](int i, int k, int j) {
        shared[pad::template of_input<span>(j, k)] = exchanged<Pack>(results[i]);
    });
    synchronize<Shape>();
    for_each_item<Shape, Split::items>(first, arguments.frames, [&](int own, int item) {
        const complex* area = block_shared + own * Shape::stride;
        Split::run(arguments, first + own, item, [&](int k) { return area[pad::at(k)]; });
    });
}

// Points of the vectors from number 0 of `from` on, their transforms, and the rows `to`;
// `block_shared` is the exchange area. wait() runs before the first row is stored.
template <class Shape, class Pack, class Split, class Wait>
GPUFFT_DEVICE void transform_rows(const transform_arguments& from,
                                  const transform_arguments& to,
                                  unsigned long long first,
                                  complex* block_shared,
                                  Wait&& wait)
{
    constexpr int last = Shape::pass_count - 1;
    constexpr int span = Shape::template span<last>();
    constexpr bool is_staged = Shape::load_end::is_staged;
    const int lane = threadIdx.x % Shape::threads;
    const int slot = threadIdx.x / Shape::threads;
    const bool active = first + slot < from.frames;
    complex* shared = block_shared + slot * Shape::stride;
    complex points[Shape::points()] = {};

    read_points<Shape, Pack>(from, first + slot, active, shared, lane, points);
    wait();
    if constexpr (Split::is_pointwise) {
        transform<Shape>(points,
                         shared,
                         from.twiddles,
                         lane,
                         is_staged,
                         [&](int, int k, int j, complex value) {
                             if (active)
                                 Split::run(to, first + slot, j + k * span, [&](int) {
                                     return exchanged<Pack>(value);
                                 });
                         });
    } else {
        complex results[Shape::results()];
        transform<Shape>(points,
                         shared,
                         from.twiddles,
                         lane,
                         is_staged,
                         [&](int i, int, int, complex value) { results[i] = value; });
        if (last > 0 || is_staged)
            synchronize<Shape>();
        if constexpr (has_pair<Split> && keeps_pairs<Shape, last>)
            write_pairs<Shape, Pack, typename Split::pair>(
                to, first + slot, active, shared, lane, results);
        else
            write_items<Shape, Pack, Split>(to, first, block_shared, lane, results);
    }
}

// Computes  for every vector v of points z: rows Split(DFT(Pack(v))).
// Layout    block b takes the vectors b Transforms ... (b+1) Transforms - 1; a vector is
//           one row or two (pack_two). Tiled: rows pass through shared memory, where the
//           exchange area follows them.
// Launch    grid = ceil(vectors / Transforms), block = Threads * Transforms, shared =
//           stockham_shape::shared_bytes(), Tiled also the larger of both tiles, see row_tile.
// Requires  input and output do not overlap, or rows are stored where they are read.
template <class Shape, class Pack, class Split, bool Tiled>
GPUFFT_KERNEL(Shape::block_threads, Shape::blocks)
real_kernel(transform_arguments arguments)
{
    begin_kernel();
    static_assert(Pack::points == Shape::n && Split::points == Shape::n, "one length");
    const unsigned long long first = blockIdx.x * (unsigned long long)Shape::transforms;
    if constexpr (Tiled) {
        typedef row_tile<Shape, Pack, typename Pack::input> input;
        typedef row_tile<Shape, Split, typename Split::output> output;
        constexpr int bytes =
            input::read_bytes > output::bytes ? input::read_bytes : output::bytes;
        const transform_arguments from = input::read(arguments, first);
        __syncthreads();
        transform_rows<Shape, Pack, Split>(
            from,
            output::prepare(arguments, first),
            0,
            reinterpret_cast<complex*>(shared_memory<unsigned char>() + bytes),
            [] { __syncthreads(); }); // stored rows replace those that were read
        __syncthreads();
        output::store(arguments, first);
    } else {
        transform_rows<Shape, Pack, Split>(
            arguments, arguments, first, shared_memory<complex>(), [] {});
    }
}

// Calls body(vector, item) for the items of a launch: block b takes those of vector
// floor(b / blocks per vector), or of all vectors for which it has threads.
template <int Items, int Threads, class Body>
GPUFFT_DEVICE void for_own_item(unsigned long long vectors, Body&& body)
{
    constexpr int blocks = (Items + Threads - 1) / Threads;
    constexpr int together = Items < Threads ? Threads / Items : 1;
    const unsigned long long vector = blockIdx.x / blocks * (unsigned long long)together +
                                      threadIdx.x / Items * (blocks == 1);
    const int item =
        blocks == 1 ? threadIdx.x % Items : blockIdx.x % blocks * Threads + threadIdx.x;
    if (threadIdx.x < (blocks == 1 ? together * Items : Threads) && item < Items &&
        vector < vectors)
        body(vector, item);
}

// Computes  the points of every vector, for a complex transform: z[v Points + m].
// Layout    see for_own_item(); a thread makes one point.
// Launch    grid = see for_own_item(), block = Threads.
template <class Pack, int Threads>
GPUFFT_KERNEL(Threads, 1)
real_pack_kernel(transform_arguments arguments)
{
    begin_kernel();
    for_own_item<Pack::points, Threads>(
        arguments.frames, [&](unsigned long long vector, int m) {
            static_cast<complex*>(arguments.output)[vector * Pack::points + m] =
                Pack::point(arguments, vector, m);
        });
}

// Computes  the rows from the bins of every vector, Z[v Points + k].
// Layout    see for_own_item(); a thread takes one item of Split.
// Launch    grid = see for_own_item(), block = Threads.
template <class Split, int Threads>
GPUFFT_KERNEL(Threads, 1)
real_split_kernel(transform_arguments arguments)
{
    begin_kernel();
    for_own_item<Split::items, Threads>(
        arguments.frames, [&](unsigned long long vector, int item) {
            const complex* bins =
                static_cast<const complex*>(arguments.input) + vector * Split::points;
            Split::run(arguments, vector, item, [&](int k) { return bins[k]; });
        });
}

} // namespace kernels
} // namespace gpufft
} // namespace gr

#endif
