// SPDX-License-Identifier: GPL-3.0-or-later
//
// Makes a problem from the name that problem_text.cc writes.

#include "problem_fields.h"

#include <charconv>
#include <sstream>
#include <stdexcept>

namespace gr {
namespace gpufft {

namespace {

class problem_reader
{
public:
    explicit problem_reader(const std::string& text) : d_text(text) {}

    problem read();

    // Reads the field of the table if the token begins with its name.
    template <class Part, class Value>
    void operator()(const std::string& name, Value Part::*field)
    {
        const bool is_named =
            std::is_same_v<Value, bool> ? d_token == name : begins_with(name);
        if (is_named)
            read_value(once(field_of(d_what, field)), name.size());
    }

    template <class Part, class Value, std::size_t COUNT>
    void operator()(const std::string& before,
                    Value Part::*field,
                    const value_name<Value> (&names)[COUNT])
    {
        for (const auto& [value, name] : names)
            if (d_token == before + name)
                once(d_what.*field) = value;
    }

private:
    void begin();
    void read_token();
    void read_format();
    void read_lengths();
    std::size_t read_digits(const std::string& digits) const;
    void read_value(bool& flag, std::size_t) const { flag = true; }
    void read_value(std::size_t& count, std::size_t skip) const;
    void read_value(double& number, std::size_t skip) const;
    void read_value(std::vector<std::size_t>& list, std::size_t skip) const;
    void read_value(std::string& name, std::size_t skip) const;
    void read_value(density_grid& grid, std::size_t skip) const;

    bool begins_with(const std::string& name) const
    {
        return d_token.rfind(name, 0) == 0;
    }

    [[noreturn]] void refuse(const std::string& why) const
    {
        throw std::invalid_argument("problem \"" + d_text + "\": " + why);
    }
    [[noreturn]] void refuse_token(const std::string& why) const
    {
        refuse("token \"" + d_token + "\" " + why);
    }

    // The field that the token sets. Throws if an earlier token has set the field.
    template <class Field>
    Field& once(Field& field)
    {
        for (const auto& [place, earlier] : d_set)
            if (place == &field)
                refuse_token("sets again what \"" + earlier + "\" has set");
        d_set.emplace_back(&field, d_token);
        return field;
    }

