// SPDX-License-Identifier: GPL-3.0-or-later
//
// Several filters of one stream by overlap-save, decimated in the frequency domain: the
// spectrum of a part of N samples is multiplied by every channel's response and folded
// into M bins, whose inverse transform is every (N / M)-th output (Crochiere and Rabiner,
// "Multirate Digital Signal Processing", section 7.2.6). The filters lie at the times
// -(taps - 1) ... 0, as in kernels/filters/filter.cuh, whose load steps read the parts.
//
// Of real samples two consecutive parts are the real and imaginary parts of one, whose
// spectrum Z gives both: (Z[k] + Z*[N-k]) / 2 and -j (Z[k] - Z*[N-k]) / 2.
//
// Between the steps a part's spectrum has its bins in order, and the folded spectra lie
// side by side: bin m of channel c at m Width + c.

#ifndef INCLUDED_GPUFFT_KERNELS_CHANNELS_CUH
#define INCLUDED_GPUFFT_KERNELS_CHANNELS_CUH

#include "filters/filter.cuh"
#include "levels/columns.cuh"

namespace gr {
namespace gpufft {
namespace kernels {

// The sizes of a bank, and its window. `Together` channels make a group; zeros fill up
// the last group. The window holds the responses, [group][zone][Together][M], divided by
// N; then a 64-bit step and phase of every channel; then for every group the number of
// its zones that matter and a list of Zones zone numbers.
template <int M_, int Zones, int Channels, int Together>
struct bank {
    static constexpr int points = M_, zones = Zones, channels = Channels;
    static constexpr long long length = static_cast<long long>(M_) * Zones;
    static constexpr int together = Together;
    static constexpr int groups = (Channels + Together - 1) / Together;
    static constexpr int width = groups * Together;
    static constexpr unsigned long long turns_at = width * length; // complex numbers
    static constexpr unsigned long long zones_at =
        turns_at + 16 / sizeof(complex) * Channels;
};

// One bin of all channels of a group, moved at once.
template <int Together>
struct alignas((Together % 2 == 0 ? 2 : 1) * sizeof(complex)) group_bins {
    complex channel[Together];
};

// Adds a product by four fused multiplications and additions.
GPUFFT_DEVICE void add_product(complex& sum, complex a, complex b)
{
    sum.re = sum.re + a.re * b.re - a.im * b.im;
    sum.im = sum.im + a.re * b.im + a.im * b.re;
}

// Reads bin k of the parts whose spectra are computed together.
template <class Bank>
struct part_spectra {
    static constexpr int together = 1;
    static GPUFFT_DEVICE void read(const complex* spectrum, long long k, complex (&x)[1])
    {
        x[0] = spectrum[k];
    }
};

// Two real parts have one spectrum.
template <class Bank>
struct pair_spectra {
    static constexpr int together = 2;
    static GPUFFT_DEVICE void read(const complex* spectrum, long long k, complex (&x)[2])
    {
        const complex a = spectrum[k] * real(0.5);
        const complex b = spectrum[k == 0 ? 0 : Bank::length - k] * real(0.5);
        x[0] = { a.re + b.re, a.im - b.im };
        x[1] = { a.im + b.im, b.re - a.re };
    }
};

// sums[p][c] += sum_z X[p][z M + m] H_c[z M + m] over the zones of a list, for the first
// `parts` parts. `All`: these are all Parts parts.
template <class Bank, class Spectra, bool All, int Parts>
GPUFFT_DEVICE void fold_zones(const complex* spectra,
                              int m,
                              const complex* responses,
                              const int* list,
                              int parts,
                              group_bins<Bank::together> (&sums)[Parts])
{
    constexpr int step = Spectra::together;
    static_assert(Parts % step == 0, "whole spectra");
    const int count = load_constant(list);
    for (int z = 0; z < count; ++z) {
        const int at = load_constant(list + 1 + z) * Bank::points;
        complex response[Bank::together];
#pragma unroll
        for (int c = 0; c < Bank::together; ++c)
            response[c] =
                load_constant(responses + at * Bank::together + c * Bank::points);
#pragma unroll
        for (int p = 0; p < Parts; p += step) {
            if (!All && p >= parts)
                break;
            complex x[step];
            Spectra::read(spectra + p / step * Bank::length, at + m, x);
#pragma unroll
            for (int c = 0; c < Bank::together; ++c)
#pragma unroll
                for (int i = 0; i < step; ++i)
                    add_product(sums[p + i].channel[c], x[i], response[c]);
        }
    }
}

// A load step of pairs of parts, for the kernels of transforms.
template <class Load>
struct load_at_offset {
    template <int M>
    static GPUFFT_DEVICE complex get(const transform_arguments& arguments,
                                     unsigned long long pair,
                                     int m,
                                     int offset = 0)
    {
        return Load::template get<M>(arguments, pair, m + offset);
    }
};

// Computes  Y[p][m][c] = sum_z X[p][z M + m] H_c[z M + m] over the zones that matter.
// Layout    frame i is bin m = i mod M of group i / M mod groups of Parts parts.
// Launch    one thread per frame. `average` is the number of rows; a part has Outputs.
template <class Bank, class Spectra, int Outputs, int Parts, int Threads>
GPUFFT_KERNEL(Threads, 0)
channels_fold_kernel(transform_arguments arguments)
{
    begin_kernel();
    typedef group_bins<Bank::together> bins;
    const unsigned long long i = blockIdx.x * (unsigned long long)Threads + threadIdx.x;
    if (i >= arguments.frames)
        return;
    const int m = i % Bank::points;
    const int group = i / Bank::points % Bank::groups;
    const unsigned long long first = i / Bank::points / Bank::groups * Parts;
    const unsigned long long left =
        (arguments.average + Outputs - 1) / Outputs - first; // parts

    const complex* const spectra = static_cast<const complex*>(arguments.input) +
                                   first / Spectra::together * Bank::length;
    const complex* const responses =
        arguments.spectrum + group * Bank::together * Bank::length + m;
    const int* const list =
        reinterpret_cast<const int*>(arguments.spectrum + Bank::zones_at) +
        group * (Bank::zones + 1);
    bins sums[Parts] = {};
    if (left >= Parts)
        fold_zones<Bank, Spectra, true>(spectra, m, responses, list, Parts, sums);
    else
        fold_zones<Bank, Spectra, false>(
            spectra, m, responses, list, static_cast<int>(left), sums);

    bins* const folded = static_cast<bins*>(arguments.output) +
                         (first * Bank::points + m) * Bank::groups + group;
#pragma unroll
    for (int p = 0; p < Parts; ++p)
        if (static_cast<unsigned>(p) < left)
            folded[p * Bank::points * Bank::groups] = sums[p];
}

// exp(-2 pi j phase / 2^64): the nearest quarter turn, then the remainder by Taylor
// series, up to the precision of float.
GPUFFT_DEVICE complex turned_back(unsigned long long phase)
{
    const unsigned quarters =
        static_cast<unsigned>((phase + (1ull << 61)) >> 62); // modulo 4
    const long long rest =
        static_cast<long long>(phase - (static_cast<unsigned long long>(quarters) << 62));
    const float x =
        static_cast<float>(rest) * static_cast<float>(TWO_PI / 18446744073709551616.0);
    const float y = x * x;
    const float s =
        x * (1 + y * (-1.6666667e-1f +
                      y * (8.3333333e-3f + y * (-1.9841270e-4f + y * 2.7557319e-6f))));
    const float c =
        1 + y * (-0.5f + y * (4.1666667e-2f + y * (-1.3888889e-3f + y * 2.4801587e-5f)));
    const complex turned = { quarters & 1 ? s : c, quarters & 1 ? c : s };
    return { quarters == 1 || quarters == 2 ? -turned.re : turned.re,
             quarters < 2 ? -turned.im : turned.im };
}

// Bin m of folded spectrum `unit`, channel after channel of part after part.
template <class Bank>
struct load_folded {
    template <int N>
    static GPUFFT_DEVICE complex get(const transform_arguments& arguments,
                                     unsigned long long unit,
                                     int m)
    {
        const unsigned long long part = unit / Bank::channels;
        return exchange_parts(static_cast<const complex*>(
            arguments
                .input)[(part * Bank::points + m) * Bank::width + unit % Bank::channels]);
    }
};

// Output k / Step of the unit, with `Running` shifted back to frequency and phase 0. The
// newest sample of row r is sample r hop + Taps - 1 from `position` on.
template <class Bank,
          int Outputs,
          int Step,
          bool Running,
          int Taps,
          class Kind = as_complex>
struct store_channel {
    template <int N>
    static GPUFFT_DEVICE void put(const transform_arguments& arguments,
                                  unsigned long long unit,
                                  int k,
                                  complex value)
    {
        const unsigned long long row = unit / Bank::channels * Outputs + k / Step;
        const int channel = unit % Bank::channels;
        if (k % Step != 0 || k / Step >= Outputs || row >= arguments.average)
            return;
        complex result = exchange_parts(value) * scale_of(arguments);
        if constexpr (Running) {
            const auto* turns = reinterpret_cast<const unsigned long long*>(
                                    arguments.spectrum + Bank::turns_at) +
                                2 * channel;
            const unsigned long long newest =
                arguments.position + row * arguments.hop + (Taps - 1);
            result = result * turned_back(turns[0] * newest + turns[1]);
        }
        const unsigned long long at = row * Bank::channels + channel;
        if constexpr (sizeof(typename Kind::item) == sizeof(complex)) // no format
            static_cast<complex*>(arguments.output)[at] = result;
        else
            static_cast<typename Kind::item*>(arguments.output)[at] =
                stored_value<Kind>(arguments, result, 1);
    }
};

} // namespace kernels
} // namespace gpufft
} // namespace gr

#endif
