// SPDX-License-Identifier: GPL-3.0-or-later
//
// FFT of bursts that arrive as messages.

#ifndef INCLUDED_GPUFFT_FFT_PDU_H
#define INCLUDED_GPUFFT_FFT_PDU_H

#include <cstdint>
#include <gnuradio/block.h>
#include <gnuradio/gpufft/api.h>
#include <gnuradio/gpufft/block_settings.h>
#include <gnuradio/gpufft/device_list.h>
#include <gnuradio/gpufft/engine_block.h>
#include <gnuradio/gpufft/window_spec.h>
#include <memory>
#include <string>

namespace gr {
namespace gpufft {

/*! \brief Settings of fft_pdu. */
struct GPUFFT_API fft_pdu_settings {
    std::int64_t fft_size = 0; //!< N, 0 ... 2^30; 0 is each burst's own length
    bool forward = true;       //!< direction
    window_spec window;        //!< a name or a type, with as many taps as samples are
                               //!< transformed; or fft_size taps (with fft_size 0:
                               //!< bursts of another length are dropped); or none
    bool shift = false;        //!< DC in the middle of the spectrum
    std::string output = "complex"; //!< "complex", "power" or "db"
};

/*!
 * \brief FFT of PDUs: each burst gives a spectrum.
 *
 * A PDU is a pair (metadata . samples), whose samples are a c32vector (complex) or an
 * f32vector (real). The block transforms the first min(L, N) of a burst's L samples,
 * padded with zeros to N:
 *
 *     X[k] = sum_m w[m] x[m] exp(-+j 2 pi m k / N)    unscaled; output "complex"
 *     |X[k]|^2                                        output "power"
 *     10 log10 |X[k]|^2                               output "db"
 *
 * N is fft_size, or with 0 each burst's own L. A spectrum has all N bins, also for real
 * samples, as a c32vector, or an f32vector of powers or decibels. Shift is gr-fft's:
 * forward, bin 0 moves to floor(N/2); inverse, the input's bin moves back from there.
 *
 * Port "pdu_in" takes the bursts; "pdu_out" gives the spectra in the same order, with the
 * burst's metadata and these keys added:
 *
 *     fft_size       N (uint64)
 *     fft_samples    min(L, N): samples of the burst that were transformed (uint64)
 *     fft_output     "complex", "power" or "db" (symbol)
 *     fft_bin_width  bin spacing in Hz (double), if the metadata has "sample_rate"
 *
 * The block drops a message that is no such PDU or has no samples, counts it in
 * dropped(), and logs the reason for the first, the tenth, the hundredth ... of them.
 *
 * The block keeps the plans of the most recent lengths: up to MAX_PLANS, with 2^24 points
 * in total.
 */
class GPUFFT_API fft_pdu : virtual public block,
                           virtual public engine_block,
                           public block_settings<fft_pdu_settings>
{
public:
    typedef std::shared_ptr<fft_pdu> sptr;

    static constexpr std::size_t MAX_PLANS = 32;

    /*!
     * Of several devices only the first is used. Engine "auto" is the GPU if the round
     * trip of one burst of fft_size samples is shorter there. With fft_size 0 it is the
     * CPU, because the GPU compiles kernels for each new length. Trouble with on_error
     * "stop" ends the block.
     * \throws std::invalid_argument for a value out of range, std::runtime_error for
     * device trouble
     */
    static sptr make(const fft_pdu_settings& settings,
                     const engine_options& options = engine_options());

    /*! \brief The same by position: fields of fft_pdu_settings and engine_options. */
    static sptr make(std::int64_t fft_size = settings_type().fft_size,
                     bool forward = settings_type().forward,
                     const window_spec& window = settings_type().window,
                     bool shift = settings_type().shift,
                     const std::string& output = settings_type().output,
                     const std::string& engine = engine_options().engine,
                     const device_list& device = engine_options().device,
                     const std::string& on_error = engine_options().on_error,
                     double device_timeout = engine_options().device_timeout);

    // Setters, for any time and any thread; they take effect with the next burst. A
    // setter that throws std::invalid_argument has changed nothing.
    void set_fft_size(std::int64_t fft_size) { set(&settings_type::fft_size, fft_size); }
    void set_forward(bool forward) { set(&settings_type::forward, forward); }
    void set_window(const window_spec& window) { set(&settings_type::window, window); }
    void set_shift(bool shift) { set(&settings_type::shift, shift); }
    void set_output(const std::string& output) { set(&settings_type::output, output); }

    std::int64_t fft_size() const { return settings().fft_size; }
    bool forward() const { return settings().forward; }
    bool shift() const { return settings().shift; }
    std::string output() const { return settings().output; }

    virtual std::uint64_t dropped() const = 0; //!< messages since start()
    virtual std::size_t plans() const = 0; //!< number of plans that the block keeps now
};

} // namespace gpufft
} // namespace gr

#endif
