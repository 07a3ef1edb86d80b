// SPDX-License-Identifier: GPL-3.0-or-later
//
// Builds windows from taps, name or type.

#include "engine/memory_check.h"
#include "kaiser.h"
#include "ranges.h"
#include <algorithm>
#include <cctype>
#include <gnuradio/gpufft/problem.h>
#include <gnuradio/gpufft/window_spec.h>

namespace gr {
namespace gpufft {

using fft::window;

namespace {

struct named_window {
    const char* name;
    window::win_type type;
    const char* param = nullptr; // name of build()'s parameter, if the window has one
    double low = 0, high = 0;    // range of the parameter
};

// Limits within which gr-fft's formulas are finite: it computes 2 sigma^2 in single and 2
// d in double precision.
constexpr double MAX_PARAM = 1e300, MIN_SIGMA = 1e-18, MAX_SIGMA = 1e18;

// Up to this beta gr-fft's Bessel function is correct; from 714 on it overflows, and from
// 750 on its loop does not end.
constexpr double MAX_BETA_OF_GR_FFT = 700;

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
    { "kaiser", window::WIN_KAISER, "beta", 0, MAX_PARAM },
    { "exponential", window::WIN_EXPONENTIAL, "d", 0, MAX_PARAM },
    { "gaussian", window::WIN_GAUSSIAN, "sigma", MIN_SIGMA, MAX_SIGMA },
    { "tukey", window::WIN_TUKEY, "alpha", 0, 1 },
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

const named_window& find(int type)
{
    for (const named_window& entry : NAMED_WINDOWS)
        if (entry.type == type)
            return entry;
    throw std::invalid_argument(fmt::format(
        "window type {} is unknown: use one of gr-fft's, -1 (none) ... 15 (tukey)",
        type));
}

const named_window& find(const std::string& name)
{
    const std::string wanted = plain(name);
    for (const named_window& entry : NAMED_WINDOWS)
        if (entry.name == wanted)
            return entry;
    throw std::invalid_argument(
        fmt::format("window '{}' is unknown: use one of {}", name, window_spec::names()));
}

double check_param(const named_window& kind, double param)
{
    if (!kind.param)
        throw std::invalid_argument(fmt::format(
            "window '{}' has no parameter, but {} is given: must be '{}' alone",
            kind.name,
            param,
            kind.name));
    if (!(param >= kind.low && param <= kind.high))
        throw std::invalid_argument(
            fmt::format("window '{}' has {} {}: must be {} ... {}",
                        kind.name,
                        kind.param,
                        param,
                        kind.low,
                        kind.high));
    return param;
}

std::vector<float> kaiser_taps(std::size_t n, double beta)
{
    const kaiser shape(beta);
    std::vector<float> taps(n);
    const double last = static_cast<double>(n - 1);
    for (std::size_t i = 0; i < n; i++)
        taps[i] = static_cast<float>(shape(2 * static_cast<double>(i) / last - 1));
    return taps;
}

} // namespace

window_spec::window_spec(const std::vector<float>& taps) : d_taps(taps) {}

window_spec::window_spec(int type) : d_type(find(type).type) {}

window_spec::window_spec(int type, double param)
    : d_type(find(type).type),
      d_param(check_param(find(type), param))
{
}

window_spec::window_spec(const std::string& name) : d_type(find(name).type) {}

window_spec::window_spec(const std::string& name, double param)
    : d_type(find(name).type),
      d_param(check_param(find(name), param))
{
}

std::string window_spec::name() const { return find(d_type).name; }

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
    if (!d_taps.empty())
        return d_taps;
    if (n < 1 || n > MAX_FFT_SIZE)
        throw std::invalid_argument(
            fmt::format("{} is {}: must be 1 ... {}", size, n, MAX_FFT_SIZE));
    if (is_none())
        return {};
    const named_window& kind = find(d_type);
    if (kind.param && !d_param)
        throw std::invalid_argument(
            fmt::format("window '{}' needs its parameter {}, as in ('{}', 0.5)",
                        kind.name,
                        kind.param,
                        kind.name));
    if (n == 1) // gr-fft divides by n - 1
        return { 1.0f };
    check_memory(fmt::format("{} is {}", size, n),
                 window_memory(n)); // before seconds pass
    const std::vector<float> taps =
        d_type == window::WIN_KAISER && *d_param > MAX_BETA_OF_GR_FFT
            ? kaiser_taps(n, *d_param)
            : window::build(d_type, static_cast<int>(n), d_param.value_or(0));
    if (kind.param && n > 2 && taps[n / 2] == 0)
        throw std::invalid_argument(
            fmt::format("window '{}' with {} {} has no tap above 0 where {} is {}",
                        kind.name,
                        kind.param,
                        *d_param,
                        size,
                        n));
    return taps;
}

} // namespace gpufft
} // namespace gr
