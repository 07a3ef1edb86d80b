// SPDX-License-Identifier: GPL-3.0-or-later
//
// The load step of polyphase banks: a point is the sum of samples N apart, weighted by
// the window (the prototype filter's polyphase arms; Bellanger et al., "Digital filtering
// by polyphase network", IEEE Trans. ASSP 24, 1976).

#ifndef INCLUDED_GPUFFT_KERNELS_LOAD_BANK_CUH
#define INCLUDED_GPUFFT_KERNELS_LOAD_BANK_CUH

#include "load.cuh"

namespace gr {
namespace gpufft {
namespace kernels {

// The rotation of a frame's points: where the frame starts in the stream, mod N.
template <int N>
GPUFFT_DEVICE int rotation_of(const transform_arguments& arguments,
                              unsigned long long frame)
{
    return static_cast<int>((arguments.position + frame * arguments.hop) % N);
}

// y[m] = sum_p Step(i + p N), p < Taps; i = m, or with Running i = (m - rotation) mod N.
// Frames that are `Apart` frames apart begin Shift N + Drift samples apart: point m of
// one and point m - Drift of the other sum the same samples, except for Shift samples.
template <class Step, int Taps, bool Running, int Apart, int Shift, int Drift>
struct load_bank {
    struct item { // a point is not one sample
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

// Whether read_bank() reads the frames of a tile faster.
template <class Load, int Frames, class = void>
constexpr bool shares_samples = false;

template <class Load, int Frames>
constexpr bool shares_samples<Load, Frames, decltype(static_cast<void>(Load::apart))> =
    Load::taps > 1 && Frames > Load::apart;

} // namespace kernels
} // namespace gpufft
} // namespace gr

#endif
