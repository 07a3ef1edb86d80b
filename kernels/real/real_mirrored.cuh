// SPDX-License-Identifier: GPL-3.0-or-later
//
// Real transforms in one block (kernels/real/real.cuh) without an exchange for pairs of
// points: a thread computes two butterflies at a time that hold each other's partners. In
// a pass with C butterflies of radix r, point j + k C is point k of butterfly j; its
// partner
//     n-1-(j + k C)  is point r-1-k of butterfly C-1-j,
//     n-(j + k C)    is point r-1-k of butterfly C-j, or for j = 0 point r-k of itself,
// and butterfly C/2, which is then its own partner, too, goes with butterfly 0.

#ifndef INCLUDED_GPUFFT_KERNELS_REAL_MIRRORED_CUH
#define INCLUDED_GPUFFT_KERNELS_REAL_MIRRORED_CUH

#include "real/real.cuh"
#include "real/row_moves.cuh"

namespace gr {
namespace gpufft {
namespace kernels {

// How a thread takes the butterflies of a pass: one by one, or in pairs, for partners n-m
// or n-1-m.
enum class mirror { none, around, between };

template <class Shape, mirror First, mirror Last>
struct mirrored_shape : Shape {
    template <int P>
    static GPUFFT_DEVICE constexpr mirror way()
    {
        return P + 1 == Shape::pass_count ? Last : P == 0 ? First : mirror::none;
    }

    template <int P>
    static GPUFFT_DEVICE constexpr int butterflies()
    {
        return Shape::n / Shape::passes::template radix<P>();
    }

