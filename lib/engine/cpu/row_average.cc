// SPDX-License-Identifier: GPL-3.0-or-later
//
// Running sums in double, plain loops that the compiler vectorises.

#include "row_average.h"

#include <algorithm>
#include <utility>

namespace gr {
namespace gpufft {

void row_average::allocate(std::size_t n)
{
    aligned_buffer<double> sum(n), smoothed(n);
    std::fill_n(sum.data(), n, 0.0);
    std::fill_n(smoothed.data(), n, 0.0);
    d_sum = std::move(sum);
    d_smoothed = std::move(smoothed);
}

void row_average::reset() { std::fill_n(d_sum.data(), d_sum.size(), 0.0); }

void row_average::add(const float* part, std::size_t first, std::size_t last)
{
    double* sum = d_sum.data();
    for (std::size_t k = first; k < last; ++k)
        sum[k] += static_cast<double>(part[k]);
}

void row_average::finish(float* mean,
                         double factor,
                         double weight,
                         std::size_t first,
                         std::size_t count)
{
    double* sum = d_sum.data() + first;
    double* smoothed = d_smoothed.data() + first;
    if (weight == 1.0) { // not 0 * earlier, which would keep a NaN
        for (std::size_t i = 0; i < count; ++i)
            smoothed[i] = sum[i] * factor;
    } else {
        for (std::size_t i = 0; i < count; ++i)
            smoothed[i] = weight * (sum[i] * factor) + (1.0 - weight) * smoothed[i];
    }
    for (std::size_t i = 0; i < count; ++i) {
        mean[i] = static_cast<float>(smoothed[i]);
        sum[i] = 0.0;
    }
}

} // namespace gpufft
} // namespace gr
