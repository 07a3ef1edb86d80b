// SPDX-License-Identifier: GPL-3.0-or-later
//
// The problem of a filter, and its taps as a window.

#include "filter_settings.h"
#include "problem/stream_batch.h"
#include "ranges.h"
#include <algorithm>

namespace gr {
namespace gpufft {

namespace {

constexpr std::size_t MAX_TAPS = std::size_t(1) << 24;
constexpr std::int64_t MAX_DECIMATION = std::int64_t(1) << 20;

// Rounds up by at most an eighth, so that other taps often fit the same plan.
std::size_t rounded_up(std::size_t taps)
{
    std::size_t step = 1;
    while (step * 16 <= taps)
        step *= 2;
    return (taps + step - 1) / step * step;
}

} // namespace

std::size_t padded_taps(std::int64_t decimation, std::size_t taps, std::size_t in_item)
{
    const std::size_t padded =
        std::clamp<std::size_t>(decimation, rounded_up(taps), MAX_TAPS);
    return (padded + in_item - 2) / in_item * in_item + 1;
}

plan_settings filter_settings(std::int64_t decimation,
                              const tap_numbers& taps,
                              sample_format own,
                              const item_formats& formats,
                              sample_choice choice)
{
    check_range("decimation", decimation, 1, MAX_DECIMATION);
    if (taps.count < 1 || taps.count > MAX_TAPS)
        throw std::invalid_argument(
            fmt::format("taps are {}: must be 1 ... {}", taps.count, MAX_TAPS));
    plan_settings result;
    problem& what = result.what;
    what.kind = transform_kind::filter;
    what.batch = frames_of_stream(1);
    what.hop = decimation;
    what.input = own;
    what.output = is_complex(own) ? output_kind::complex : output_kind::real;
    apply_formats(formats, what, choice);
    const std::size_t in_item = what.samples_in_item();
    if (std::size_t(decimation) % in_item != 0)
        throw std::invalid_argument(
            fmt::format("decimation is {}: must be a multiple of {}, the samples of an "
                        "item of {}",
                        decimation,
                        in_item,
                        to_string(what.input)));
    what.n = padded_taps(decimation, taps.count, in_item);
    what.window = true;
    what.complex_taps = taps.is_complex;
    const std::size_t parts = taps.is_complex ? 2 : 1;
    check_taps(taps.numbers, taps.count, parts);
    result.window.assign(taps.numbers, taps.numbers + taps.count * parts);
    result.window.resize(what.window_numbers());
    return result;
}

} // namespace gpufft
} // namespace gr
