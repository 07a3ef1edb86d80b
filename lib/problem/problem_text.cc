// SPDX-License-Identifier: GPL-3.0-or-later
//
// The problem's name: one string for test names, benchmark arguments and messages.
// problem_reader.cc reads it.

#include "problem_names.h"

#include <charconv>
#include <iterator>
#include <sstream>

namespace gr {
namespace gpufft {

namespace {

// Shortest decimal text that reads back as the same double, with a point in every locale:
// Qt's programs take the user's, which may have a comma.
std::string number_text(double value)
{
    char text[32];
    char* end = text;
    for (int digits = 6; digits <= 17; ++digits) {
        end = std::to_chars(std::begin(text),
                            std::end(text),
                            value,
                            std::chars_format::general,
                            digits)
                  .ptr;
        double back = 0;
        if (std::from_chars(text, end, back); back == value)
            break;
    }
    return std::string(text, end);
}

std::string density_text(const density_grid& grid)
{
    const density_grid usual;
    std::ostringstream text;
    text << "_density" << grid.columns << 'x' << grid.levels;
    if (grid.first != usual.first)
        text << "_first" << grid.first;
    if (grid.bins != usual.bins)
        text << "_span" << grid.bins;
    if (grid.low != usual.low)
        text << "_low" << number_text(grid.low);
    if (grid.high != usual.high)
        text << "_high" << number_text(grid.high);
    return text.str();
}

std::string list_text(const std::vector<std::size_t>& numbers)
{
    std::string text;
    for (std::size_t number : numbers)
        text += (text.empty() ? "" : "x") + std::to_string(number);
    return text;
}

} // namespace

std::string problem::to_string() const
{
    std::ostringstream text;
    text << gpufft::to_string(kind);
    if (kind == transform_kind::c2c)
        text << '_' << gpufft::to_string(dir);
    text << "_n" << list_text(axes()) << "_b" << batch;
    const bool is_from_real = input == sample_format::f32 || input == sample_format::f64;
    const bool is_filter = kind == transform_kind::filter;
    const bool is_synthesis = kind == transform_kind::synthesis;
    if ((kind == transform_kind::c2c || is_filter) && is_from_real)
        text << "_real";
    for (const auto& [format, name] : FORMAT_NAMES)
        if (input == format)
            text << '_' << name;
    if (is_double())
        text << "_f64";
    if (effective_hop() != (is_filter ? 1 : is_synthesis ? n : input_span()))
        text << "_hop" << hop;
    if (!input_strides.empty())
        text << "_istrides" << list_text(input_strides);
    if (!output_strides.empty())
        text << "_ostrides" << list_text(output_strides);
    if (effective_output_distance() != output_span())
        text << "_odist" << output_distance;
    if (window && !is_filter && !is_synthesis)
        text << "_window";
    if (taps != 1)
        text << "_taps" << taps;
    if (running)
        text << "_running";
    if (complex_taps)
        text << "_ctaps";
    if (shift_input)
        text << "_shiftin";
    if (is_power())
        text << '_' << gpufft::to_string(output);
    if (stored != number_format::working)
        text << "_out" << gpufft::to_string(stored);
    if (shift_output)
        text << "_shiftout";
    if (orthogonal)
        text << "_ortho";
    if (alone)
        text << "_alone";
    if (bins != 0)
        text << "_bins" << bins;
    if (f_start != 0.0)
        text << "_from" << number_text(f_start);
    if (f_stop != 1.0)
        text << "_to" << number_text(f_stop);
    if (detector != detector_kind::mean)
        text << '_' << gpufft::to_string(detector);
    if (has_density())
        text << density_text(density);
    if (average != 1)
        text << "_avg" << average;
    if (smoothing != 1.0)
        text << "_smooth" << number_text(smoothing);
    if (hold != hold_kind::none)
        text << "_hold" << gpufft::to_string(hold);
    if (scale != 1.0)
        text << "_scale" << number_text(scale);
    if (!algorithm.empty())
        text << "_algorithm=" << algorithm;
    return text.str();
}

} // namespace gpufft
} // namespace gr
