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
// Planned for frames that begin Shift / Apart times N samples apart, in lowest terms:
// frames Apart apart then share the samples of an arm but for Shift of them.
template <class Step, int Taps, bool Running, int Apart, int Shift>
struct load_bank {
    struct item { // a point is no sample
    };
    static constexpr bool in_order = false, is_running = Running;
    static constexpr int taps = Taps, apart = Apart, shift = Shift;
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

// The sums of one arm in Together frames that are Apart apart, of which `count` are
// there: x is the first one's first sample, w its weight. Calls put(i, sum).
template <int N, int Together, class Load, class Put>
GPUFFT_DEVICE void
sum_arm(const typename Load::step::item* x, const real* w, int count, Put&& put)
{
    constexpr int taps = Load::taps < 16 ? Load::taps : 16; // held in registers
    constexpr int reach = Load::shift * (Together - 1) + taps;
    complex sums[Together] = {};
    for (int first = 0; first < Load::taps; first += taps) {
        real weights[taps];
#pragma unroll
        for (int p = 0; p < taps; ++p)
            weights[p] = first + p < Load::taps
                             ? load_constant(w + (long long)(first + p) * N)
                             : real(0);
        const int last = Load::shift * (count - 1) + Load::taps - first;
#pragma unroll
        for (int q = 0; q < reach; ++q) {
            complex sample = { 0, 0 };
            if (q < last)
                sample = Load::step::value_of(x[(long long)(first + q) * N]);
#pragma unroll
            for (int i = 0; i < Together; ++i) {
                const int p = q - i * Load::shift;
                if (p >= 0 && p < taps)
                    sums[i] = sums[i] + sample * weights[p];
            }
        }
    }
#pragma unroll
    for (int i = 0; i < Together; ++i)
        if (i < count)
            put(i, sums[i]);
}

// By all threads: calls put(frame of the tile, m, y[m]) for all points of the tile of
// Frames frames from `first` on that are there. A thread sums an arm in several frames,
// whose samples it reads once.
template <int N, int Frames, int Threads, class Load, class Put>
GPUFFT_DEVICE void
read_bank(const transform_arguments& arguments, unsigned long long first, Put&& put)
{
    constexpr int apart = Load::apart;
    constexpr int rows = (Frames + apart - 1) / apart;
    constexpr int together = rows < 8 ? rows : 8;
    constexpr int groups = (rows + together - 1) / together;
    const unsigned long long left = arguments.frames - first;
    const int frames = left < Frames ? static_cast<int>(left) : Frames;
    const bool is_planned = arguments.hop * apart == N * Load::shift;
    for (int unit = threadIdx.x; unit < N * apart * groups; unit += Threads) {
        const int m = unit % N, part = unit / N;
        const int begin = part / apart * (together * apart) + part % apart;
        const int there = (frames - begin + apart - 1) / apart;
        const int count = there < together ? there : together;
        if (count <= 0)
            continue;
        const auto store = [&](int i, complex sum) {
            const int frame = begin + i * apart;
            int at = m;
            if constexpr (Load::is_running) {
                at += rotation_of<N>(arguments, first + frame);
                at = at < N ? at : at - N;
            }
            put(frame, at, sum);
        };
        const auto* x = static_cast<const typename Load::step::item*>(arguments.input) +
                        (first + begin) * arguments.hop + m;
        if (is_planned)
            sum_arm<N, together, Load>(x, arguments.window + m, count, store);
        else
            for (int i = 0; i < count; ++i)
                sum_arm<N, 1, Load>(x + (long long)i * apart * arguments.hop,
                                    arguments.window + m,
                                    1,
                                    [&](int, complex sum) { store(i, sum); });
    }
}

} // namespace kernels
} // namespace gpufft
} // namespace gr

#endif
