// SPDX-License-Identifier: GPL-3.0-or-later
//
// Names of formats, and what they make of a problem.

#include "item_format.h"
#include <cmath>
#include <limits>
#include <spdlog/fmt/fmt.h>
#include <stdexcept>
#include <vector>

namespace gr {
namespace gpufft {

namespace {

struct named_format {
    const char* name;
    sample_format input;
    number_format stored;
};

typedef std::vector<named_format> format_list;

const format_list COMPLEX = {
    { "cf32", sample_format::cf32, number_format::working },
    { "cs16", sample_format::cs16, number_format::s16 },
    { "cs8", sample_format::cs8, number_format::s8 },
    { "cf16", sample_format::cf16, number_format::f16 },
};

const format_list PACKED_REAL = {
    { "s12", sample_format::s12, number_format::working },
    { "s10", sample_format::s10, number_format::working },
};

const format_list PACKED = { { "cs12", sample_format::cs12, number_format::working } };

const format_list REAL = {
    { "f32", sample_format::f32, number_format::working },
    { "s16", sample_format::s16, number_format::s16 },
    { "s8", sample_format::s8, number_format::s8 },
    { "f16", sample_format::f16, number_format::f16 },
};

named_format find_format(const char* parameter,
                         const std::string& name,
                         const std::vector<const format_list*>& allowed)
{
    std::string names;
    for (const format_list* list : allowed)
        for (const named_format& each : *list) {
            if (name == each.name)
                return each;
            names += each.name + std::string(", ");
        }
    throw std::invalid_argument(
        fmt::format("{} is '{}': must be {}or '' (as the block's name says)",
                    parameter,
                    name,
                    names));
}

} // namespace

void apply_formats(const item_formats& formats, problem& what, sample_choice choice)
{
    const bool is_from_real = !is_complex(what.input);
    std::vector<const format_list*> inputs;
    if (!is_from_real)
        inputs.push_back(&COMPLEX);
    if (!is_from_real && choice >= sample_choice::packed)
        inputs.push_back(&PACKED);
    if (is_from_real || choice == sample_choice::packed_real)
        inputs.push_back(&REAL);
    if (choice == sample_choice::packed_real)
        inputs.push_back(&PACKED_REAL);
    if (!formats.input.empty())
        what.input = find_format("input", formats.input, inputs).input;
    if (!formats.output.empty())
        what.stored =
            find_format("output",
                        formats.output,
                        { what.output == output_kind::complex ? &COMPLEX : &REAL })
                .stored;
    constexpr double MOST = std::numeric_limits<float>::max();
    if (!(std::abs(formats.output_scale) <= MOST))
        throw std::invalid_argument(fmt::format(
            "output_scale is {}: must be {} ... {}", formats.output_scale, -MOST, MOST));
    what.scale *= formats.output_scale;
}

static problem with_formats(const item_formats& formats, sample_format own)
{
    problem what;
    what.input = own;
    apply_formats(formats, what, sample_choice::packed_real);
    return what;
}

sample_format input_of(const item_formats& formats, sample_format own)
{
    return with_formats(formats, own).input;
}

item_bytes bytes_of(const item_formats& formats, sample_format own)
{
    const problem what = with_formats(formats, own);
    return { what.input_item_bytes(), what.output_item_bytes() };
}

} // namespace gpufft
} // namespace gr
