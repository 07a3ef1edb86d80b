// SPDX-License-Identifier: GPL-3.0-or-later
//
// Plan settings for FIR filters.

#ifndef INCLUDED_GPUFFT_FILTER_SETTINGS_H
#define INCLUDED_GPUFFT_FILTER_SETTINGS_H

#include "item_format.h"
#include "stream/live_plan.h"
#include <cstdint>
#include <gnuradio/gr_complex.h>
#include <vector>

namespace gr {
namespace gpufft {

// Real or complex taps as single-precision numbers.
struct tap_numbers {
    const float* numbers;
    std::size_t count;
    bool is_complex;
};

inline tap_numbers numbers_of(const std::vector<float>& taps)
{
    return { taps.data(), taps.size(), false };
}

inline tap_numbers numbers_of(const std::vector<gr_complex>& taps)
{
    return { reinterpret_cast<const float*>(taps.data()), taps.size(), true };
}

// Number of taps of a plan for `taps` taps: at least the decimation, and often more taps,
// so that other taps also fit the plan. With `in_item` samples in an item, the oldest and
// the newest sample of a row begin one.
std::size_t
padded_taps(std::int64_t decimation, std::size_t taps, std::size_t in_item = 1);

// The plan's settings, except threads and rotations. Throws std::invalid_argument for a
// value out of range. `own` is the format of the block's name; choice: see
// apply_formats().
plan_settings filter_settings(std::int64_t decimation,
                              const tap_numbers& taps,
                              sample_format own,
                              const item_formats& formats,
                              sample_choice choice = sample_choice::packed);

} // namespace gpufft
} // namespace gr

#endif
