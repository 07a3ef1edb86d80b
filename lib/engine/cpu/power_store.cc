// SPDX-License-Identifier: GPL-3.0-or-later
//
// Powers and decibels by VOLK, a run of bins at a time. Where VOLK's kernels for aligned
// memory round differently, those for any memory (_u) are called: rows may be anywhere.

#include "power_store.h"

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <volk/volk.h>

namespace gr {
namespace gpufft {

namespace {

constexpr float DECIBELS_PER_OCTAVE = 3.01029995664f; // 10 log10(2)
constexpr std::int32_t INFINITY_BITS = 0x7f800000;

// 10 log10 of one value that is FLT_MIN or more, or NaN.
float decibel(float value)
{
    return std::isfinite(value) ? 10.0f * std::log10(value) : value;
}

} // namespace

void decibels(float* values, std::size_t count)
{
    std::int32_t largest = 0; // bits of the largest magnitude; NaN has larger ones
    for (std::size_t k = 0; k < count; ++k) {
        const float value = values[k] < FLT_MIN ? FLT_MIN : values[k];
        std::int32_t bits;
        std::memcpy(&bits, &value, sizeof(bits));
        values[k] = value;
        largest = std::max(largest, bits & 0x7fffffff);
    }
    if (largest >= INFINITY_BITS) { // VOLK's logarithm would hide them
        std::transform(values, values + count, values, decibel);
        return;
    }
    volk_32f_log2_32f_u(values, values, count);
    volk_32f_s32f_multiply_32f(values, values, DECIBELS_PER_OCTAVE, count);
}

power_store::power_store(const problem& what, bool is_shifted)
    : d_kind(what.output),
      d_n(what.row_bins()),
      d_rotation(what.shift_output && !is_shifted ? d_n / 2 : 0)
{
}

void power_store::store(const std::complex<float>* bins, float scale, float* row) const
{
    store_range(0, d_n, row, [&](std::size_t from, std::size_t count, float* target) {
        volk_32fc_magnitude_squared_32f_u(target, bins + from, count);
        if (scale != 1.0f)
            volk_32f_s32f_multiply_32f(target, target, scale, count);
    });
}

} // namespace gpufft
} // namespace gr