    const std::string& d_text;
    std::istringstream d_tokens{ d_text };
    std::string d_token;
    problem d_what;
    bool d_is_double = false;
    std::vector<std::pair<const void*, std::string>> d_set; // fields, with their tokens
};

std::size_t problem_reader::read_digits(const std::string& digits) const
{
    if (digits.empty() || digits.find_first_not_of("0123456789") != std::string::npos)
        refuse_token("needs a whole number after its name");
    try {
        return std::stoull(digits);
    } catch (const std::out_of_range&) {
        refuse("the number in token \"" + d_token + "\" is too large");
    }
}

void problem_reader::read_value(std::size_t& count, std::size_t skip) const
{
    count = read_digits(d_token.substr(skip));
}

void problem_reader::read_value(double& number, std::size_t skip) const
{
    const char* end = d_token.data() + d_token.size();
    const auto [stop, error] = std::from_chars(d_token.data() + skip, end, number);
    if (error != std::errc() || stop != end)
        refuse_token("needs a number after its name");
}

// "16x16"
void problem_reader::read_value(std::vector<std::size_t>& list, std::size_t skip) const
{
    std::istringstream numbers(d_token.substr(skip));
    list.clear();
    for (std::string digits; std::getline(numbers, digits, 'x');)
        list.push_back(read_digits(digits));
    if (list.empty() || d_token.back() == 'x')
        refuse_token("needs whole numbers with x between them");
}

void problem_reader::read_value(std::string& name, std::size_t skip) const
{
    name = d_token.substr(skip);
}

void problem_reader::read_value(density_grid& grid, std::size_t skip) const
{
    std::vector<std::size_t> cells;
    read_value(cells, skip);
    if (cells.size() != 2 || cells[0] == 0)
        refuse_token("needs columns and levels, e.g. density1024x128");
    grid.columns = cells[0];
    grid.levels = cells[1];
}

void problem_reader::read_lengths()
{
    std::vector<std::size_t> lengths;
    read_value(lengths, 1);
    once(d_what.n) = 1;
    for (std::size_t length : lengths) {
        if (length > MAX_ARRAY_POINTS / std::max<std::size_t>(d_what.n, 1))
            refuse_token("has more points than 2^34 in one transform");
        d_what.n *= length;
    }
    if (lengths.size() > 1)
        d_what.lengths = lengths;
}

// Tokens that depend on the kind or on other tokens.
void problem_reader::read_format()
{
    if (d_token == "real" && d_what.kind == transform_kind::c2c)
        once(d_what.input) = working_format(false, d_what.is_double());
    else if (d_token == "real" && d_what.kind == transform_kind::filter)
        once(d_what.input) = sample_format::f32;
    else if (d_token == "f64") {
        once(d_is_double) = true;
        if (d_what.input == sample_format::cf32)
            d_what.input = sample_format::cf64;
        else if (d_what.input == sample_format::f32)
            d_what.input = sample_format::f64;
    }
}

void problem_reader::read_token()
{
    const std::size_t before = d_set.size();
    visit_fields(*this);
    read_format();
    if (d_set.size() > before)
        return;
    if (begins_with("n"))
        read_lengths();
    else if (begins_with("b"))
        read_value(once(d_what.batch), 1);
    else
        refuse("unknown token \"" + d_token +
               "\"; there are n<N>x<M>..., b<batch>, real (of c2c, filter), cs16, cs12, "
               "cs8, cf16, f16, s16, s12, s10, s8, f64, hop<samples>, istrides<S>x..., "
               "ostrides<S>x..., "
               "odist<bins>, window, taps<count>, running, ctaps, shiftin, power, "
               "decibel, outf16, outs16, outs8, shiftout, ortho, alone, bins<bins>, "
               "from<f>, to<f>, shifts<count>, delays<count>, blocks<count>, templates, "
               "best, grid, load=<expression>, product=<expression>, "
               "store=<expression>, "
               "max, min, kurtosis, density<columns>x<levels>, "
               "first<bin>, span<bins>, low<dB>, high<dB>, avg<frames>, smooth<a>, "
               "holdmax, holdmin, scale<s>, algorithm=<name>");
}

// The kind, and the direction of c2c.
void problem_reader::begin()
{
    std::string names;
    const kind_properties* kind = nullptr;
    std::getline(d_tokens, d_token, '_');
    for (const kind_properties& each : transform_kinds()) {
        names += (names.empty() ? "" : ", ") + std::string(each.name);
        if (d_token == each.name)
            kind = &each;
    }
    if (kind == nullptr)
        refuse("begins with \"" + d_token + "\", but must begin with one of " + names);
    d_what = usual_problem(kind->kind);
    if (d_what.kind != transform_kind::c2c)
        return;
    std::string dir;
    std::getline(d_tokens, dir, '_');
    const auto known = value_in(DIRECTION_NAMES, dir);
    if (!known)
        refuse("direction is \"" + dir + "\", but must be forward or inverse");
    d_what.dir = *known;
}

problem problem_reader::read()
{
    begin();
    while (std::getline(d_tokens, d_token, '_'))
        read_token();
    if (d_what.kind == transform_kind::filter && !is_complex(d_what.input) &&
        !d_what.is_channel_bank())
        d_what.output = output_kind::real;
    if (d_is_double && !d_what.is_double())
        refuse(std::string("token \"f64\" is for inputs without another format, not ") +
               to_string(d_what.input));
    d_what.validate();
    return d_what;
}

} // namespace

problem problem::from_string(const std::string& text)
{
    return problem_reader(text).read();
}

} // namespace gpufft
} // namespace gr
