// SPDX-License-Identifier: GPL-3.0-or-later
//
// Joins the partial results of stockham_power_kernel to rows: applies the detector over
// `average` frames, the scale, the exponential average or hold over rows, and decibels.
// The unfinished row is carried over from launch to launch in double precision.

#ifndef INCLUDED_GPUFFT_KERNELS_AVERAGE_CUH
#define INCLUDED_GPUFFT_KERNELS_AVERAGE_CUH

#include "powers/detectors.cuh"
#include "store.cuh"

namespace gr {
namespace gpufft {
namespace kernels {

// The value of a row after smoothing or hold with the previous row's value.
GPUFFT_DEVICE float kept(const average_arguments& arguments, float before, float power)
{
    if (arguments.hold > 0)
        return larger(before, power);
    if (arguments.hold < 0)
        return smaller(before, power);
    return arguments.smoothing * power + (1.0f - arguments.smoothing) * before;
}

// Sums follow problem/frame_groups.h: groups in single precision, rows in double.
//
// Stores a row's value as a Number; float is the arithmetic's own.
template <class Number>
GPUFFT_DEVICE void store_power(float* rows, unsigned long long at, float power)
{
    static_cast<typename Number::item*>(static_cast<void*>(rows))[at] =
        Number::stored(power);
}

// Computes  row r: P[k] = the Detector's value of its frames' |X[k]|^2, e.g. their sum
//           times scale/average; with smoothed != null P <- kept(P_before, P); stores P
//           or 10 log10 P, as a float or, with Numbers, as one of these.
// Layout    thread = bin k. Row r's partial sums are partial[(r parts + p) n + k], or if
//           parts is 0 the powers partial[f n + k] of its frames f. A group that the
//           launch leaves open is kept as it is.
// Launch    grid = (ceil(n / threads), R), no shared memory. Block row y takes the rows
//           y, y + R, ...; R must be 1 with smoothed != null: rows depend on each other.
// Requires  the rows touched are ceil((frames_in_row + frames) / average); parts is 0 for
//           a Detector that needs the squares of every frame's power.
template <int Threads, bool Decibel, class Detector, class... Numbers>
GPUFFT_KERNEL(Threads, 1)
average_kernel(average_arguments arguments)
{
    begin_kernel();
    const unsigned long long k = blockIdx.x * (unsigned long long)Threads + threadIdx.x;
    if (k >= arguments.n)
        return;
    const unsigned long long end = arguments.frames_in_row + arguments.frames;
    const unsigned long long finished = end / arguments.average;
    const unsigned long long touched = (end + arguments.average - 1) / arguments.average;
    bool first = arguments.first != 0;

    for (unsigned long long row = blockIdx.y; row < touched; row += gridDim.y) {
        const bool goes_on = row == 0 && arguments.frames_in_row > 0;
        double sum = goes_on ? arguments.sum[k] : double(Detector::start());
        if (goes_on &&
            (arguments.parts == 0 || arguments.frames_in_row % arguments.group == 0))
            sum = Detector::joined(sum, arguments.kept[k]); // no part continues the group
        double squares = 0.0;
        if (Detector::has_squares && goes_on)
            squares = arguments.sum[arguments.n + k] + arguments.kept[arguments.n + k];
        unsigned long long part = row * arguments.parts;
        unsigned long long parts_end = part + arguments.parts;
        if (arguments.parts == 0) { // each part is a frame
            part = row == 0 ? 0 : row * arguments.average - arguments.frames_in_row;
            parts_end = (row + 1) * arguments.average - arguments.frames_in_row;
            if (parts_end > arguments.frames)
                parts_end = arguments.frames;
        }
        double open = Detector::start(); // state of the group that the launch leaves open
        if (row == finished && arguments.parts > 0 &&
            end % arguments.average % arguments.group > 0) {
            const unsigned long long before =
                row == 0 ? arguments.frames_in_row / arguments.group : 0;
            parts_end = part + end % arguments.average / arguments.group - before;
            open = arguments.partial[parts_end * arguments.n + k];
        }
        for (; part < parts_end; ++part) {
            const double more = arguments.partial[part * arguments.n + k];
            sum = Detector::joined(sum, more);
            if (Detector::has_squares)
                squares += more * more;
        }
        if (row == finished) { // the row is not complete
            arguments.next_sum[k] = sum;
            arguments.next_kept[k] = open;
            if (Detector::has_squares) {
                arguments.next_sum[arguments.n + k] = squares;
                arguments.next_kept[arguments.n + k] = 0.0;
            }
            return;
        }
        float power = static_cast<float>(
            Detector::value(sum, squares, double(arguments.average), arguments.scale));
        if (arguments.smoothed != nullptr) {
            if (!first)
                power = kept(arguments, arguments.smoothed[k], power);
            arguments.smoothed[k] = power;
            first = false;
        }
        if constexpr (sizeof...(Numbers) == 0)
            arguments.output[row * arguments.row_items + k] =
                Decibel ? decibels(power) : power;
        else
            (store_power<Numbers>(arguments.output,
                                  row * arguments.row_items + k,
                                  Decibel ? decibels(power) : power),
             ...);
    }
}

} // namespace kernels
} // namespace gpufft
} // namespace gr

#endif
