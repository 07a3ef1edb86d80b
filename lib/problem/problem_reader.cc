// SPDX-License-Identifier: GPL-3.0-or-later
//
// A problem from the name that problem_text.cc gives it.

#include "problem_names.h"

#include <charconv>
#include <sstream>
#include <stdexcept>

namespace gr {
namespace gpufft {

namespace {

[[noreturn]] void refuse(const std::string& text, const std::string& why)
{
    throw std::invalid_argument("problem \"" + text + "\": " + why);
}

std::size_t
read_digits(const std::string& text, const std::string& token, const std::string& digits)
{
    if (digits.empty() || digits.find_first_not_of("0123456789") != std::string::npos)
        refuse(text, "token \"" + token + "\" needs a whole number after its name");
    try {
        return std::stoull(digits);
    } catch (const std::out_of_range&) {
        refuse(text, "the number in token \"" + token + "\" is too large");
    }
}

std::size_t
read_count(const std::string& text, const std::string& token, std::size_t skip)
{
    return read_digits(text, token, token.substr(skip));
}

// "16x16"
std::vector<std::size_t>
read_list(const std::string& text, const std::string& token, std::size_t skip)
{
    std::vector<std::size_t> numbers;
    std::istringstream list(token.substr(skip));
    for (std::string digits; std::getline(list, digits, 'x');)
        numbers.push_back(read_digits(text, token, digits));
    if (numbers.empty() || token.back() == 'x')
        refuse(text, "token \"" + token + "\" needs whole numbers with x between them");
    return numbers;
}

double read_number(const std::string& text, const std::string& token, std::size_t skip)
{
    const char* begin = token.data() + skip;
    const char* end = token.data() + token.size();
    double value = 0;
    const auto [stop, error] = std::from_chars(begin, end, value);
    if (error != std::errc() || stop != end)
        refuse(text, "token \"" + token + "\" needs a number after its name");
    return value;
}

void read_lengths(problem& what, const std::string& text, const std::string& token)
{
    const std::vector<std::size_t> lengths = read_list(text, token, 1);
    what.n = 1;
    for (std::size_t length : lengths) {
        if (length > MAX_FFT_SIZE || what.n * length > MAX_FFT_SIZE)
            refuse(text,
                   "token \"" + token + "\" has more points than 2^30 in one transform");
        what.n *= length;
    }
    what.lengths.clear();
    if (lengths.size() > 1)
        what.lengths = lengths;
}

// Tokens that name a field, alone or followed by its value. If one begins like another,
// the longer comes first.
template <class Field>
using field_name = std::pair<const char*, Field>;

constexpr field_name<bool problem::*> FLAGS[] = {
    { "window", &problem::window },         { "shiftin", &problem::shift_input },
    { "running", &problem::running },       { "ctaps", &problem::complex_taps },
    { "shiftout", &problem::shift_output }, { "ortho", &problem::orthogonal },
    { "alone", &problem::alone },
};
constexpr field_name<std::size_t problem::*> COUNTS[] = {
    { "hop", &problem::hop },   { "odist", &problem::output_distance },
    { "taps", &problem::taps }, { "avg", &problem::average },
    { "bins", &problem::bins }, { "b", &problem::batch },
};
constexpr field_name<double problem::*> NUMBERS[] = { { "from", &problem::f_start },
                                                      { "to", &problem::f_stop },
                                                      { "smooth", &problem::smoothing },
                                                      { "scale", &problem::scale } };
constexpr field_name<std::vector<std::size_t> problem::*> LISTS[] = {
    { "istrides", &problem::input_strides },
    { "ostrides", &problem::output_strides }
};
constexpr field_name<std::size_t density_grid::*> DENSITY_COUNTS[] = {
    { "first", &density_grid::first },
    { "span", &density_grid::bins }
};
constexpr field_name<double density_grid::*> DENSITY_NUMBERS[] = {
    { "low", &density_grid::low },
    { "high", &density_grid::high }
};

// The fields that earlier tokens have set: a text sets each field once.
class fields_set
{
public:
    explicit fields_set(const std::string& text) : d_text(text) {}

