// SPDX-License-Identifier: GPL-3.0-or-later
//
// The detectors of an averaged row. They join the powers of its frames in single
// precision within a part of a launch, and in double across parts. The state of max and
// min begins as NaN, which they ignore.

#ifndef INCLUDED_GPUFFT_KERNELS_DETECTORS_CUH
#define INCLUDED_GPUFFT_KERNELS_DETECTORS_CUH

#include "device.cuh"

namespace gr {
namespace gpufft {
namespace kernels {

template <class T>
GPUFFT_DEVICE T larger(T a, T b)
{
    return b > a || a != a ? b : a;
}

template <class T>
GPUFFT_DEVICE T smaller(T a, T b)
{
    return b < a || a != a ? b : a;
}

struct detect_mean {
    static constexpr bool has_squares = false;
    static GPUFFT_DEVICE float start() { return 0.0f; }
    template <class T>
    static GPUFFT_DEVICE T joined(T state, T more)
    {
        return state + more;
    }
    static GPUFFT_DEVICE double value(double sum, double, double frames, float scale)
    {
        return sum / frames * scale;
    }
};

struct detect_max {
    static constexpr bool has_squares = false;
    static GPUFFT_DEVICE float start() { return nanf(""); }
    template <class T>
    static GPUFFT_DEVICE T joined(T state, T more)
    {
        return larger(state, more);
    }
    static GPUFFT_DEVICE double value(double most, double, double, float scale)
    {
        return most * scale;
    }
};

struct detect_min : detect_max {
    template <class T>
    static GPUFFT_DEVICE T joined(T state, T more)
    {
        return smaller(state, more);
    }
};

// Spectral kurtosis, which is 0 for a constant power and for silence.
struct detect_kurtosis : detect_mean {
    static constexpr bool has_squares = true;
    static GPUFFT_DEVICE double value(double sum, double squares, double frames, float)
    {
        return sum == 0.0
                   ? 0.0
                   : (frames + 1) / (frames - 1) * (frames * squares / (sum * sum) - 1);
    }
};

} // namespace kernels
} // namespace gpufft
} // namespace gr

#endif
