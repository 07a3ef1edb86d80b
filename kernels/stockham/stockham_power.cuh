// SPDX-License-Identifier: GPL-3.0-or-later
//
// The Stockham FFT of frame after frame that stores only the sum of the powers, or the
// largest or smallest powers, so that an averaged spectrum passes through memory once.

#ifndef INCLUDED_GPUFFT_KERNELS_STOCKHAM_POWER_CUH
#define INCLUDED_GPUFFT_KERNELS_STOCKHAM_POWER_CUH

#include "frame_units.cuh"
#include "powers/detectors.cuh"
#include "stockham/stockham.cuh"

namespace gr {
namespace gpufft {
namespace kernels {

// Computes  for every unit u the partial power sum over its frames f:
//           output[u N + k] = sum_f |sum_m Load(f, m) exp(-2 pi j m k / N)|^2, unscaled,
//           or the Detector's value instead of the sum; starts from kept[k] if the unit
//           continues a group.
// Layout    unit u is part u mod parts of row floor(u / parts); transform_arguments gives
//           its frames. Block b takes units b Transforms ... (b+1) Transforms - 1, frame
//           after frame.
// Launch    grid = ceil(units / Transforms), block and shared as stockham_kernel.
// Requires  average_kernel follows on the same stream.
template <class Shape, class Load, bool Shifted, class Detector>
GPUFFT_KERNEL(Shape::block_threads, Shape::blocks)
stockham_power_kernel(transform_arguments arguments)
{
    begin_kernel();
    constexpr int last = Shape::pass_count - 1;
    constexpr int count = Shape::n / Shape::passes::template radix<0>();
    constexpr int span = Shape::template span<last>();
    const int lane = threadIdx.x % Shape::threads;
    const unsigned long long unit =
        blockIdx.x * (unsigned long long)Shape::transforms + threadIdx.x / Shape::threads;
    complex* shared =
        shared_memory<complex>() + (threadIdx.x / Shape::threads) * Shape::stride;
    const frame_range frames = frames_of_unit(arguments, unit);

    float power[Shape::results()];
    for (float& state : power)
        state = Detector::start();
    if (frames.goes_on)
        for_each_point<Shape, last>(lane, [&](int i, int k, int j) {
            power[i] = static_cast<float>(
                arguments.kept[shifted_at<Shape::n, Shifted>(j + k * span)]);
        });
    // Every thread of the block runs as many rounds as the longest unit has, because
    // rounds synchronize.
    const unsigned long long rounds = arguments.frames < arguments.units.group
                                          ? arguments.frames
                                          : arguments.units.group;
    for (unsigned long long round = 0; round < rounds; ++round) {
        const bool active = frames.begin + round < frames.end;
        complex points[Shape::points()] = {};
        if (active)
            for_each_point<Shape, 0>(lane, [&](int i, int k, int j) {
                points[i] = Load::template get<Shape::n>(
                    arguments, frames.begin + round, j + k * count);
            });
        transform<Shape>(points,
                         shared,
                         arguments.twiddles,
                         lane,
                         true,
                         [&](int i, int, int, complex value) {
                             const float more =
                                 active ? squared_magnitude(value) : Detector::start();
                             power[i] = Detector::joined(power[i], more);
                         });
    }
    if (frames.is_stored) {
        float* row = static_cast<float*>(arguments.output) + unit * Shape::n;
        for_each_point<Shape, last>(lane, [&](int i, int k, int j) {
            row[shifted_at<Shape::n, Shifted>(j + k * span)] = power[i];
        });
    }
}

} // namespace kernels
} // namespace gpufft
} // namespace gr

#endif
