// SPDX-License-Identifier: GPL-3.0-or-later
//
// The problem's name: one string for test names, benchmark arguments and messages.

#include <gnuradio/gpufft/problem.h>

#include <charconv>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <utility>

namespace gr {
namespace gpufft {

namespace {

typedef std::pair<transform_kind, const char*> kind_name;
constexpr kind_name KINDS[] = {
    { transform_kind::c2c, "c2c" },       { transform_kind::r2c, "r2c" },
    { transform_kind::c2r, "c2r" },       { transform_kind::zoom, "zoom" },
    { transform_kind::filter, "filter" }, { transform_kind::synthesis, "synthesis" },
    { transform_kind::dct1, "dct1" },     { transform_kind::dct2, "dct2" },
    { transform_kind::dct3, "dct3" },     { transform_kind::dct4, "dct4" },
    { transform_kind::dst1, "dst1" },     { transform_kind::dst2, "dst2" },
    { transform_kind::dst3, "dst3" },     { transform_kind::dst4, "dst4" }
};

// Formats that have a token of their own; cf32, f32, cf64 and f64 follow from the kind,
// "real" and "f64".
typedef std::pair<sample_format, const char*> format_name;
constexpr format_name FORMATS[] = {
    { sample_format::cs16, "cs16" }, { sample_format::cs8, "cs8" },
    { sample_format::cf16, "cf16" }, { sample_format::f16, "f16" },
    { sample_format::s16, "s16" },   { sample_format::s8, "s8" },
};

typedef std::pair<number_format, const char*> stored_name;
constexpr stored_name STORED[] = { { number_format::f16, "f16" },
                                   { number_format::s16, "s16" },
                                   { number_format::s8, "s8" } };

typedef std::pair<detector_kind, const char*> detector_name;
constexpr detector_name DETECTORS[] = { { detector_kind::mean, "mean" },
                                        { detector_kind::max, "max" },
                                        { detector_kind::min, "min" },
                                        { detector_kind::kurtosis, "kurtosis" } };

typedef std::pair<hold_kind, const char*> hold_name;
constexpr hold_name HOLDS[] = { { hold_kind::none, "none" },
                                { hold_kind::max, "max" },
                                { hold_kind::min, "min" } };

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

bool starts_with(const std::string& token, const char* name)
{
    return token.rfind(name, 0) == 0;
}

// Tokens that are one of a list of names.
bool read_name(problem& what, const std::string& token)
{
    for (const auto& [format, name] : FORMATS)
        if (token == name) {
            what.input = format;
            return true;
        }
    for (const auto& [format, name] : STORED)
        if (token == std::string("out") + name) {
            what.stored = format;
            return true;
        }
    for (const auto& [detector, name] : DETECTORS)
        if (token == name) {
            what.detector = detector;
            return true;
        }
    for (const auto& [hold, name] : HOLDS)
        if (token == std::string("hold") + name) {
            what.hold = hold;
            return true;
        }
    return false;
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

bool read_flag(problem& what, const std::string& token)
{
    if (token == "real" && what.kind == transform_kind::c2c)
        what.input = working_format(false, what.is_double());
    else if (token == "real" && what.kind == transform_kind::filter) {
        what.input = sample_format::f32;
        what.output = output_kind::real;
    } else if (token == "f64" && what.input == sample_format::cf32)
        what.input = sample_format::cf64;
    else if (token == "f64" && what.input == sample_format::f32)
        what.input = sample_format::f64;
    else if (token == "window")
        what.window = true;
    else if (token == "shiftin")
        what.shift_input = true;
    else if (token == "running")
        what.running = true;
    else if (token == "ctaps")
        what.complex_taps = true;
    else if (token == "power")
        what.output = output_kind::power;
    else if (token == "decibel")
        what.output = output_kind::decibel;
    else if (token == "shiftout")
        what.shift_output = true;
    else if (token == "ortho")
        what.orthogonal = true;
    else
        return false;
    return true;
}

// Sets the field that `token` names; false if there is no such token.
bool read_token(problem& what, const std::string& text, const std::string& token)
{
    if (read_name(what, token) || read_flag(what, token))
        return true;
    if (starts_with(token, "algorithm="))
        what.algorithm = token.substr(10);
    else if (starts_with(token, "hop"))
        what.hop = read_count(text, token, 3);
    else if (starts_with(token, "istrides"))
        what.input_strides = read_list(text, token, 8);
    else if (starts_with(token, "ostrides"))
        what.output_strides = read_list(text, token, 8);
    else if (starts_with(token, "odist"))
        what.output_distance = read_count(text, token, 5);
    else if (starts_with(token, "bins"))
        what.bins = read_count(text, token, 4);
    else if (starts_with(token, "from"))
        what.f_start = read_number(text, token, 4);
    else if (starts_with(token, "taps"))
        what.taps = read_count(text, token, 4);
    else if (starts_with(token, "to"))
        what.f_stop = read_number(text, token, 2);
    else if (starts_with(token, "density"))
        read_cells(what, text, token);
    else if (starts_with(token, "first"))
        what.density.first = read_count(text, token, 5);
    else if (starts_with(token, "span"))
        what.density.bins = read_count(text, token, 4);
    else if (starts_with(token, "low"))
        what.density.low = read_number(text, token, 3);
    else if (starts_with(token, "high"))
        what.density.high = read_number(text, token, 4);
    else if (starts_with(token, "avg"))
        what.average = read_count(text, token, 3);
    else if (starts_with(token, "smooth"))
        what.smoothing = read_number(text, token, 6);
    else if (starts_with(token, "scale"))
        what.scale = read_number(text, token, 5);
    else if (starts_with(token, "n"))
        read_lengths(what, text, token);
    else if (starts_with(token, "b"))
        what.batch = read_count(text, token, 1);
    else
        return false;
    return true;
}

transform_kind read_kind(const std::string& text, const std::string& token)
{
    std::string names;
    for (const auto& [kind, name] : KINDS) {
        if (token == name)
            return kind;
        names += (names.empty() ? "" : ", ") + std::string(name);
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
        if (dir != "forward" && dir != "inverse")
            refuse(text, "direction is \"" + dir + "\", but must be forward or inverse");
        what.dir = dir == "forward" ? direction::forward : direction::inverse;
    }
    return what;
}

template <class Names, class Value>
const char* name_in(const Names& names, Value value)
{
    for (const auto& [each, name] : names)
        if (each == value)
            return name;
    return "?";
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
    for (const auto& [format, name] : FORMATS)
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

problem problem::from_string(const std::string& text)
{
    std::istringstream tokens(text);
    std::string token;
    std::getline(tokens, token, '_');
    problem what = start(text, read_kind(text, token), tokens);
    bool is_double = false;
    while (std::getline(tokens, token, '_')) {
        is_double = is_double || token == "f64";
        if (!read_token(what, text, token))
            refuse(text,
                   "unknown token \"" + token +
                       "\"; there are n<N>x<M>..., b<batch>, real (of c2c, filter), "
                       "cs16, cs8, "
                       "cf16, f16, s16, s8, f64, hop<samples>, istrides<S>x..., "
                       "ostrides<S>x..., odist<bins>, window, taps<count>, running, "
                       "ctaps, shiftin, power, decibel, "
                       "outf16, outs16, outs8, shiftout, ortho, bins<bins>, from<f>, "
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

const char* to_string(transform_kind kind) { return name_in(KINDS, kind); }

const char* to_string(direction dir)
{
    return dir == direction::forward ? "forward" : "inverse";
}

const char* to_string(sample_format format)
{
    switch (format) {
    case sample_format::cf32:
        return "cf32";
    case sample_format::f32:
        return "f32";
    case sample_format::cf64:
        return "cf64";
    case sample_format::f64:
        return "f64";
    default:
        return name_in(FORMATS, format);
    }
}

const char* to_string(output_kind kind)
{
    switch (kind) {
    case output_kind::complex:
        return "complex";
    case output_kind::power:
        return "power";
    case output_kind::decibel:
        return "decibel";
    case output_kind::real:
        return "real";
    }
    return "?";
}

const char* to_string(number_format format)
{
    return format == number_format::working ? "working" : name_in(STORED, format);
}

const char* to_string(detector_kind detector) { return name_in(DETECTORS, detector); }

const char* to_string(hold_kind hold) { return name_in(HOLDS, hold); }

} // namespace gpufft
} // namespace gr
