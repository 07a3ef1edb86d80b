// SPDX-License-Identifier: GPL-3.0-or-later
//
// Sums some points at a time, so that the sums stay in registers.

#include "weighted_rows.h"
#include "for_this_cpu.h"

#include <algorithm>

namespace gr {
namespace gpufft {

namespace {

// Points per vector (one or several vectors of the CPU), and vectors summed together,
// each a cache line of a row. With 16 taps on an EPYC with AVX-512 this reaches 250 to
// 330 Msps, and 90 with vectors of SSE.
constexpr std::size_t POINTS = 16, TOGETHER = 4;

// The sums of the points from i on of all rows.
template <std::size_t Vectors, class Row>
inline __attribute__((always_inline)) void sum_vectors(const Row& row,
                                                       const float* w,
                                                       std::size_t distance,
                                                       std::size_t rows,
                                                       std::size_t i,
                                                       float* y)
{
    float sums[Vectors][POINTS] = {};
    for (std::size_t q = 0; q < rows; ++q) {
        const float* const x = row(q) + i;
        const float* const weights = w + q * distance + i;
        for (std::size_t v = 0; v < Vectors; ++v)
            for (std::size_t j = 0; j < POINTS; ++j)
                sums[v][j] += x[v * POINTS + j] * weights[v * POINTS + j];
    }
    for (std::size_t v = 0; v < Vectors; ++v)
        std::copy_n(sums[v], POINTS, y + i + v * POINTS);
}

template <class Row>
inline __attribute__((always_inline)) void sum_rows(const Row& row,
                                                    const float* w,
                                                    std::size_t distance,
                                                    std::size_t rows,
                                                    std::size_t count,
                                                    float* y)
{
    std::size_t i = 0;
    for (; i + TOGETHER * POINTS <= count; i += TOGETHER * POINTS)
        sum_vectors<TOGETHER>(row, w, distance, rows, i, y);
    for (; i + POINTS <= count; i += POINTS)
        sum_vectors<1>(row, w, distance, rows, i, y);
    for (; i < count; ++i) {
        float sum = 0;
        for (std::size_t q = 0; q < rows; ++q)
            sum += row(q)[i] * w[q * distance + i];
        y[i] = sum;
    }
}

// Classes for the parameter `row` above.
struct scattered_rows {
    const float* const* x;
    __attribute__((always_inline)) const float* operator()(std::size_t q) const
    {
        return x[q];
    }
};

struct even_rows {
    const float* x;
    std::size_t distance;
    __attribute__((always_inline)) const float* operator()(std::size_t q) const
    {
        return x + q * distance;
    }
};

} // namespace

GPUFFT_FOR_THIS_CPU
void sum_weighted_rows(const float* const* x,
                       const float* w,
                       std::size_t w_distance,
                       std::size_t rows,
                       std::size_t count,
                       float* y)
{
    sum_rows(scattered_rows{ x }, w, w_distance, rows, count, y);
}

GPUFFT_FOR_THIS_CPU
void sum_weighted_rows(const float* x,
                       std::size_t x_distance,
                       const float* w,
                       std::size_t w_distance,
                       std::size_t rows,
                       std::size_t count,
                       float* y)
{
    sum_rows(even_rows{ x, x_distance }, w, w_distance, rows, count, y);
}

} // namespace gpufft
} // namespace gr
