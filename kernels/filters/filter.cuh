// SPDX-License-Identifier: GPL-3.0-or-later
//
// Long FIR filters by overlap-save (Stockham, "High-speed convolution and correlation",
// AFIPS 1966): a part of M samples of the stream is convolved cyclically with the taps;
// the outputs are the values without wrap-around. The filter lies at the times -(taps -
// 1) ... 0, so that output j of a part is at time j hop. Folding the spectrum
// (convolution.cuh) decimates by the factor of the hop that divides the last axis; from
// the shorter inverse, outputs are picked.

#ifndef INCLUDED_GPUFFT_KERNELS_FILTER_CUH
#define INCLUDED_GPUFFT_KERNELS_FILTER_CUH

#include "convolution/bluestein_levels.cuh"
#include "load.cuh"
#include "store.cuh"

namespace gr {
namespace gpufft {
namespace kernels {

// The samples of part `part`, which begins `Step` samples after the previous part. The
// stream has (outputs - 1) hop + Taps samples, then zeros. Samples that no output of the
// part needs are read as zeros, too, because they may not have arrived yet, and would
// change the rounding.
template <int Taps, int Step>
struct stream_part {
    static GPUFFT_DEVICE unsigned long long left(const transform_arguments& arguments,
                                                 unsigned long long part)
    {
        const unsigned long long samples = (arguments.average - 1) * arguments.hop + Taps;
        const unsigned long long needed = Step - arguments.hop + Taps;
        const unsigned long long there =
            samples > part * Step ? samples - part * Step : 0;
        return there < needed ? there : needed;
    }
};

// A complex part.
template <int Taps, int Step>
struct filter_load {
    template <int M>
    static GPUFFT_DEVICE complex get(const transform_arguments& arguments,
                                     unsigned long long part,
                                     int m,
                                     int offset = 0)
    {
        m += offset;
        if (static_cast<unsigned>(m) >= stream_part<Taps, Step>::left(arguments, part))
            return { 0, 0 };
        return static_cast<const complex*>(arguments.input)[part * Step + m];
    }
};

// Two consecutive real parts as real and imaginary parts, which real taps keep separate.
template <int Taps, int Step>
struct filter_load_real {
    template <int M>
    static GPUFFT_DEVICE complex get(const transform_arguments& arguments,
                                     unsigned long long pair,
                                     int m)
    {
        typedef stream_part<Taps, Step> parts;
        const real* x = static_cast<const real*>(arguments.input) + 2 * pair * Step + m;
        const unsigned at = static_cast<unsigned>(m);
        return { at < parts::left(arguments, 2 * pair) ? x[0] : 0,
                 at < parts::left(arguments, 2 * pair + 1) ? x[Step] : 0 };
    }
};

// The same from samples of other formats. (The steps for the working precision stay as
// they are: with these the compiler orders the kernel otherwise.)
template <int Taps, int Step, class Format>
struct filter_load_as {
    template <int M>
    static GPUFFT_DEVICE complex get(const transform_arguments& arguments,
                                     unsigned long long part,
                                     int m,
                                     int offset = 0)
    {
        m += offset;
        if (static_cast<unsigned>(m) >= stream_part<Taps, Step>::left(arguments, part))
            return { 0, 0 };
        return Format::convert(
            static_cast<const typename Format::item*>(arguments.input)[part * Step + m]);
    }
};

template <int Taps, int Step, class Number>
struct filter_load_real_as {
    template <int M>
    static GPUFFT_DEVICE complex get(const transform_arguments& arguments,
                                     unsigned long long pair,
                                     int m)
    {
        typedef stream_part<Taps, Step> parts;
        const auto* x = static_cast<const typename Number::item*>(arguments.input) +
                        2 * pair * Step + m;
        const unsigned at = static_cast<unsigned>(m);
        return { at < parts::left(arguments, 2 * pair) ? Number::value(x[0]) : 0,
                 at < parts::left(arguments, 2 * pair + 1) ? Number::value(x[Step]) : 0 };
    }
};

template <int Taps, int Step, int Bits>
struct filter_load_real_as<Taps, Step, number_packed<Bits>> {
    template <int M>
    static GPUFFT_DEVICE complex get(const transform_arguments& arguments,
                                     unsigned long long pair,
                                     int m)
    {
        typedef stream_part<Taps, Step> parts;
        const unsigned at = static_cast<unsigned>(m);
        const unsigned long long first = 2 * pair * Step + at;
        return { at < parts::left(arguments, 2 * pair) ? sample(arguments, first) : 0,
                 at < parts::left(arguments, 2 * pair + 1)
                     ? sample(arguments, first + Step)
                     : 0 };
    }

private:
    static GPUFFT_DEVICE real sample(const transform_arguments& arguments,
                                     unsigned long long i)
    {
        const auto* bytes = static_cast<const unsigned char*>(arguments.input);
        const int shift = static_cast<int>(i * Bits % 8);
        return packed_value<Bits>(packed_bits<1>(bytes + i * Bits / 8, shift), 0);
    }
};

// Stores output j = k / Step of a part of `Outputs`; there are `average` in total.
template <int Outputs, int Step>
struct filter_store {
    template <int M>
    static GPUFFT_DEVICE void put(const transform_arguments& arguments,
                                  unsigned long long part,
                                  int k,
                                  complex value)
    {
        const unsigned long long j = part * Outputs + k / Step;
        if (k % Step == 0 && k / Step < Outputs && j < arguments.average)
            static_cast<complex*>(arguments.output)[j] =
                exchange_parts(value) * scale_of(arguments);
    }
};

template <int Outputs, int Step>
struct filter_store_real {
    template <int M>
    static GPUFFT_DEVICE void put(const transform_arguments& arguments,
                                  unsigned long long pair,
                                  int k,
                                  complex value)
    {
        real* y = static_cast<real*>(arguments.output);
        const unsigned long long j = 2 * pair * Outputs + k / Step;
        if (k % Step != 0 || k / Step >= Outputs)
            return;
        const complex both = exchange_parts(value) * scale_of(arguments);
        if (j < arguments.average)
            y[j] = both.re;
        if (j + Outputs < arguments.average)
            y[j + Outputs] = both.im;
    }
};

// The same in other formats.
template <int Outputs, int Step, class Kind>
struct filter_store_as {
    template <int M>
    static GPUFFT_DEVICE void put(const transform_arguments& arguments,
                                  unsigned long long part,
                                  int k,
                                  complex value)
    {
        const unsigned long long j = part * Outputs + k / Step;
        if (k % Step == 0 && k / Step < Outputs && j < arguments.average)
            static_cast<typename Kind::item*>(arguments.output)[j] =
                stored_value<Kind>(arguments, exchange_parts(value), scale_of(arguments));
    }
};

template <int Outputs, int Step, class Number>
struct filter_store_real_as {
    template <int M>
    static GPUFFT_DEVICE void put(const transform_arguments& arguments,
                                  unsigned long long pair,
                                  int k,
                                  complex value)
    {
        auto* y = static_cast<typename Number::item*>(arguments.output);
        const unsigned long long j = 2 * pair * Outputs + k / Step;
        if (k % Step != 0 || k / Step >= Outputs)
            return;
        const complex both = exchange_parts(value) * scale_of(arguments);
        if (j < arguments.average)
            y[j] = stored_number<Number>(arguments, both.re);
        if (j + Outputs < arguments.average)
            y[j + Outputs] = stored_number<Number>(arguments, both.im);
    }
};

// Computes  Store(every D-th value of the cyclic convolution of Load with the taps) for
//           parts of M samples, D = Shape::length / Inverse::length.
// Layout    block b takes the parts b Frames ... (b + 1) Frames - 1. spectrum: of the
//           taps, in the order of multiply_spectrum().
// Launch    grid = ceil(parts / Frames), block = Workers * Frames, shared = Stride *
//           Frames complex. `average` is the number of outputs, `hop` the decimation.
// Requires  Shape::length = M, Shape::work = 0, two axes or more, axis 0 twiddled, input
//           and output do not overlap.
template <class Shape, class Inverse, class Load, class Store>
GPUFFT_KERNEL(Shape::block_threads, Shape::blocks)
filter_kernel(transform_arguments arguments)
{
    begin_kernel();
    constexpr int radix = Shape::template radix<0>(), length = Shape::length;
    const int worker = threadIdx.x / Shape::frames;
    const int slot = threadIdx.x % Shape::frames;
    const unsigned long long part = blockIdx.x * (unsigned long long)Shape::frames + slot;
    complex* const work = shared_memory<complex>() + slot * Shape::stride;
    for_each_butterfly<Shape, 0>(worker, [&](int b) {
        complex points[radix];
        for_each_own_sample<Shape, length>(b, [&](int k, int m) {
            points[k] = Load::template get<length>(arguments, part, m);
        });
        forward_axis<Shape, 0>(points, work, arguments.twiddles, b);
    });
    convolve_inner_axes<Shape, 1, Inverse>(
        work, arguments.twiddles, arguments.spectrum, worker, nothing());
    const complex* const twiddles = inverse_twiddles<Shape, Inverse>(arguments.twiddles);
    for_each_butterfly<Inverse, 0>(worker, [&](int b) {
        complex points[radix];
        inverse_axis<Inverse, 0>(points, work, twiddles, b);
        for_each_own_sample<Inverse, Inverse::length>(b, [&](int k, int m) {
            Store::template put<Inverse::length>(arguments, part, m, points[k]);
        });
    });
}

} // namespace kernels
} // namespace gpufft
} // namespace gr

#endif
