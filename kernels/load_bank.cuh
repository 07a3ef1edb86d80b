// SPDX-License-Identifier: GPL-3.0-or-later
//
// The load step of filter banks: a point is the sum of samples N apart, weighted by the
// window (the prototype filter's polyphase arms; Bellanger et al., "Digital filtering by
// polyphase network", IEEE Trans. ASSP 24, 1976).

#ifndef INCLUDED_GPUFFT_KERNELS_LOAD_BANK_CUH
#define INCLUDED_GPUFFT_KERNELS_LOAD_BANK_CUH

#include "load.cuh"

namespace gr {
namespace gpufft {
namespace kernels {

// How far the points of a frame are rotated: where it begins in the stream, mod N.
template <int N>
GPUFFT_DEVICE int rotation_of(const transform_arguments& arguments,
                              unsigned long long frame)
{
    return static_cast<int>((arguments.position + frame * arguments.hop) % N);
}

// y[m] = sum_p Step(i + p N), p < Taps; i = m, or with Running i = (m - rotation) mod N.
// Planned for frames Apart apart that begin Shift N + Drift samples apart: then point m
// of one and point m - Drift of the other sum the same samples, but for Shift of them.
template <class Step, int Taps, bool Running, int Apart, int Shift, int Drift>
struct load_bank {
    struct item { // a point is no sample
    };
    static constexpr bool in_order = false, is_running = Running;
    static constexpr int taps = Taps, apart = Apart, shift = Shift, drift = Drift;
    typedef Step step;

    template <int N>
    static GPUFFT_DEVICE complex get(const transform_arguments& arguments,
                                     unsigned long long frame,
                                     int m,
                                     int offset = 0)
    {
        int i = m;
        if constexpr (Running) {
            i += offset - rotation_of<N>(arguments, frame);
            i = i < 0 ? i + N : i;
            offset = 0;
        }
        complex y = Step::template get<N>(arguments, frame, i, offset);
#pragma unroll 16
        for (int p = 1; p < Taps; ++p)
            y = y + Step::template get<N>(arguments, frame, i, offset + p * N);
        return y;
    }
};

// Whether the frames of a tile had best be read by read_bank().
template <class Load, int Frames, class = void>
constexpr bool shares_samples = false;

template <class Load, int Frames>
constexpr bool shares_samples<Load, Frames, decltype(static_cast<void>(Load::apart))> =
    Load::taps > 1 && Frames > Load::apart;

// The frames i of a group that have point m - i Drift, and are there.
struct arm_frames {
    int begin, end;
};

template <int N, int Drift>
GPUFFT_DEVICE arm_frames frames_with(int m, int count)
{
    int begin = 0, last = count - 1;
    if constexpr (Drift > 0) {
        begin = m < N ? 0 : (m - N) / Drift + 1;
        last = m / Drift < last ? m / Drift : last;
    }
    if constexpr (Drift < 0) {
        begin = m >= 0 ? 0 : (-m - Drift - 1) / -Drift;
        last = (N - 1 - m) / -Drift < last ? (N - 1 - m) / -Drift : last;
    }
    return { begin, last + 1 };
}

// The sums of the arm of point m in the first of Together frames, Load::apart apart, and
// of point m - i Drift in frame i of them: x is sample m of the first frame, w its
// weight. Calls put(i, sum) for the frames in `range`.
template <int N, int Together, class Load, class Put>
GPUFFT_DEVICE void
sum_arms(const typename Load::step::item* x, const real* w, arm_frames range, Put&& put)
{
    constexpr int shift = Load::shift, drift = Load::drift;
    constexpr int taps = Load::taps < 16 ? Load::taps : 16; // held in registers
    complex sums[Together] = {};
    for (int first = 0; first < Load::taps; first += taps) {
        const auto weight = [&](int i, int p) {
            const bool is_there = first + p < Load::taps &&
                                  (drift == 0 || (i >= range.begin && i < range.end));
            return is_there ? load_constant(w + ((first + p) * N - i * drift)) : real(0);
        };
        real weights[taps] = {};
        if constexpr (drift == 0) {
#pragma unroll
            for (int p = 0; p < taps; ++p)
                weights[p] = weight(0, p);
        }
        const int begin = shift * range.begin;
        const int end = shift * (range.end - 1) + Load::taps - first;
#pragma unroll
        for (int q = 0; q < shift * (Together - 1) + taps; ++q) {
            complex sample = { 0, 0 };
            if (q >= begin && q < end)
                sample = Load::step::value_of(x[(first + q) * N]);
#pragma unroll
            for (int i = 0; i < Together; ++i) {
                const int p = q - i * shift;
                if (p >= 0 && p < taps)
                    sums[i] = sums[i] + sample * (drift == 0 ? weights[p] : weight(i, p));
            }
        }
    }
#pragma unroll
    for (int i = 0; i < Together; ++i)
        if (i >= range.begin && i < range.end)
            put(i, sums[i]);
}

// By all threads: calls put(frame of the tile, m, y[m]) for all points of the tile of
// Frames frames from `first` on that are there. A thread sums what shares samples, and
// reads those once.
template <int N, int Frames, int Threads, class Load, class Put>
GPUFFT_DEVICE void
read_bank(const transform_arguments& arguments, unsigned long long first, Put&& put)
{
    constexpr int apart = Load::apart, drift = Load::drift;
    constexpr int rows = (Frames + apart - 1) / apart;
    constexpr int together = rows < 8 ? rows : 8;
    constexpr int groups = (rows + together - 1) / together;
    constexpr int reach = drift * (together - 1);
    constexpr int points = N + (reach < 0 ? -reach : reach);
    const unsigned long long left = arguments.frames - first;
    const int frames = left < Frames ? static_cast<int>(left) : Frames;
    const bool is_planned = arguments.hop * apart == N * Load::shift + drift;
    for (int unit = threadIdx.x; unit < points * apart * groups; unit += Threads) {
        const int m = unit % points + (reach < 0 ? reach : 0), part = unit / points;
        const int begin = part / apart * (together * apart) + part % apart;
        const int there = (frames - begin + apart - 1) / apart;
        const arm_frames range =
            frames_with<N, drift>(m, there < together ? there : together);
        if (range.begin >= range.end)
            continue;
        const auto* x = static_cast<const typename Load::step::item*>(arguments.input) +
                        (first + begin) * arguments.hop + m;
        const auto store = [&](int i, complex sum) {
            const int frame = begin + i * apart;
            int at = m - i * drift;
            if constexpr (Load::is_running) {
                at += rotation_of<N>(arguments, first + frame);
                at = at < N ? at : at - N;
            }
            put(frame, at, sum);
        };
        if (is_planned)
            sum_arms<N, together, Load>(x, arguments.window + m, range, store);
        else
            for (int i = range.begin; i < range.end; ++i)
                sum_arms<N, 1, Load>(x + (i * apart * arguments.hop - i * drift),
                                     arguments.window + (m - i * drift),
                                     { 0, 1 },
                                     [&](int, complex sum) { store(i, sum); });
    }
}

} // namespace kernels
} // namespace gpufft
} // namespace gr

#endif