    template <int P>
    static GPUFFT_DEVICE int butterfly_of(int round, int lane)
    {
        constexpr int count = butterflies<P>();
        if constexpr (way<P>() == mirror::none || count == 1) {
            return Shape::template butterfly_of<P>(round, lane);
        } else {
            static_assert(count % (2 * Shape::threads) == 0, "whole pairs");
            const int j = lane + round / 2 * Shape::threads;
            if (round % 2 == 0)
                return j;
            if constexpr (way<P>() == mirror::between)
                return count - 1 - j;
            else
                return j == 0 ? count / 2 : count - j;
        }
    }
};

// Whether pass P of a shape gives every thread whole pairs of butterflies, or has only
// one butterfly.
template <class Shape, int P>
constexpr bool has_whole_pairs =
    Shape::passes::template radix<P>() % 2 == 0 &&
    (Shape::n == Shape::passes::template radix<P>() ||
     Shape::n / Shape::passes::template radix<P>() % (2 * Shape::threads) == 0);

// How the points of the first pass and the results of the last one pair up.
template <class Shape, class Pack>
GPUFFT_DEVICE constexpr mirror mirror_of_pack()
{
    if constexpr (Pack::has_pairs && has_whole_pairs<Shape, 0>)
        return Pack::is_between ? mirror::between : mirror::around;
    return mirror::none;
}

template <class Split>
GPUFFT_DEVICE constexpr mirror mirror_of_split()
{
    if constexpr (has_pair<Split>)
        return Split::pair::is_between ? mirror::between : mirror::around;
    return mirror::none;
}

// This thread's points of the first pass, made by pairs.
template <class Shape, class Pack>
GPUFFT_DEVICE void read_by_pairs(const transform_arguments& arguments,
                                 unsigned long long vector,
                                 int lane,
                                 complex* points)
{
    constexpr int radix = Shape::passes::template radix<0>(), half = radix / 2;
    constexpr int count = Shape::template butterflies<0>();
    constexpr bool is_around = !Pack::is_between;
    const auto both = [&](auto k, const auto& place, complex& z, complex& partner) {
        Pack::template both_at<decltype(k)::value, radix>(arguments, place, z, partner);
        z = exchanged<Pack>(z);
        partner = exchanged<Pack>(partner);
    };
    const auto middle = [&] {
        return exchanged<Pack>(Pack::point(arguments, vector, Shape::n / 2));
    };
    if constexpr (count == 1) {
        const auto place = Pack::at(arguments, vector, 0);
        static_for<0, half>([&](auto k) {
            complex partner;
            both(k, place, points[k], partner);
            if (!is_around || k > 0)
                points[radix - Pack::is_between - k] = partner;
        });
        if constexpr (is_around)
            points[half] = middle();
    } else {
        static_for<0, Shape::template rounds<0>() / 2>([&](auto pair) {
            complex* const a = points + 2 * pair * radix;
            complex* const b = a + radix;
            const int j = Shape::template butterfly_of<0>(2 * pair, lane);
            const int opposite = Shape::template butterfly_of<0>(2 * pair + 1, lane);
            const bool is_own = is_around && pair == 0 && j == 0;
            const auto first = Pack::at(arguments, vector, j);
            const auto second = Pack::at(arguments, vector, opposite);
            complex of_a[half + 1], of_b[half];
            static_for<0, half>([&](auto k) {
                both(k, first, a[k], of_a[k]);
                both(k, second, b[k], of_b[k]);
            });
            if constexpr (is_around)
                of_a[half] = is_own ? middle() : complex{ 0, 0 };
            static_for<0, half>([&](auto k) {
                b[radix - 1 - k] = is_own ? of_b[k] : of_a[k];
                a[radix - 1 - k] = is_own ? of_a[k + 1] : of_b[k];
            });
        });
    }
}

// Stores by pairs the rows from this thread's results of the last pass.
template <class Shape, class Pack, class Pair>
GPUFFT_DEVICE void write_by_pairs(const transform_arguments& arguments,
                                  unsigned long long vector,
                                  int lane,
                                  const complex* results)
{
    constexpr int last = Shape::pass_count - 1;
    constexpr int radix = Shape::passes::template radix<last>(), half = radix / 2;
    constexpr int count = Shape::template butterflies<last>();
    constexpr bool is_around = !Pair::is_between;
    const auto run = [&](auto k, const auto& place, complex z, complex partner) {
        Pair::template run_at<decltype(k)::value, radix>(
            arguments, place, exchanged<Pack>(z), exchanged<Pack>(partner));
    };
    if constexpr (count == 1) {
        const auto place = Pair::at(arguments, vector, 0);
        static_for<0, half>([&](auto k) {
            const complex partner =
                results[is_around ? (radix - k) % radix : radix - 1 - k];
            run(k, place, results[k], partner);
        });
        if constexpr (is_around)
            run(constant<half>(), place, results[half], results[half]);
    } else {
        static_for<0, Shape::template rounds<last>() / 2>([&](auto pair) {
            const complex* const a = results + 2 * pair * radix;
            const complex* const b = a + radix;
            const int j = Shape::template butterfly_of<last>(2 * pair, lane);
            const int opposite = Shape::template butterfly_of<last>(2 * pair + 1, lane);
            const auto first = Pair::at(arguments, vector, j);
            const auto second = Pair::at(arguments, vector, opposite);
            const bool is_own = is_around && pair == 0 && j == 0;
            static_for<0, half>([&](auto k) {
                const complex of_a = is_own ? a[(radix - k) % radix] : b[radix - 1 - k];
                const complex of_b = is_own ? b[radix - 1 - k] : a[radix - 1 - k];
                run(k, first, a[k], of_a);
                run(k, second, b[k], of_b);
            });
            if (is_own)
                run(constant<half>(), first, a[half], a[half]);
        });
    }
}

// Puts the points of a transform, made by pairs by all its threads, into shared memory.
template <class Shape, class Pack>
GPUFFT_DEVICE void share_pairs(const transform_arguments& arguments,
                               unsigned long long vector,
                               int lane,
                               complex* shared)
{
    constexpr int items = (Shape::n + 1) / 2;
#pragma unroll
    for (int round = 0; round < (items + Shape::threads - 1) / Shape::threads; ++round)
        if (const int m = lane + round * Shape::threads;
            items % Shape::threads == 0 || m < items)
            put_both<Pack>(arguments, vector, m, shared);
}

// This thread's points of the first pass.
template <class Shape, class Pack>
GPUFFT_DEVICE void read_all_points(const transform_arguments& arguments,
                                   unsigned long long vector,
                                   int lane,
                                   complex* points)
{
    constexpr int count = Shape::template butterflies<0>();
    if constexpr (Pack::has_pairs)
        read_by_pairs<Shape, Pack>(arguments, vector, lane, points);
    else
        for_each_point<Shape, 0>(lane, [&](int i, int k, int j) {
            points[i] = exchanged<Pack>(Pack::point(arguments, vector, j + k * count));
        });
}

// Stores the rows from this thread's results of the last pass.
template <class Shape, class Pack, class Split>
GPUFFT_DEVICE void write_all_points(const transform_arguments& arguments,
                                    unsigned long long vector,
                                    int lane,
                                    const complex* results)
{
    constexpr int last = Shape::pass_count - 1;
    if constexpr (has_pair<Split>)
        write_by_pairs<Shape, Pack, typename Split::pair>(
            arguments, vector, lane, results);
    else
        for_each_point<Shape, last>(lane, [&](int i, int k, int j) {
            Split::run(arguments, vector, j + k * Shape::template span<last>(), [&](int) {
                return exchanged<Pack>(results[i]);
            });
        });
}

// Bytes of shared memory for a team: for the points of its transforms, or for its rows.
template <class Shape, class Input, class Output, int InputStride, int OutputStride>
GPUFFT_DEVICE constexpr int team_bytes()
{
    constexpr int exchanged = Shape::stride * static_cast<int>(sizeof(complex));
    constexpr int read = InputStride * static_cast<int>(sizeof(typename Input::item));
    constexpr int stored = OutputStride * static_cast<int>(sizeof(typename Output::item));
    constexpr int rows = read > stored ? read : stored;
    constexpr int most = rows > exchanged ? rows : exchanged;
    return team_of<Shape>::rows * ((most + 15) / 16 * 16);
}

// Stores the rows from the results of the last pass through shared memory: the block's
// rows as one tile if they lie without gaps, else each team's rows in its own area.
template <class Shape, class Pack, class Split, int Stride>
GPUFFT_DEVICE void store_rows(const transform_arguments& arguments,
                              unsigned long long block_first,
                              bool active,
                              unsigned char* area,
                              int lane,
                              const complex* results)
{
    typedef team_of<Shape> team;
    typedef typename Split::output output;
    typedef typename output::item item;
    constexpr bool is_tile = Stride == output::row_items;
    const int row = is_tile ? 0 : team::number() * team::rows; // the team's first row
    const unsigned long long first = block_first + row;
    item* const outside =
        static_cast<item*>(arguments.output) + first * output::row_items;
    item* rows = reinterpret_cast<item*>(area);
    if constexpr (is_tile)
        rows = beside(outside, shared_memory<item>());
    const int slot = threadIdx.x / Shape::threads - row;
    transform_arguments to = arguments;
    to.output = rows + slot * Stride;
    const auto wait = [] {
        if constexpr (is_tile)
            __syncthreads();
        else
            synchronize<Shape>();
    };
    wait();
    if (active)
        write_all_points<Shape, Pack, Split>(to, 0, lane, results);
    if constexpr (is_tile) {
        const unsigned long long left = arguments.frames - first;
        const int count =
            left < Shape::transforms ? static_cast<int>(left) : Shape::transforms;
        wait();
        store_run<Shape::transforms * output::row_items, Shape::block_threads>(
            outside, shared_memory<item>(), count * output::row_items);
    } else {
        wait();
        move_rows<team, item, output::row_items, Stride, false>(
            outside, output::row_items, rows, arguments.frames - first);
    }
}

// Computes  for every vector v of points z: rows Split(DFT(Pack(v))).
// Layout    block b takes the vectors b Transforms ... (b+1) Transforms - 1, a row each.
//           Rows are read and stored by the butterflies (strides 0) or through shared
//           memory, where they lie InputStride and OutputStride items apart; rows that
//           lie there without gaps are stored by all threads of the block.
// Launch    grid = ceil(vectors / Transforms), block = Threads * Transforms, shared =
//           team_bytes() for each team, and 16 bytes.
// Requires  input and output do not overlap, or rows are stored where they are read.
template <class Plain, class Pack, class Split, int InputStride, int OutputStride>
GPUFFT_KERNEL(Plain::block_threads, Plain::blocks)
real_mirrored_kernel(transform_arguments arguments)
{
    begin_kernel();
    typedef mirrored_shape<Plain, mirror_of_pack<Plain, Pack>(), mirror_of_split<Split>()>
        Shape;
    typedef team_of<Shape> team;
    typedef typename Pack::input input;
    typedef typename Split::output output;
    typedef typename input::item input_item;
    const int lane = threadIdx.x % Shape::threads;
    const int slot = team::lane() / Shape::threads; // slot in the team
    const unsigned long long block_first =
        blockIdx.x * (unsigned long long)Shape::transforms;
    const unsigned long long first = block_first + team::number() * team::rows;
    const long long left = Shape::transforms == 1 ? 1 : arguments.frames - first;
    const bool active = slot < left;
    // Idle threads read an existing row: no branch delays the loads.
    const unsigned long long own = first + (active ? slot : left - 1);
    unsigned char* const area =
        shared_memory<unsigned char>() +
        team::number() * team_bytes<Shape, input, output, InputStride, OutputStride>();
    complex* const shared = reinterpret_cast<complex*>(area) + slot * Shape::stride;
    complex points[Shape::points()] = {};
    complex results[Shape::results()];

    transform_arguments from = arguments;
    unsigned long long vector = own;
    if constexpr (InputStride > 0) {
        move_rows<team, input_item, input::row_items, InputStride, true>(
            static_cast<input_item*>(const_cast<void*>(arguments.input)) +
                first * arguments.hop,
            arguments.hop,
            reinterpret_cast<input_item*>(area),
            left);
        synchronize<Shape>();
        from.input = area;
        from.hop = InputStride;
        vector = slot;
    }
    constexpr bool shares_points = Pack::has_pairs && !has_whole_pairs<Plain, 0>;
    if constexpr (shares_points) {
        share_pairs<Shape, Pack>(from, vector, lane, shared);
        synchronize<Shape>();
        for_each_point<Shape, 0>(lane, [&](int i, int k, int j) {
            points[i] = shared[j + k * Shape::template butterflies<0>()];
        });
    } else {
        read_all_points<Shape, Pack>(from, vector, lane, points);
    }
    transform<Shape>(points,
                     shared,
                     arguments.twiddles,
                     lane,
                     InputStride > 0 || shares_points,
                     [&](int i, int, int, complex value) { results[i] = value; });

    if constexpr (OutputStride > 0)
        store_rows<Shape, Pack, Split, OutputStride>(
            arguments, block_first, active, area, lane, results);
    else if (active)
        write_all_points<Shape, Pack, Split>(arguments, own, lane, results);
}

} // namespace kernels
} // namespace gpufft
} // namespace gr

#endif
