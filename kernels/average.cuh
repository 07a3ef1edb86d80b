// SPDX-License-Identifier: GPL-3.0-or-later
//
// Adds the partial power sums of stockham_power_kernel to rows: mean over `average`
// frames, exponential average over the means, scale, decibels. The unfinished row is
// carried over from launch to launch in double precision.

#ifndef INCLUDED_GPUFFT_KERNELS_AVERAGE_CUH
#define INCLUDED_GPUFFT_KERNELS_AVERAGE_CUH

#include "store.cuh"

namespace gr {
namespace gpufft {
namespace kernels {

// Computes  row r: P[k] = scale/average sum of its frames' |X[k]|^2; with smoothed !=
// null
//           P <- smoothing P + (1 - smoothing) P_before; stores P or 10 log10 P.
// Layout    thread = bin k. Row r's partial sums are partial[(r parts + p) n + k], or its
//           frames f's powers partial[f n + k] if parts is 0.
// Launch    grid = (ceil(n / threads), R), no shared memory. Block row y takes rows y, y
// + R,
//           ...; R must be 1 with smoothing on, whose rows depend on each other.
// Requires  the rows touched are ceil((frames_in_row + frames) / average).
template <int Threads, bool Decibel>
GPUFFT_KERNEL(Threads, 1)
average_kernel(average_arguments arguments)
{
    const unsigned long long k = blockIdx.x * (unsigned long long)Threads + threadIdx.x;
    if (k >= arguments.n)
        return;
    const unsigned long long end = arguments.frames_in_row + arguments.frames;
    const unsigned long long finished = end / arguments.average;
    const unsigned long long touched = (end + arguments.average - 1) / arguments.average;
    bool first = arguments.first != 0;

    for (unsigned long long row = blockIdx.y; row < touched; row += gridDim.y) {
        double sum = row == 0 && arguments.frames_in_row > 0 ? arguments.sum[k] : 0.0;
        unsigned long long part = row * arguments.parts;
        unsigned long long parts_end = part + arguments.parts;
        if (arguments.parts == 0) { // a part is a frame
            part = row == 0 ? 0 : row * arguments.average - arguments.frames_in_row;
            parts_end = (row + 1) * arguments.average - arguments.frames_in_row;
            if (parts_end > arguments.frames)
                parts_end = arguments.frames;
        }
        for (; part < parts_end; ++part)
            sum += arguments.partial[part * arguments.n + k];
        if (row == finished) { // not complete yet
            arguments.next_sum[k] = sum;
            return;
        }
        float power = static_cast<float>(sum / static_cast<double>(arguments.average) *
                                         arguments.scale);
        if (arguments.smoothed != nullptr) {
            if (!first)
                power = arguments.smoothing * power +
                        (1.0f - arguments.smoothing) * arguments.smoothed[k];
            arguments.smoothed[k] = power;
            first = false;
        }
        arguments.output[row * arguments.n + k] = Decibel ? decibels(power) : power;
    }
}

} // namespace kernels
} // namespace gpufft
} // namespace gr

#endif
