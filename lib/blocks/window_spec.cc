// SPDX-License-Identifier: GPL-3.0-or-later
//
// Windows by taps, name or type.

#include "ranges.h"
#include <algorithm>
#include <cctype>
#include <gnuradio/gpufft/window_spec.h>

namespace gr {
namespace gpufft {

using fft::window;

namespace {

struct named_window {
    const char* name;
    window::win_type type;
    const char* param = nullptr; // what build()'s parameter means, if the window has one
};

// The first name of a type is the one that names() lists.
constexpr named_window NAMED_WINDOWS[] = {
    { "none", window::WIN_NONE },
    { "rectangular", window::WIN_RECTANGULAR },
    { "hamming", window::WIN_HAMMING },
    { "hann", window::WIN_HANN },
    { "blackman", window::WIN_BLACKMAN },
    { "blackmanharris", window::WIN_BLACKMAN_HARRIS },
    { "bartlett", window::WIN_BARTLETT },
    { "flattop", window::WIN_FLATTOP },
    { "nuttall", window::WIN_NUTTALL },
    { "nuttallcfd", window::WIN_NUTTALL_CFD },
    { "welch", window::WIN_WELCH },
    { "parzen", window::WIN_PARZEN },
    { "riemann", window::WIN_RIEMANN },
    { "kaiser", window::WIN_KAISER, "beta" },
    { "exponential", window::WIN_EXPONENTIAL, "d" },
    { "gaussian", window::WIN_GAUSSIAN, "sigma" },
    { "tukey", window::WIN_TUKEY, "alpha" },
    { "hanning", window::WIN_HANN },
    { "harris", window::WIN_BLACKMAN_HARRIS },
    { "blackmannuttall", window::WIN_NUTTALL },
};
constexpr std::size_t DISTINCT_WINDOWS = 17;

// "Blackman-Harris" -> "blackmanharris"
std::string plain(const std::string& name)
{
    std::string text;
    for (unsigned char letter : name)
        if (letter != '-' && letter != '_' && letter != ' ')
            text += static_cast<char>(std::tolower(letter));
    return text;
}

const named_window* find_type(int type)
{
    const auto end = std::end(NAMED_WINDOWS);
    const auto found =
        std::find_if(std::begin(NAMED_WINDOWS), end, [&](const auto& entry) {
            return entry.type == type;
        });
    return found == end ? nullptr : found;
}

} // namespace

window_spec::window_spec(const std::vector<float>& taps) : d_taps(taps) {}

window_spec::window_spec(int type, double param) : d_param(param)
{
    const named_window* found = find_type(type);
    if (!found)
        throw std::invalid_argument(fmt::format(
            "window type {} is unknown: use one of gr-fft's, -1 (none) ... 15 (tukey)",
            type));
    d_type = found->type;
}

window_spec::window_spec(const std::string& name, double param) : d_param(param)
{
    const std::string wanted = plain(name);
    const auto end = std::end(NAMED_WINDOWS);
    const auto found =
        std::find_if(std::begin(NAMED_WINDOWS), end, [&](const auto& entry) {
            return entry.name == wanted;
        });
    if (found == end)
        throw std::invalid_argument(
            fmt::format("window '{}' is unknown: use one of {}", name, names()));
    d_type = found->type;
}

std::string window_spec::names()
{
    std::string list = NAMED_WINDOWS[0].name;
    for (std::size_t i = 1; i < DISTINCT_WINDOWS; i++)
        list += std::string(", ") + NAMED_WINDOWS[i].name;
    return list;
}

bool window_spec::is_none() const
{
    return d_taps.empty() &&
           (d_type == window::WIN_NONE || d_type == window::WIN_RECTANGULAR);
}

bool window_spec::fits(std::size_t n) const
{
    return d_taps.empty() || d_taps.size() == n;
}

std::vector<float> window_spec::build(std::size_t n, const char* size) const
{
    if (!fits(n))
        throw std::invalid_argument(
            fmt::format("window has {} taps, but {} is {}: they must be equal",
                        d_taps.size(),
                        size,
                        n));
    if (is_none() || !d_taps.empty())
        return d_taps;
    if (n == 1) // gr-fft divides by n - 1
        return { 1.0f };
    const named_window& kind = *find_type(d_type);
    if (kind.param && d_param == window::INVALID_WIN_PARAM)
        throw std::invalid_argument(
            fmt::format("window '{}' needs its parameter {}, as in ('{}', 0.5)",
                        kind.name,
                        kind.param,
                        kind.name));
    try {
        return window::build(d_type, static_cast<int>(n), d_param);
    } catch (const std::out_of_range& error) {
        throw std::invalid_argument(fmt::format(
            "window '{}' with parameter {}: {}", kind.name, d_param, error.what()));
    }
}

} // namespace gpufft
} // namespace gr
