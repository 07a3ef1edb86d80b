// SPDX-License-Identifier: GPL-3.0-or-later
//
// Sums some points at a time, so that the sums stay in registers.

#include "weighted_rows.h"
#include "for_this_cpu.h"

#include <algorithm>

namespace gr {
namespace gpufft {

namespace {

// Numbers per vector (one or several vectors of the CPU), vectors summed together, each a
// cache line of a row, and frames summed together, which read each weight once and find
// each other's rows in the cache. With 16 taps of 128 points an EPYC with AVX-512 takes
// 1.6 ns a complex sample for one frame, 0.9 for four.
constexpr std::size_t VECTOR = 16, TOGETHER = 4, FRAMES = 4;

// Shorter rows are summed side by side: with 33 taps rows of 6 complex samples take 1.6
// ns a sample instead of 28, rows of 9 1.6 instead of 2.6. Parts of the shortest fill no
// vector: sums side by side pay even where only one of several rows is needed.
constexpr std::size_t LONG_ROW = TOGETHER * VECTOR, SHORT_ROW = 2 * VECTOR, MOST_ROWS = 8;

// The first frame's rows, its sums, and what lies between frames.
struct frames_of_rows {
    const float* x;
    std::size_t x_distance;
    const float* w;
    std::size_t w_distance;
    std::size_t taps, count, frame_distance;
    float* y;
    std::size_t y_distance;
};

// The sums of the numbers from i on.
template <std::size_t Frames, std::size_t Vectors>
inline __attribute__((always_inline)) void sum_vectors(const frames_of_rows& of,
                                                       std::size_t i)
{
    float sums[Frames][Vectors * VECTOR] = {};
    for (std::size_t p = 0; p < of.taps; ++p) {
        const float* const w = of.w + p * of.w_distance + i;
        const float* const x = of.x + p * of.x_distance + i;
        for (std::size_t j = 0; j < Vectors * VECTOR; ++j)
            for (std::size_t f = 0; f < Frames; ++f)
                sums[f][j] += x[f * of.frame_distance + j] * w[j];
    }
    for (std::size_t f = 0; f < Frames; ++f)
        std::copy_n(sums[f], Vectors * VECTOR, of.y + f * of.y_distance + i);
}

// The last vector may overlap the one before: it has the same sums there.
template <std::size_t Frames, std::size_t Vectors>
inline __attribute__((always_inline)) void sum_frames(const frames_of_rows& of)
{
    std::size_t i = 0;
    for (; i + Vectors * VECTOR <= of.count; i += Vectors * VECTOR)
        sum_vectors<Frames, Vectors>(of, i);
    for (; Vectors > 1 && i + VECTOR <= of.count; i += VECTOR)
        sum_vectors<Frames, 1>(of, i);
    if (i < of.count && of.count >= VECTOR)
        return sum_vectors<Frames, 1>(of, of.count - VECTOR);
    for (; i < of.count; ++i)
        for (std::size_t f = 0; f < Frames; ++f) {
            float sum = 0;
            for (std::size_t p = 0; p < of.taps; ++p)
                sum += of.x[f * of.frame_distance + p * of.x_distance + i] *
                       of.w[p * of.w_distance + i];
            of.y[f * of.y_distance + i] = sum;
        }
}

} // namespace

GPUFFT_FOR_THIS_CPU
void sum_weighted_rows(const float* x,
                       std::size_t x_distance,
                       const float* w,
                       std::size_t w_distance,
                       std::size_t taps,
                       std::size_t count,
                       std::size_t frames,
                       std::size_t frame_distance,
                       float* y,
                       std::size_t y_distance)
{
    frames_of_rows of = { x,     x_distance,     w, w_distance, taps,
                          count, frame_distance, y, y_distance };
    for (; frames >= FRAMES; frames -= FRAMES) {
        sum_frames<FRAMES, 1>(of);
        of.x += FRAMES * frame_distance;
        of.y += FRAMES * y_distance;
    }
    for (; frames > 0; --frames, of.x += frame_distance, of.y += y_distance)
        sum_frames<1, TOGETHER>(of);
}

row_weights::row_weights(std::size_t taps, std::size_t row)
    : d_taps(taps),
      d_row(row),
      d_copies((LONG_ROW - 1) / row + 1),
      d_weights(taps * distance())
{
}

bool row_weights::pays_side_by_side(std::size_t rows) const
{
    return d_copies > 1 && rows <= (d_row < SHORT_ROW ? MOST_ROWS : 1);
}

void row_weights::sum_side_by_side(const float* x, std::size_t rows, float* y) const
{
    const std::size_t many = rows / d_copies, left = rows % d_copies;
    const std::size_t done = many * distance();
    const auto sum = [&](std::size_t begin, std::size_t count, std::size_t frames) {
        sum_weighted_rows(x + begin,
                          d_row,
                          data(),
                          distance(),
                          d_taps,
                          count,
                          frames,
                          distance(),
                          y + begin,
                          distance());
    };
    sum(0, distance(), many);
    if (left > 0)
        sum(done, left * d_row, 1);
}

} // namespace gpufft
} // namespace gr
