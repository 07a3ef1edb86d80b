// SPDX-License-Identifier: GPL-3.0-or-later
//
// The transform of each burst, from the settings of fft_pdu.

#ifndef INCLUDED_GPUFFT_FFT_PDU_SETTINGS_H
#define INCLUDED_GPUFFT_FFT_PDU_SETTINGS_H

#include <gnuradio/gpufft/fft_pdu.h>
#include <gnuradio/gpufft/problem.h>
#include <vector>

namespace gr {
namespace gpufft {

constexpr std::size_t TRIAL_BURST = 1024; // length of the trial plan with fft_size 0

// Throws std::invalid_argument for a value out of range.
void check(const fft_pdu_settings& from);

// The transform of a burst of `samples` samples; throws if the window has another number
// of taps.
problem resolve(const fft_pdu_settings& from, std::size_t samples, bool is_real);

// The transform's n window taps: one for each of the `taken` samples, then zeros. Empty
// if there is no window.
std::vector<float>
window_taps(const fft_pdu_settings& from, std::size_t taken, std::size_t n);

} // namespace gpufft
} // namespace gr

#endif
