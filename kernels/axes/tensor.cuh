// SPDX-License-Identifier: GPL-3.0-or-later
//
// Transforms of several axes without transpositions (Gu, Li, Siegel, ICS'10). A step
// takes tiles of some axes through all their passes while it reads and writes memory
// once. Two steps may share an axis: with N = R M, m = M a + b, k = c + R d
//     X[c + R d] = sum_b exp(-2 pi j b d / M) (exp(-2 pi j b c / N) sum_a x[M a + b]
//                  exp(-2 pi j a c / R))
// the first step computes the inner sums and the factor, the second, with other axes, the
// outer sums. Between them point (c, b) lies at c M + b of the axis, so a step works in
// place; the last step puts all axes in order.

#ifndef INCLUDED_GPUFFT_KERNELS_TENSOR_CUH
#define INCLUDED_GPUFFT_KERNELS_TENSOR_CUH

#include "axes/tensor_shape.cuh"
#include "levels/hierarchical.cuh"

namespace gr {
namespace gpufft {
namespace kernels {

// A digit of a number: its Length values are Stride points of a frame apart.
template <int Length, int Stride>
struct digit {
    static constexpr int length = Length;
    static constexpr int stride = Stride;
};

// Positions of a tile's elements, or of a frame's tiles, from the digits of their number,
// slowest first.
template <class... Digits>
struct layout {
    static constexpr int size = 1;
    template <bool IsWhole = true>
    static GPUFFT_DEVICE constexpr int at(unsigned)
    {
        return 0;
    }
};

template <class First, class... Rest>
struct layout<First, Rest...> {
    static constexpr int size = First::length * layout<Rest...>::size;

    // IsWhole: the number has only these digits; else it may have higher digits.
    template <bool IsWhole = true>
    static GPUFFT_DEVICE constexpr int at(unsigned number)
    {
        constexpr int inner = layout<Rest...>::size;
        constexpr int length = IsWhole ? 0 : First::length;
        return digit_of<inner, length>(number) * First::stride +
               layout<Rest...>::template at<false>(number);
    }
};

// For a step that ends at the boundary of an axis and multiplies by no roots.
struct no_roots {
    template <int Step, int Count>
    class sequence
    {
    public:
        GPUFFT_DEVICE explicit sequence(int) {}
        GPUFFT_DEVICE complex next(int, int, complex value) { return value; }
    };
};

// exp(-2 pi j b c / (R M)) for the point at position p of the frame: b = floor(p /
// Stride) mod M, the same in the whole tile, c = floor(p / (M Stride)) mod R.
template <int R, int M, int Stride>
struct roots_between {
    // The roots for Count outputs that lie Step points apart.
    template <int Step, int Count>
    class sequence
    {
        static constexpr int step = Step / (M * Stride) % R; // step in c
        root_sequence<R * M, Count> d_roots;
        complex d_root;
        const int d_b;

    public:
        GPUFFT_DEVICE explicit sequence(int tile_at)
            : d_b(static_cast<unsigned>(tile_at) / Stride % M)
        {
            if constexpr (step > 0)
                d_roots.set_step(step * d_b);
        }

        // The value at position p, output k of its butterfly.
        GPUFFT_DEVICE complex next(int p, int k, complex value)
        {
            const int first = static_cast<unsigned>(p) / (M * Stride) % R * d_b;
            if constexpr (step > 0) {
                if (k == 0)
                    d_roots.set_first(first);
                return value * d_roots.next(k);
            } else {
                if (k == 0)
                    d_root = root_of_unity<R * M>(first);
                return value * d_root;
            }
        }
    };
};

// Position p of a frame, rotated along these axes by half their length: where ifftshift
// reads, and where fftshift stores. IsWhole: these are all axes, else the last ones.
template <bool IsWhole, int First, int... Rest>
GPUFFT_DEVICE int shifted_position(int p)
{
    constexpr int inner = (1 * ... * Rest);
    constexpr int length = IsWhole ? 0 : First;
    const int m = shifted_at<First, true>(digit_of<inner, length>(p));
    if constexpr (sizeof...(Rest) > 0)
        return m * inner + shifted_position<false, Rest...>(p);
    else
        return m;
}

// An unshifted load or store step, shifted along every axis.
template <class Load, int... Lengths>
struct load_shifted {
    static constexpr bool has_factors = true; // with or without a window

