// SPDX-License-Identifier: GPL-3.0-or-later
//
// The sizes that follow from a problem's fields.

#include "problem_axes.h"
#include "problem_fields.h"

#include <algorithm>

namespace gr {
namespace gpufft {

axis_lengths input_lengths(const problem& what)
{
    const std::size_t periods = what.taps * what.blocks;
    return { what, transform_kind::c2r, periods > 1 ? what.n * periods : 0 };
}

namespace {

// Items in a row; 0: what the axes say.
std::size_t items_of_row(const problem& what)
{
    const std::size_t several = std::max<std::size_t>(what.bins, 1);
    if (what.is_correlation())
        return what.peaks == peak_rows::best   ? PEAK_NUMBERS
               : what.peaks == peak_rows::grid ? several * what.shifts * delays_of(what)
                                               : several * PEAK_NUMBERS;
    return what.kind == transform_kind::filter ? several : what.bins;
}

} // namespace

std::size_t delays_of(const problem& what)
{
    return what.delays == 0 ? what.n : what.delays;
}

axis_lengths output_lengths(const problem& what)
{
    return { what, transform_kind::r2c, items_of_row(what) };
}

bool is_complex(sample_format format)
{
    return format == sample_format::cf32 || format == sample_format::cs16 ||
           format == sample_format::cs8 || format == sample_format::cf16 ||
           format == sample_format::cf64 || format == sample_format::cs12;
}

sample_format working_format(bool is_complex, bool is_double)
{
    if (is_double)
        return is_complex ? sample_format::cf64 : sample_format::f64;
    return is_complex ? sample_format::cf32 : sample_format::f32;
}

problem usual_problem(transform_kind kind)
{
    problem what;
    what.kind = kind;
    what.n = 0; // a length is required
    what.input = working_format(!reads_real(kind), false);
    if (stores_real(kind) || what.is_correlation())
        what.output = output_kind::real;
    what.window = kind == transform_kind::filter || kind == transform_kind::synthesis ||
                  kind == transform_kind::correlation;
    return what;
}

problem problem::make(transform_kind kind,
                      const std::vector<std::size_t>& lengths,
                      std::size_t batch,
                      bool is_double)
{
    problem what = usual_problem(kind);
    if (!lengths.empty()) {
        what.n = 1;
        for (std::size_t length : lengths) // no wrap-around past the range
            what.n = what.n > 0 && length > MAX_ARRAY_POINTS / what.n
                         ? MAX_ARRAY_POINTS + 1
                         : length * what.n;
    }
    if (lengths.size() > 1)
        what.lengths = lengths;
    what.batch = batch;
    what.input = working_format(!reads_real(kind), is_double);
    what.validate();
    return what;
}

std::vector<std::size_t> problem::axes() const
{
    return lengths.empty() ? std::vector<std::size_t>{ n } : lengths;
}

bool problem::is_double() const
{
    return input == sample_format::cf64 || input == sample_format::f64;
}

std::size_t problem::frame_samples() const { return input_lengths(*this).points(); }

std::size_t problem::row_bins() const { return output_lengths(*this).points(); }

std::size_t problem::row_items() const
{
    constexpr std::size_t DENSITY_FACTS = 4, TOGETHER = 1024;
    if (!has_density())
        return row_bins();
    const std::size_t items = row_traces() * row_bins() + density.cells() + DENSITY_FACTS;
    return (items + TOGETHER - 1) / TOGETHER * TOGETHER;
}

std::size_t problem::window_numbers() const
{
    if (kind == transform_kind::synthesis)
        return row_bins() * taps;
    if (is_correlation())
        return 2 * n * std::max<std::size_t>(bins, 1);
    const std::size_t filters = is_channel_bank() && !running ? bins : 1;
    return frame_samples() * filters * (complex_taps ? 2 : 1);
}

std::size_t problem::input_span() const
{
    return input_lengths(*this).span(input_strides);
}

std::size_t problem::output_span() const
{
    return has_density() ? row_items() : output_lengths(*this).span(output_strides);
}

bool problem::has_plain_rows() const
{
    return output_strides.empty() && effective_output_distance() == row_items();
}

std::size_t problem::input_item_bytes() const
{
    switch (input) {
    case sample_format::cf64:
        return 16;
    case sample_format::cf32:
    case sample_format::f64:
        return 8;
    case sample_format::f32:
    case sample_format::cs16:
    case sample_format::cf16:
        return 4;
    case sample_format::s10:
        return 5;
    case sample_format::cs12:
    case sample_format::s12:
        return 3;
    case sample_format::cs8:
    case sample_format::f16:
    case sample_format::s16:
        return 2;
    case sample_format::s8:
        return 1;
    }
    return 0;
}

std::size_t problem::output_item_bytes() const
{
    const std::size_t parts = output == output_kind::complex ? 2 : 1;
    switch (stored) {
    case number_format::working:
        return parts * (is_double() ? 8 : 4);
    case number_format::f16:
    case number_format::s16:
        return parts * 2;
    case number_format::s8:
        return parts;
    }
    return 0;
}

} // namespace gpufft
} // namespace gr
