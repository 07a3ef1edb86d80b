// SPDX-License-Identifier: GPL-3.0-or-later
//
// The names of directions, formats and outputs in a problem's name.

#ifndef INCLUDED_GPUFFT_PROBLEM_NAMES_H
#define INCLUDED_GPUFFT_PROBLEM_NAMES_H

#include <gnuradio/gpufft/problem.h>
#include <optional>
#include <string>
#include <utility>

namespace gr {
namespace gpufft {

template <class Value>
using value_name = std::pair<Value, const char*>;

inline constexpr value_name<direction> DIRECTION_NAMES[] = {
    { direction::forward, "forward" },
    { direction::inverse, "inverse" }
};

// The formats that have a token; cf32, f32, cf64 and f64 follow from the kind and from
// the tokens "real" and "f64".
inline constexpr value_name<sample_format> FORMAT_NAMES[] = {
    { sample_format::cs16, "cs16" }, { sample_format::cs12, "cs12" },
    { sample_format::cs8, "cs8" },   { sample_format::cf16, "cf16" },
    { sample_format::f16, "f16" },   { sample_format::s16, "s16" },
    { sample_format::s12, "s12" },   { sample_format::s10, "s10" },
    { sample_format::s8, "s8" },
};

inline constexpr value_name<output_kind> OUTPUT_NAMES[] = {
    { output_kind::complex, "complex" },
    { output_kind::power, "power" },
    { output_kind::decibel, "decibel" },
    { output_kind::real, "real" }
};

inline constexpr value_name<output_kind> POWER_NAMES[] = {
    { output_kind::power, "power" },
    { output_kind::decibel, "decibel" }
};

inline constexpr value_name<number_format> STORED_NAMES[] = {
    { number_format::f16, "f16" },
    { number_format::s16, "s16" },
    { number_format::s8, "s8" }
};

inline constexpr value_name<detector_kind> DETECTOR_NAMES[] = {
    { detector_kind::mean, "mean" },
    { detector_kind::max, "max" },
    { detector_kind::min, "min" },
    { detector_kind::kurtosis, "kurtosis" }
};

inline constexpr value_name<peak_rows> PEAK_NAMES[] = { { peak_rows::templates,
                                                          "templates" },
                                                        { peak_rows::best, "best" },
                                                        { peak_rows::grid, "grid" } };

inline constexpr value_name<hold_kind> HOLD_NAMES[] = { { hold_kind::none, "none" },
                                                        { hold_kind::max, "max" },
                                                        { hold_kind::min, "min" } };

template <class Value, std::size_t COUNT>
const char* name_in(const value_name<Value> (&names)[COUNT], Value value)
{
    for (const auto& [each, name] : names)
        if (each == value)
            return name;
    return "?";
}

template <class Value, std::size_t COUNT>
std::optional<Value> value_in(const value_name<Value> (&names)[COUNT],
                              const std::string& wanted)
{
    for (const auto& [value, name] : names)
        if (wanted == name)
            return value;
    return std::nullopt;
}

} // namespace gpufft
} // namespace gr

#endif
