// SPDX-License-Identifier: GPL-3.0-or-later
//
// The problem's name (one string for test names, benchmark arguments and messages) and
// the ranges of its fields.

#include <gnuradio/gpufft/problem.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <sstream>
#include <stdexcept>

namespace gr {
namespace gpufft {

namespace {

// Shortest decimal text that reads back as the same double.
std::string number_text(double value)
{
    char text[32];
    for (int digits = 6; digits <= 17; ++digits) {
        std::snprintf(text, sizeof(text), "%.*g", digits, value);
        if (std::strtod(text, nullptr) == value)
            break;
    }
    return text;
}

[[noreturn]] void refuse(const std::string& text, const std::string& why)
{
    throw std::invalid_argument("problem \"" + text + "\": " + why);
}

std::size_t
read_count(const std::string& text, const std::string& token, std::size_t skip)
{
    const std::string digits = token.substr(skip);
    if (digits.empty() || digits.find_first_not_of("0123456789") != std::string::npos)
        refuse(text, "token \"" + token + "\" needs a whole number after its name");
    try {
        return std::stoull(digits);
    } catch (const std::out_of_range&) {
        refuse(text, "the number in token \"" + token + "\" is too large");
    }
}

double read_number(const std::string& text, const std::string& token, std::size_t skip)
{
    const char* begin = token.c_str() + skip;
    char* end = nullptr;
    const double value = std::strtod(begin, &end);
    if (end == begin || *end != '\0')
        refuse(text, "token \"" + token + "\" needs a number after its name");
    return value;
}

bool starts_with(const std::string& token, const char* name)
{
    return token.rfind(name, 0) == 0;
}

// Sets the field that `token` names; false if there is no such token.
bool read_token(problem& what, const std::string& text, const std::string& token)
{
    if (token == "real")
        what.input = sample_format::f32;
    else if (token == "cs16")
        what.input = sample_format::cs16;
    else if (token == "cs8")
        what.input = sample_format::cs8;
    else if (token == "window")
        what.window = true;
    else if (token == "shiftin")
        what.shift_input = true;
    else if (token == "power")
        what.output = output_kind::power;
    else if (token == "decibel")
        what.output = output_kind::decibel;
    else if (token == "shiftout")
        what.shift_output = true;
    else if (starts_with(token, "algorithm="))
        what.algorithm = token.substr(10);
    else if (starts_with(token, "hop"))
        what.hop = read_count(text, token, 3);
    else if (starts_with(token, "avg"))
        what.average = read_count(text, token, 3);
    else if (starts_with(token, "smooth"))
        what.smoothing = read_number(text, token, 6);
    else if (starts_with(token, "scale"))
        what.scale = read_number(text, token, 5);
    else if (starts_with(token, "n"))
        what.n = read_count(text, token, 1);
    else if (starts_with(token, "b"))
        what.batch = read_count(text, token, 1);
    else
        return false;
    return true;
}

void check(bool good,
           const std::string& name,
           const std::string& value,
           const char* range)
{
    if (!good)
        throw std::invalid_argument(name + " is " + value + ", but must be " + range);
}

void check_algorithm(const std::string& name)
{
    const std::vector<std::string> names = algorithm_names();
    std::string list = "left out, or one of";
    for (const std::string& known : names)
        list += " " + known;
    check(name.empty() || std::count(names.begin(), names.end(), name) > 0,
          "algorithm",
          name,
          list.c_str());
}

} // namespace

std::string problem::to_string() const
{
    std::ostringstream text;
    text << "c2c_" << gpufft::to_string(dir) << "_n" << n << "_b" << batch;
    if (input != sample_format::cf32)
        text << '_' << (input == sample_format::f32 ? "real" : gpufft::to_string(input));
    if (effective_hop() != n)
        text << "_hop" << hop;
    if (window)
        text << "_window";
    if (shift_input)
        text << "_shiftin";
    if (is_power())
        text << '_' << gpufft::to_string(output);
    if (shift_output)
        text << "_shiftout";
    if (average != 1)
        text << "_avg" << average;
    if (smoothing != 1.0)
        text << "_smooth" << number_text(smoothing);
    if (scale != 1.0)
        text << "_scale" << number_text(scale);
    if (!algorithm.empty())
        text << "_algorithm=" << algorithm;
    return text.str();
}

problem problem::from_string(const std::string& text)
{
    std::istringstream tokens(text);
    std::string kind, dir, token;
    std::getline(tokens, kind, '_');
    std::getline(tokens, dir, '_');
    problem what;
    if (kind != "c2c")
        refuse(text, "begins with \"" + kind + "\", but must begin with c2c");
    if (dir != "forward" && dir != "inverse")
        refuse(text, "direction is \"" + dir + "\", but must be forward or inverse");
    what.dir = dir == "forward" ? direction::forward : direction::inverse;
    what.n = 0; // a length is required
    while (std::getline(tokens, token, '_'))
        if (!read_token(what, text, token))
            refuse(text,
                   "unknown token \"" + token +
                       "\"; there are n<N>, b<batch>, real, cs16, cs8, hop<samples>, "
                       "window, "
                       "shiftin, power, decibel, shiftout, avg<frames>, smooth<a>, "
                       "scale<s>, algorithm=<name>");
    what.validate();
    return what;
}

void problem::validate() const
{
    constexpr std::size_t max = std::numeric_limits<std::size_t>::max();
    check(n >= 1 && n <= MAX_FFT_SIZE, "FFT size", std::to_string(n), "1 ... 2^30");
    check(batch >= 1, "batch", std::to_string(batch), ">= 1");
    check(average >= 1, "average", std::to_string(average), ">= 1");
    check(smoothing > 0.0 && smoothing <= 1.0,
          "smoothing",
          number_text(smoothing),
          "> 0 and <= 1");
    check(std::isfinite(scale), "scale", number_text(scale), "a finite number");
    check(is_power() || (average == 1 && smoothing == 1.0),
          "output",
          gpufft::to_string(output),
          "power or decibel when average or smoothing is on");
    check_algorithm(algorithm);
    // batch frames must be addressable in bytes, the last one's n samples included
    const std::size_t samples = max / 8;
    check(effective_hop() <= samples / batch &&
              n <= samples - (batch - 1) * effective_hop(),
          "batch " + std::to_string(batch) + " of FFT size",
          std::to_string(n) + " and hop " + std::to_string(effective_hop()),
          "small enough for the bytes to fit 64 bits");
}

std::size_t problem::input_item_bytes() const
{
    switch (input) {
    case sample_format::cf32:
        return 8;
    case sample_format::f32:
    case sample_format::cs16:
        return 4;
    case sample_format::cs8:
        return 2;
    }
    return 0;
}

std::size_t problem::output_item_bytes() const { return is_power() ? 4 : 8; }

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
    case sample_format::cs16:
        return "cs16";
    case sample_format::cs8:
        return "cs8";
    }
    return "?";
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
    }
    return "?";
}

} // namespace gpufft
} // namespace gr
