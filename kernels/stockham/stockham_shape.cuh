// SPDX-License-Identifier: GPL-3.0-or-later
//
// One instance of the Stockham kernel as a type: sizes and passes as compile-time
// constants, and the points that a thread holds in each pass.

#ifndef INCLUDED_GPUFFT_KERNELS_STOCKHAM_SHAPE_CUH
#define INCLUDED_GPUFFT_KERNELS_STOCKHAM_SHAPE_CUH

#include "shared_exchange.cuh"

namespace gr {
namespace gpufft {
namespace kernels {

// One pass of a plan: its radix, and the padding of the exchange after it.
template <int Radix, int PadEvery = 0, int PadBy = 0>
struct pass {
    static constexpr int radix = Radix;
    typedef padding<PadEvery, PadBy> pad;
};

// The list of passes as compile-time constants.
template <class... Passes>
struct pass_list;

template <class First, class... Rest>
struct pass_list<First, Rest...> {
    static constexpr int count = 1 + sizeof...(Rest);
    template <int P>
    static GPUFFT_DEVICE constexpr int radix()
    {
        if constexpr (P == 0)
            return First::radix;
        else
            return pass_list<Rest...>::template radix<P - 1>();
    }
    template <int P>
    static GPUFFT_DEVICE auto at()
    {
        if constexpr (P == 0)
            return First();
        else
            return pass_list<Rest...>::template at<P - 1>();
    }
    template <int P>
    static GPUFFT_DEVICE auto pad()
    {
        return typename decltype(at<P>())::pad();
    }
};

// Values that follow from the passes and from the number of points that threads share.
template <int Elements, int Threads, class... Passes>
struct pass_counts {
    typedef pass_list<Passes...> passes;
    static constexpr int elements = Elements; // that the threads share
    static constexpr int threads = Threads;
    static constexpr int pass_count = passes::count;

    // The most butterflies of pass P that one thread computes.
    template <int P>
    static GPUFFT_DEVICE constexpr int rounds()
    {
        return (elements / passes::template radix<P>() + threads - 1) / threads;
    }

    // Points that a thread holds at once in pass P. The last pass goes butterfly by
    // butterfly.
    template <int P>
    static GPUFFT_DEVICE constexpr int points_of_pass()
    {
        return passes::template radix<P>() *
               (P > 0 && P + 1 == pass_count ? 1 : rounds<P>());
    }

    // The most points that a thread holds in any pass from P on.
    template <int P = 0>
    static GPUFFT_DEVICE constexpr int points()
    {
        constexpr int here = points_of_pass<P>();
        if constexpr (P + 1 < pass_count) {
            constexpr int later = points<P + 1>();
            return here > later ? here : later;
        }
        return here;
    }

    // The butterfly of pass P that thread `lane` computes in this round; one past the
    // last if there is none.
    template <int P>
    static GPUFFT_DEVICE int butterfly_of(int round, int lane)
    {
        return lane + round * threads;
    }

    // Results that a thread has after the last pass.
    static GPUFFT_DEVICE constexpr int results()
    {
        return rounds<pass_count - 1>() * passes::template radix<pass_count - 1>();
    }
};

// One instance of the kernel. Threads share a transform, Transforms share a block; Stride
// is the distance of their exchange areas in shared memory. LoadEnd and StoreEnd say
// whether the vectors are read and written by the butterflies themselves (direct) or
// staged through shared memory (staged<Every, By>), which keeps global accesses linear
// where a transform has few threads.
//
// Columns > 1: the threads share a tile of `Columns` transforms, element m of column c at
// m Columns + c. That is one Stockham transform whose first span is Columns instead of 1.
// LoadEnd by_rows: in the first pass the lanes go along the columns, for tiles whose
// columns are contiguous in global memory.
template <int N_,
          int Columns,
          int Threads,
          int Transforms,
          int Blocks,
          int Stride,
          class LoadEnd,
          class StoreEnd,
          class... Passes>
struct shape : pass_counts<N_ * Columns, Threads, Passes...> {
    typedef pass_counts<N_ * Columns, Threads, Passes...> counts;
    typedef typename counts::passes passes;
    typedef LoadEnd load_end;
    typedef StoreEnd store_end;
    using counts::elements;
    static constexpr int n = N_;
    static constexpr int columns = Columns;
    static constexpr int transforms = Transforms;
    static constexpr int blocks = Blocks;
    static constexpr int stride = Stride;
    static constexpr int block_threads = Threads * Transforms;

    // Columns times the product of the radices before pass P.
    template <int P>
    static GPUFFT_DEVICE constexpr int span()
    {
        if constexpr (P == 0)
            return columns;
        else
            return span<P - 1>() * passes::template radix<P - 1>();
    }

    // Elements from one input of a butterfly of pass P to the next.
    template <int P>
    static GPUFFT_DEVICE constexpr int count()
    {
        return elements / passes::template radix<P>();
    }

    // Input 0 of butterfly j of pass P; output 0 of one of the last pass.
    template <int P>
    static GPUFFT_DEVICE int first_input(int j)
    {
        return j;
    }
    template <int P>
    static GPUFFT_DEVICE int first_output(int j)
    {
        static_assert(P + 1 == counts::pass_count, "butterflies of other passes mix");
        return j;
    }

    // Position of output k of butterfly j of pass P in shared memory for the next pass.
    template <int P>
    static GPUFFT_DEVICE int exchanged_at(int j, int k)
    {
        typedef decltype(passes::template pad<P>()) pad;
        constexpr int first_span = span<P>(), radix = passes::template radix<P>();
        if constexpr (P == 0 && load_end::is_by_rows) {
            constexpr int count = n / radix; // butterflies of a column
            return pad::template of_row<columns, columns * radix>(
                j % count, j / count, k);
        } else {
            return pad::template of_output<first_span, first_span * radix>(j, k);
        }
    }

    // Position of input k of butterfly j of pass P > 0 in shared memory.
    template <int P>
    static GPUFFT_DEVICE int taken_at(int j, int k)
    {
        typedef decltype(passes::template pad<P - 1>()) pad;
        return pad::template of_input<count<P>()>(j, k);
    }

    // The twiddles of pass P, from this place of the table on: for each input k > 0 one
    // for each point of a column in the span.
    template <int P>
    static GPUFFT_DEVICE constexpr bool is_twiddled()
    {
        return P > 0;
    }
    template <int P>
    static GPUFFT_DEVICE constexpr int twiddle_span()
    {
        return span<P>() / columns;
    }
    template <int P>
    static GPUFFT_DEVICE constexpr int twiddles_at()
    {
        return twiddle_span<P>() - passes::template radix<0>();
    }
};

// Calls body(i, k, j) for every point of one round of pass P that this thread (`lane` of
// its transform) holds: input or output k of butterfly j, the i-th point of the thread.
template <class Shape, int P, class Body>
GPUFFT_DEVICE void for_each_point_of_round(int round, int lane, Body&& body)
{
    constexpr int radix = Shape::passes::template radix<P>();
    constexpr int butterflies = Shape::elements / radix;
    const int j = Shape::template butterfly_of<P>(round, lane);
    if (butterflies % Shape::threads == 0 || j < butterflies) {
#pragma unroll
        for (int k = 0; k < radix; ++k)
            body(round * radix + k, k, j);
    }
}

template <class Shape, int P, class Body>
GPUFFT_DEVICE void for_each_point(int lane, Body&& body)
{
#pragma unroll
    for (int round = 0; round < Shape::template rounds<P>(); ++round)
        for_each_point_of_round<Shape, P>(round, lane, body);
}

} // namespace kernels
} // namespace gpufft
} // namespace gr

#endif
