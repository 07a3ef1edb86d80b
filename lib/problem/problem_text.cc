// SPDX-License-Identifier: GPL-3.0-or-later
//
// The problem's name: one string for test names, benchmark arguments and messages.
// problem_reader.cc reads it.

#include "problem_fields.h"

#include <charconv>
#include <iterator>
#include <sstream>

namespace gr {
namespace gpufft {

namespace {

std::string text_of(bool) { return ""; }
std::string text_of(std::size_t count) { return std::to_string(count); }
std::string text_of(const std::string& name) { return name; }

// The shortest decimal text that reads back as the same double. It has a point in every
// locale: Qt programs take the user's locale, which may have a comma.
std::string text_of(double value)
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

std::string text_of(const std::vector<std::size_t>& numbers)
{
    std::string text;
    for (std::size_t number : numbers)
        text += (text.empty() ? "" : "x") + std::to_string(number);
    return text;
}

std::string text_of(const density_grid& grid)
{
    return text_of(std::vector<std::size_t>{ grid.columns, grid.levels });
}

// The problem, with the usual value in each field that to_string() leaves out.
problem without_defaults(problem what, const problem& usual)
{
    const std::size_t hop = what.effective_hop();
    what.hop = 0;
    if (what.effective_hop() != hop)
        what.hop = hop;
    if (what.effective_output_distance() == what.output_span())
        what.output_distance = 0;
    what.window |= usual.window;
    if (!what.is_power())
        what.output = usual.output;
    if (!what.has_density())
        what.density = density_grid();
    return what;
}

// Writes the fields of the table that are not the usual ones.
struct field_writer {
    std::ostream& text;
    const problem& what;
    const problem& usual;

    template <class Part, class Value>
    void operator()(const char* token, Value Part::*field)
    {
        const Value& value = field_of(what, field);
        if (value != field_of(usual, field))
            text << '_' << token << text_of(value);
    }

    template <class Part, class Value, std::size_t COUNT>
    void operator()(const char* token,
                    Value Part::*field,
                    const value_name<Value> (&names)[COUNT])
    {
        for (const auto& [value, name] : names)
            if (what.*field == value && usual.*field != value)
                text << '_' << token << name;
    }
};

} // namespace

std::string problem::to_string() const
{
    std::ostringstream text;
    text << gpufft::to_string(kind);
    if (kind == transform_kind::c2c)
        text << '_' << gpufft::to_string(dir);
    text << "_n" << text_of(axes()) << "_b" << batch;
    const bool is_from_real = input == sample_format::f32 || input == sample_format::f64;
    if (is_from_real && (kind == transform_kind::c2c || kind == transform_kind::filter))
        text << "_real";
    if (is_double())
        text << "_f64";
    const problem usual = usual_problem(kind);
    const problem written = without_defaults(*this, usual);
    visit_fields(field_writer{ text, written, usual });
    return text.str();
}

} // namespace gpufft
} // namespace gr
