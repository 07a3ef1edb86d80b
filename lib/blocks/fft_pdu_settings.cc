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

void fft_pdu_settings::check() const
{
    check_range("fft_size", fft_size, 0, MAX_FFT_SIZE);
    pdu_output_of(output);
    if (fft_size > 0 || !window.has_taps())
        taps(fft_size > 0 ? fft_size : TRIAL_SIZE, fft_size > 0 ? fft_size : TRIAL_SIZE);
}

problem fft_pdu_settings::resolve(std::size_t samples, bool is_real) const
{
    problem what;
    what.n = fft_size > 0 ? fft_size : samples;
    what.dir = forward ? direction::forward : direction::inverse;
    what.input = is_real ? sample_format::f32 : sample_format::cf32;
    what.output = pdu_output_of(output);
    what.window = !window.is_none();
    what.shift_output = shift && forward;
    what.shift_input = shift && !forward;
    what.validate();
    return what;
}

std::vector<float> fft_pdu_settings::taps(std::size_t taken, std::size_t n) const
{
    std::vector<float> result =
        window.has_taps() ? window.build(n, fft_size > 0 ? "fft_size" : "the burst")
                          : window.build(taken);
    if (!result.empty())
        result.resize(n);
    return result;
}

} // namespace gpufft
} // namespace gr
