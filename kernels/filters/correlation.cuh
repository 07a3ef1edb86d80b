// SPDX-License-Identifier: GPL-3.0-or-later
//
// Correlations with K templates at D frequency shifts by FFT: a block's spectrum, shifted
// by whole bins, times the conjugate spectrum of a template, transformed back. The part
// of a shift below one bin is mixed in when samples are loaded, so that a block has one
// spectrum for each such fraction. Neither the products nor the correlations pass
// through memory: each pair of template and shift leaves its peak only. Lengths without
// kernels have longer transforms, with zeros behind the samples.

#ifndef INCLUDED_GPUFFT_KERNELS_CORRELATION_CUH
#define INCLUDED_GPUFFT_KERNELS_CORRELATION_CUH

#include "load.cuh"
#include "stockham/stockham.cuh"

namespace gr {
namespace gpufft {
namespace kernels {

// Reads y[m] of line (frame, block, fraction), the fraction fastest:
// y[m] = sum_c x[m + c L] turns[fraction][m + c L], c = 0 ... Periods-1, with the turns
// in `chirp`; not Mixed: all turns are 1. From m = L, the length of a template, on: 0.
template <class Format, int L, int Periods, int Blocks, int Fractions, bool Mixed>
struct correlation_load {
    template <int N>
    static GPUFFT_DEVICE complex get(const transform_arguments& arguments,
                                     unsigned long long line,
                                     int m,
                                     int offset = 0)
    {
        typedef typename Format::item item;
        constexpr long long length = static_cast<long long>(Periods) * L;
        if constexpr (L < N)
            if (m + offset >= L)
                return { 0, 0 };
        const unsigned long long block = line / Fractions;
        const item* samples = static_cast<const item*>(arguments.input) +
                              block / Blocks * arguments.hop + block % Blocks * length +
                              m + offset;
        const complex* turns = arguments.chirp + line % Fractions * length + m + offset;
        complex sum = { 0, 0 };
#pragma unroll 4
        for (int c = 0; c < Periods; ++c) {
            const complex x = Format::convert(samples[static_cast<long long>(c) * L]);
            if constexpr (Mixed)
                sum = sum + x * load_constant(turns + static_cast<long long>(c) * L);
            else
                sum = sum + x;
        }
        return sum;
    }
};

// The largest of some powers with its place, and their sum.
struct power_peak {
    float power, sum;
    int place;
};

// Of equal powers the one with the lower place; NaN is never the largest.
GPUFFT_DEVICE power_peak joined(power_peak a, power_peak b)
{
    const bool is_later = b.power > a.power || (b.power == a.power && b.place < a.place);
    return { is_later ? b.power : a.power, a.sum + b.sum, is_later ? b.place : a.place };
}

// Joins what `Count` threads have. Thread 0 gets the result. wait() waits for all of
// them.
template <int Count, class Wait>
GPUFFT_DEVICE power_peak
joined_by_threads(power_peak own, power_peak* shared, int lane, Wait&& wait)
{
    constexpr int together = 16;
    wait(); // until nobody reads an earlier result
    shared[lane] = own;
    for (int left = Count; left > 1;) {
        const int next = (left + together - 1) / together;
        wait();
        if (lane < next) {
            for (int at = lane + next; at < left; at += next)
                own = joined(own, shared[at]);
            shared[lane] = own;
        }
        left = next;
    }
    return own;
}

// Sizes of a bank of correlators. A group of `Group` shifts shares a template.
template <int Templates, int Shifts, int Fractions, int Blocks, int Delays, int Group>
struct correlation_shape {
    static constexpr int templates = Templates;
    static constexpr int shifts = Shifts;
    static constexpr int fractions = Fractions;
    static constexpr int blocks = Blocks;
    static constexpr int delays = Delays;
    static constexpr int group = Group;
    static constexpr int groups = (Shifts + Group - 1) / Group;
};

// Computes  for every frame f, template k and shift d with s = order[3 place ...] =
//           (d, fraction, bin):  P[u] = sum_b |sum_i X[f][b][fraction][(i + bin) mod N]
//           spectrum[k][i] exp(+2 pi j u i / N)|^2, with Product for the product. The
//           cell [f][k][d] gets (largest P, sum of P), (its u, 0), over the delays u.
//           Grid: stores all P[u] scale instead.
// Layout    unit u is group u mod groups of template (u / groups) mod K of a frame; its
//           shifts follow one another. Block b takes units b Transforms ... .
// Launch    grid = ceil(units / Transforms), block as stockham_kernel, shared =
//           that of the shape, then a power_peak for each thread.
// Requires  stockham_kernel has stored X[frame][block][fraction][N].
template <class Shape, class Bank, bool Grid, class Product>
GPUFFT_KERNEL(Shape::block_threads, Shape::blocks)
correlation_kernel(transform_arguments arguments)
{
    begin_kernel();
    constexpr int n = Shape::n, last = Shape::pass_count - 1;
    constexpr int count = n / Shape::passes::template radix<0>();
    constexpr int span = Shape::template span<last>();
    const int lane = threadIdx.x % Shape::threads, slot = threadIdx.x / Shape::threads;
    complex* const shared = shared_memory<complex>() + slot * Shape::stride;
    power_peak* const peaks =
        reinterpret_cast<power_peak*>(shared_memory<complex>() +
                                      Shape::transforms * Shape::stride) +
        slot * Shape::threads;

    const unsigned long long unit =
        blockIdx.x * (unsigned long long)Shape::transforms + slot;
    const bool has_unit = unit < arguments.frames;
    const unsigned long long pair = unit / Bank::groups; // of frame and template
    const complex* const spectra =
        static_cast<const complex*>(arguments.input) +
        pair / Bank::templates * ((unsigned long long)Bank::blocks * Bank::fractions * n);
    const complex* const response =
        arguments.spectrum + pair % Bank::templates * (unsigned long long)n;

#pragma unroll 1
    for (int s = 0; s < Bank::group; ++s) {
        const int place = static_cast<int>(unit % Bank::groups) * Bank::group + s;
        const bool is_there = has_unit && place < Bank::shifts;
        const int* const order = arguments.order + (is_there ? 3 * place : 0);
        const int fraction = load_constant(order + 1), bin = load_constant(order + 2);
        const unsigned long long cell = pair * Bank::shifts + load_constant(order);

        power_peak found = { -1, 0, 0 };
        const auto take = [&](int delay, float power) {
            if (delay >= Bank::delays)
                return;
            if constexpr (!Grid)
                found = joined(found, { power, power, delay });
            else if (is_there)
                static_cast<float*>(arguments.output)[cell * Bank::delays + delay] =
                    power * arguments.scale;
        };
        float sums[Bank::blocks > 1 ? Shape::results() : 1] = {};
#pragma unroll 1
        for (int block = 0; block < Bank::blocks; ++block) {
            complex points[Shape::points()] = {};
            const complex* const spectrum =
                spectra + (unsigned long long)(block * Bank::fractions + fraction) * n;
            if (is_there)
                for_each_point<Shape, 0>(lane, [&](int i, int k, int j) {
                    const int at = j + k * count, from = at + bin;
                    points[i] = exchange_parts(
                        Product::template of<n>(spectrum[from < n ? from : from - n],
                                                load_constant(response + at)));
                });
            transform<Shape>(points,
                             shared,
                             arguments.twiddles,
                             lane,
                             true,
                             [&](int i, int k, int j, complex value) {
                                 const float power = squared_magnitude(value);
                                 if constexpr (Bank::blocks > 1)
                                     sums[i] += power;
                                 else
                                     take(j + k * span, power);
                             });
        }
        if constexpr (Bank::blocks > 1)
            for_each_point<Shape, last>(
                lane, [&](int i, int k, int j) { take(j + k * span, sums[i]); });
        if constexpr (!Grid) {
            found = joined_by_threads<Shape::threads>(
                found, peaks, lane, [] { synchronize<Shape>(); });
            if (is_there && lane == 0) {
                complex* const stored =
                    static_cast<complex*>(arguments.output) + 2 * cell;
                stored[0] = { found.power, found.sum };
                stored[1] = { static_cast<real>(found.place), 0 };
            }
        }
    }
}

// Computes  (template, shift, delay, ratio, power) of the largest cell of every template,
//           or with Best of all of them; the ratio is that to the mean of the template's
//           powers, 0 if all are 0.
// Layout    block b makes number b of these rows.
// Launch    grid = rows, block = Threads, shared = a power_peak for each thread.
// Requires  correlation_kernel has stored the cells.
template <class Bank, bool Best, int Threads>
GPUFFT_KERNEL(Threads, 1)
correlation_peak_kernel(transform_arguments arguments)
{
    begin_kernel();
    power_peak* const shared = shared_memory<power_peak>();
    const unsigned long long row = blockIdx.x;
    const int lane = threadIdx.x;
    const complex* const cells = static_cast<const complex*>(arguments.input) +
                                 row * (Best ? Bank::templates : 1) * 2 * Bank::shifts;
    const auto wait = [] { __syncthreads(); };

    power_peak best = { -1, 0, 0 };
    for (int c = lane; c < (Best ? Bank::templates : 1) * Bank::shifts; c += Threads)
        best = joined(best, { cells[2 * c].re, 0, c });
    best = joined_by_threads<Threads>(best, shared, lane, wait);
    if (lane == 0)
        shared[0] = best;
    wait();
    best = shared[0];

    const int which = best.place / Bank::shifts;
    power_peak mean = { -1, 0, 0 };
    for (int d = lane; d < Bank::shifts; d += Threads)
        mean.sum += cells[2 * (which * Bank::shifts + d)].im;
    mean = joined_by_threads<Threads>(mean, shared, lane, wait);
    if (lane > 0)
        return;
    constexpr float powers = static_cast<float>(Bank::shifts) * Bank::delays;
    const float power = best.power < 0 ? mean.sum : best.power; // all are NaN
    float* const output = static_cast<float*>(arguments.output) + 5 * row;
    output[0] = static_cast<float>(Best ? which : row % Bank::templates);
    output[1] = static_cast<float>(best.place % Bank::shifts);
    output[2] = cells[2 * best.place + 1].re;
    output[3] = mean.sum == 0 ? 0 : power * powers / mean.sum;
    output[4] = power * arguments.scale;
}

} // namespace kernels
} // namespace gpufft
} // namespace gr

#endif
