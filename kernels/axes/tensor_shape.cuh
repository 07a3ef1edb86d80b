// SPDX-License-Identifier: GPL-3.0-or-later
//
// One instance of the tensor kernel as a type. A tile is an array of several axes,
// slowest first; each pass is along one axis, and passes along different axes may have
// any order (Gu, Li, Siegel, "An Empirically Tuned 2D and 3D FFT Library on CUDA GPU",
// ICS'10). Neighbours on an axis of n points lie `inner` points apart, the product of the
// later axes; span S is the product of the earlier radices along this axis:
//     input k of butterfly j   element floor(j / c) n inner + j mod c + k c,
//                              c = (n / r) inner
//     output k of butterfly j  element floor(j / s) s r + j mod s + k s, s = S inner

#ifndef INCLUDED_GPUFFT_KERNELS_TENSOR_SHAPE_CUH
#define INCLUDED_GPUFFT_KERNELS_TENSOR_SHAPE_CUH

#include "stockham/stockham_shape.cuh"

namespace gr {
namespace gpufft {
namespace kernels {

// One pass along an axis, and the padding of the exchange after it. Radix 1 only moves
// points: a first pass reads them, a last pass writes them in the order of memory.
template <int Radix,
          int Length,
          int Inner,
          int Span,
          int TwiddlesAt,
          int PadEvery = 0,
          int PadBy = 0>
struct axis_pass {
    static constexpr int radix = Radix;
    static constexpr int length = Length;
    static constexpr int inner = Inner;
    static constexpr int span = Span;
    static constexpr int twiddles_at = TwiddlesAt; // place in the table
    typedef padding<PadEvery, PadBy> pad;
};

// Threads share a tile, Transforms tiles share a block; Stride is the distance of their
// exchange areas in shared memory.
template <int Elements,
          int Threads,
          int Transforms,
          int Blocks,
          int Stride,
          class... Passes>
struct tensor_shape : pass_counts<Elements, Threads, Passes...> {
    typedef pass_counts<Elements, Threads, Passes...> counts;
    typedef typename counts::passes passes;
    using counts::elements;
    static constexpr int n = Elements;
    static constexpr int columns = 1; // columns are an axis without passes
    static constexpr int transforms = Transforms;
    static constexpr int blocks = Blocks;
    static constexpr int stride = Stride;
    static constexpr int block_threads = Threads * Transforms;

    template <int P>
    using pass_at = decltype(passes::template at<P>());

    // Elements from one output of a butterfly of pass P to the next.
    template <int P>
    static GPUFFT_DEVICE constexpr int span()
    {
        return pass_at<P>::span * pass_at<P>::inner;
    }

    // Elements from one input to the next.
    template <int P>
    static GPUFFT_DEVICE constexpr int count()
    {
        return pass_at<P>::length / pass_at<P>::radix * pass_at<P>::inner;
    }

    // Input 0 of butterfly j of pass P.
    template <int P>
    static GPUFFT_DEVICE int first_input(int j)
    {
        constexpr int length = pass_at<P>::length * pass_at<P>::inner;
        if constexpr (length == elements)
            return j;
        else
            return j / count<P>() * length + j % count<P>();
    }

    // Output 0 of butterfly j of pass P.
    template <int P>
    static GPUFFT_DEVICE int first_output(int j)
    {
        return j / span<P>() * (span<P>() * pass_at<P>::radix) + j % span<P>();
    }

    // Position of output k of butterfly j of pass P in shared memory for the next pass.
    template <int P>
    static GPUFFT_DEVICE int exchanged_at(int j, int k)
    {
        typedef typename pass_at<P>::pad pad;
        return pad::template of_output<span<P>(), span<P>() * pass_at<P>::radix>(j, k);
    }

    // Position of input k of butterfly j of pass P > 0 in shared memory.
    template <int P>
    static GPUFFT_DEVICE int taken_at(int j, int k)
    {
        typedef typename pass_at<P - 1>::pad pad;
        constexpr int length = pass_at<P>::length * pass_at<P>::inner;
        if constexpr (length == elements)
            return pad::template of_input<count<P>()>(j, k);
        else
            return pad::template of_row<count<P>(), length>(
                j / count<P>(), j % count<P>(), k);
    }

    // Twiddles of pass P: see stockham_shape.cuh.
    template <int P>
    static GPUFFT_DEVICE constexpr bool is_twiddled()
    {
        return pass_at<P>::span > 1 && pass_at<P>::radix > 1;
    }
    template <int P>
    static GPUFFT_DEVICE constexpr int twiddle_span()
    {
        return pass_at<P>::span;
    }
    template <int P>
    static GPUFFT_DEVICE constexpr int twiddles_at()
    {
        return pass_at<P>::twiddles_at;
    }
};

} // namespace kernels
} // namespace gpufft
} // namespace gr

#endif
