// SPDX-License-Identifier: GPL-3.0-or-later
//
// Some points at a time, whose sums stay in registers.

#include "weighted_rows.h"
#include "for_this_cpu.h"

#include <algorithm>

namespace gr {
namespace gpufft {

namespace {

// Points summed together: eight vectors of SSE, two of AVX-512.
constexpr std::size_t POINTS = 32;

} // namespace

GPUFFT_FOR_THIS_CPU
void sum_weighted_rows(const float* const* x,
                       const float* w,
                       std::size_t distance,
                       std::size_t rows,
                       std::size_t count,
                       float* y)
{
    std::size_t i = 0;
    for (; i + POINTS <= count; i += POINTS) {
        float sums[POINTS] = {};
        for (std::size_t q = 0; q < rows; ++q)
            for (std::size_t j = 0; j < POINTS; ++j)
                sums[j] += x[q][i + j] * w[q * distance + i + j];
        std::copy_n(sums, POINTS, y + i);
    }
    for (; i < count; ++i) {
        float sum = 0;
        for (std::size_t q = 0; q < rows; ++q)
            sum += x[q][i] * w[q * distance + i];
        y[i] = sum;
    }
}

} // namespace gpufft
} // namespace gr