    template <int N>
    static GPUFFT_DEVICE complex get(const transform_arguments& arguments,
                                     unsigned long long frame,
                                     int m,
                                     int offset = 0)
    {
        return Load::template get<N>(
            arguments, frame, shifted_position<true, Lengths...>(m + offset));
    }
};

template <class Store, int... Lengths>
struct store_shifted {
    static constexpr bool rows_are_neighbours = false;

    template <int N>
    static GPUFFT_DEVICE void put(const transform_arguments& arguments,
                                  unsigned long long frame,
                                  int k,
                                  complex value,
                                  int offset = 0)
    {
        Store::template put<N>(
            arguments, frame, shifted_position<true, Lengths...>(k + offset), value);
    }
};

// Frames of N points in tiles. In and InTiles are the positions of a tile's elements and
// of the tiles in reading, Out and OutTiles in writing.
template <int N_,
          class Load,
          class Store,
          class In,
          class InTiles,
          class Out,
          class OutTiles,
          class Roots>
struct tensor_step {
    typedef Load load;
    typedef Store store;
    typedef In in;
    typedef InTiles in_tiles;
    typedef Out out;
    typedef OutTiles out_tiles;
    typedef Roots roots;
    static constexpr int n = N_;
    static constexpr int tiles = InTiles::size; // tiles of a frame
    static_assert(In::size * InTiles::size == n && Out::size * OutTiles::size == n,
                  "the tiles make up a frame");
};

// Computes  one step for all frames: see tensor_step, and the top of this file.
// Layout    block b takes tile b mod tiles of frame floor(b / tiles); with Transforms > 1
//           a tile is a frame, and block b takes the frames b Transforms ...
//           (b+1) Transforms - 1.
// Launch    grid = the tiles of all frames / Transforms, rounded up, block = Threads *
//           Transforms, shared = stockham_shape::shared_bytes().
// Requires  input and output do not overlap, or are the same scratch in the same order.
template <class Shape, class Step>
GPUFFT_KERNEL(Shape::block_threads, Shape::blocks)
tensor_kernel(transform_arguments arguments)
{
    begin_kernel();
    static_assert(Shape::transforms == 1 || Step::tiles == 1, "tiles of one frame");
    constexpr int last = Shape::pass_count - 1;
    constexpr int last_radix = Shape::passes::template radix<last>();
    constexpr int out_step = Step::out::at(Shape::template span<last>());
    const int lane = threadIdx.x % Shape::threads;
    const int slot = threadIdx.x / Shape::threads;
    const unsigned long long frame =
        Shape::transforms > 1 ? blockIdx.x * (unsigned long long)Shape::transforms + slot
                              : blockIdx.x / Step::tiles;
    const int tile = Step::tiles > 1 ? blockIdx.x % Step::tiles : 0;
    const bool active = Shape::transforms == 1 || frame < arguments.frames;
    const int from = Step::in_tiles::at(tile), to = Step::out_tiles::at(tile);

    complex points[Shape::points()] = {};
    if (active)
        for_each_point<Shape, 0>(lane, [&](int i, int k, int j) {
            points[i] = Step::load::template get<Step::n>(
                arguments,
                frame,
                from + Step::in::at(Shape::template first_input<0>(j)),
                Step::in::at(k * Shape::template count<0>()));
        });
    typename Step::roots::template sequence<out_step, last_radix> roots(to);
    transform<Shape>(points,
                     shared_memory<complex>() + slot * Shape::stride,
                     arguments.twiddles,
                     lane,
                     false,
                     [&](int, int k, int j, complex value) {
                         const int at =
                             to + Step::out::at(Shape::template first_output<last>(j));
                         value = roots.next(at, k, value);
                         if (active)
                             Step::store::template put<Step::n>(
                                 arguments,
                                 frame,
                                 at,
                                 value,
                                 Step::out::at(k * Shape::template span<last>()));
                     });
}

} // namespace kernels
} // namespace gpufft
} // namespace gr

#endif
