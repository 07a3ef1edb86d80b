// SPDX-License-Identifier: GPL-3.0-or-later
//
// Derives the transform of a burst from the settings.

#include "fft_pdu_settings.h"
#include "ranges.h"

namespace gr {
namespace gpufft {

namespace {

output_kind pdu_output_of(const std::string& output)
{
    if (output == "complex")
        return output_kind::complex;
    if (output == "power")
        return output_kind::power;
    if (output == "db")
        return output_kind::decibel;
    throw std::invalid_argument(
        fmt::format("output is '{}': must be complex, power or db", output));
}

} // namespace

void check(const fft_pdu_settings& from)
{
    check_range("fft_size", from.fft_size, 0, MAX_FFT_SIZE);
    pdu_output_of(from.output);
    const std::size_t n = from.fft_size > 0 ? from.fft_size : TRIAL_BURST;
    if (from.fft_size > 0 || !from.window.has_taps())
        window_taps(from, n, n);
}

problem resolve(const fft_pdu_settings& from, std::size_t samples, bool is_real)
{
    problem what;
    what.n = from.fft_size > 0 ? from.fft_size : samples;
    what.dir = from.forward ? direction::forward : direction::inverse;
    what.input = is_real ? sample_format::f32 : sample_format::cf32;
    what.output = pdu_output_of(from.output);
    what.window = !from.window.is_none();
    what.shift_output = from.shift && from.forward;
    what.shift_input = from.shift && !from.forward;
    what.validate();
    return what;
}

std::vector<float>
window_taps(const fft_pdu_settings& from, std::size_t taken, std::size_t n)
{
    std::vector<float> result =
        from.window.has_taps()
            ? from.window.build(n, from.fft_size > 0 ? "fft_size" : "the burst")
            : from.window.build(taken);
    if (!result.empty())
        result.resize(n);
    return result;
}

} // namespace gpufft
} // namespace gr