    // Remembers the field. Throws std::invalid_argument if an earlier token has set it.
    template <class Field>
    Field& once(Field& field, const std::string& token)
    {
        for (const auto& [place, earlier] : d_tokens)
            if (place == &field)
                refuse(d_text,
                       "token \"" + token + "\" sets again what \"" + earlier +
                           "\" has set");
        d_tokens.emplace_back(&field, token);
        return field;
    }

private:
    const std::string& d_text;
    std::vector<std::pair<const void*, std::string>> d_tokens;
};

// Reads the field of `what` whose name is the first that the token begins with. Returns
// whether there is one.
template <class Names, class Record, class Read>
bool read_field(const Names& names,
                Record& what,
                fields_set& set,
                const std::string& token,
                Read read)
{
    for (const auto& [name, field] : names)
        if (token.rfind(name, 0) == 0) {
            set.once(what.*field, token) = read(std::string(name).size());
            return true;
        }
    return false;
}

// Sets `field` if the token is `before` and then one of the names.
template <class Value, std::size_t COUNT>
bool read_name(Value& field,
               fields_set& set,
               const value_name<Value> (&names)[COUNT],
               const std::string& token,
               const std::string& before = "")
{
    if (token.rfind(before, 0) != 0)
        return false;
    const auto value = value_in(names, token.substr(before.size()));
    if (value)
        set.once(field, token) = *value;
    return value.has_value();
}

void read_cells(problem& what, const std::string& text, const std::string& token)
{
    const std::vector<std::size_t> cells = read_list(text, token, 7);
    if (cells.size() != 2 || cells[0] == 0)
        refuse(text,
               "token \"" + token + "\" needs columns and levels, e.g. density1024x128");
    what.density.columns = cells[0];
    what.density.levels = cells[1];
}

// Reads what only a whole transform has: the format of its samples and the kind of its
// results.
bool read_format(problem& what, fields_set& set, const std::string& token)
{
    if (token == "real" && what.kind == transform_kind::c2c)
        set.once(what.input, token) = working_format(false, what.is_double());
    else if (token == "real" && what.kind == transform_kind::filter) {
        set.once(what.input, token) = sample_format::f32;
        set.once(what.output, token) = output_kind::real;
    } else if (token == "f64" && what.input == sample_format::cf32)
        what.input = sample_format::cf64;
    else if (token == "f64" && what.input == sample_format::f32)
        what.input = sample_format::f64;
    else if (token == "power")
        set.once(what.output, token) = output_kind::power;
    else if (token == "decibel")
        set.once(what.output, token) = output_kind::decibel;
    else
        return false;
    return true;
}

bool read_flag(problem& what, fields_set& set, const std::string& token)
{
    for (const auto& [name, flag] : FLAGS)
        if (token == name)
            return set.once(what.*flag, token) = true;
    return false;
}

// Sets the field that `token` names; false if there is no such token.
bool read_token(problem& what,
                fields_set& set,
                const std::string& text,
                const std::string& token)
{
    const auto count = [&](std::size_t skip) { return read_count(text, token, skip); };
    const auto number = [&](std::size_t skip) { return read_number(text, token, skip); };
    const auto list = [&](std::size_t skip) { return read_list(text, token, skip); };

    if (read_name(what.input, set, FORMAT_NAMES, token) ||
        read_name(what.stored, set, STORED_NAMES, token, "out") ||
        read_name(what.detector, set, DETECTOR_NAMES, token) ||
        read_name(what.hold, set, HOLD_NAMES, token, "hold") ||
        read_format(what, set, token) || read_flag(what, set, token))
        return true;
    if (token.rfind("algorithm=", 0) == 0)
        set.once(what.algorithm, token) = token.substr(10);
    else if (token.rfind("density", 0) == 0) {
        set.once(what.density.columns, token);
        read_cells(what, text, token);
    } else if (token.rfind("n", 0) == 0) {
        set.once(what.n, token);
        read_lengths(what, text, token);
    } else
        return read_field(DENSITY_COUNTS, what.density, set, token, count) ||
               read_field(DENSITY_NUMBERS, what.density, set, token, number) ||
               read_field(LISTS, what, set, token, list) ||
               read_field(COUNTS, what, set, token, count) ||
               read_field(NUMBERS, what, set, token, number);
    return true;
}

transform_kind read_kind(const std::string& text, const std::string& token)
{
    std::string names;
    for (const kind_properties& each : transform_kinds()) {
        if (token == each.name)
            return each.kind;
        names += (names.empty() ? "" : ", ") + std::string(each.name);
    }
    refuse(text, "begins with \"" + token + "\", but must begin with one of " + names);
}

// The problem of this kind before its other tokens are read.
problem start(const std::string& text, transform_kind kind, std::istream& tokens)
{
    problem what;
    what.kind = kind;
    what.n = 0; // a length is required
    what.input = working_format(!reads_real(kind), false);
    if (stores_real(kind))
        what.output = output_kind::real;
    what.window = kind == transform_kind::filter || kind == transform_kind::synthesis;
    if (kind == transform_kind::c2c) {
        std::string dir;
        std::getline(tokens, dir, '_');
        const auto known = value_in(DIRECTION_NAMES, dir);
        if (!known)
            refuse(text, "direction is \"" + dir + "\", but must be forward or inverse");
        what.dir = *known;
    }
    return what;
}

} // namespace

problem problem::from_string(const std::string& text)
{
    std::istringstream tokens(text);
    std::string token;
    std::getline(tokens, token, '_');
    problem what = start(text, read_kind(text, token), tokens);
    fields_set set(text);
    bool is_double = false;
    while (std::getline(tokens, token, '_')) {
        if (token == "f64")
            set.once(is_double, token) = true;
        if (!read_token(what, set, text, token))
            refuse(
                text,
                "unknown token \"" + token +
                    "\"; there are n<N>x<M>..., b<batch>, real (of c2c, filter), "
                    "cs16, cs8, "
                    "cf16, f16, s16, s8, f64, hop<samples>, istrides<S>x..., "
                    "ostrides<S>x..., odist<bins>, window, taps<count>, running, "
                    "ctaps, shiftin, power, decibel, "
                    "outf16, outs16, outs8, shiftout, ortho, alone, bins<bins>, from<f>, "
                    "to<f>, max, min, kurtosis, density<columns>x<levels>, "
                    "first<bin>, span<bins>, low<dB>, high<dB>, avg<frames>, "
                    "smooth<a>, holdmax, holdmin, scale<s>, algorithm=<name>");
    }
    if (is_double && !what.is_double())
        refuse(text,
               std::string("token \"f64\" is for inputs without another format, not ") +
                   gpufft::to_string(what.input));
    what.validate();
    return what;
}

} // namespace gpufft
} // namespace gr
