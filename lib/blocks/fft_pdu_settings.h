// SPDX-License-Identifier: GPL-3.0-or-later
//
// Settings of fft_pdu, and the transform of each burst.

#ifndef INCLUDED_GPUFFT_FFT_PDU_SETTINGS_H
#define INCLUDED_GPUFFT_FFT_PDU_SETTINGS_H

#include <cstdint>
#include <gnuradio/gpufft/problem.h>
#include <gnuradio/gpufft/window_spec.h>
#include <string>
#include <vector>

namespace gr {
namespace gpufft {

struct fft_pdu_settings {
    std::int64_t fft_size;
    bool forward;
    window_spec window;
    bool shift;
    std::string output;

    static constexpr std::size_t TRIAL_SIZE = 1024; // burst length of the trial plan with
                                                    // fft_size 0

    // Throws std::invalid_argument for a value out of range.
    void check() const;

    // The transform of a burst of `samples` samples; throws if the window has another
    // number of taps.
    problem resolve(std::size_t samples, bool is_real) const;

    // The transform's n window taps: one for each of the `taken` samples, then zeros.
    // Empty without a window.
    std::vector<float> taps(std::size_t taken, std::size_t n) const;
};

} // namespace gpufft
} // namespace gr

#endif
