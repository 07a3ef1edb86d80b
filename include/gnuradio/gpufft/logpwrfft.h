// SPDX-License-Identifier: GPL-3.0-or-later
//
// Log power spectra at a frame rate; replaces gr-fft's logpwrfft.

#ifndef INCLUDED_GPUFFT_LOGPWRFFT_H
#define INCLUDED_GPUFFT_LOGPWRFFT_H

#include <cstdint>
#include <gnuradio/block.h>
#include <gnuradio/gpufft/api.h>
#include <gnuradio/gpufft/block_settings.h>
#include <gnuradio/gpufft/device_list.h>
#include <gnuradio/gpufft/engine_block.h>
#include <gnuradio/gpufft/window_spec.h>
#include <gnuradio/gr_complex.h>
#include <memory>
#include <optional>
#include <string>

namespace gr {
namespace gpufft {

/*! \brief Settings of logpwrfft. The first six must be given. */
struct GPUFFT_API logpwrfft_settings {
    double sample_rate = 0;    //!< in Hz, > 0
    std::int64_t fft_size = 0; //!< N, 1 ... 2^28
    double ref_scale = 0;      //!< peak-to-peak amplitude that reads 0 dB, > 0
    double frame_rate = 0;     //!< rows a second, > 0
    double avg_alpha = 0;      //!< weight of the new row, 0 < avg_alpha <= 1
    bool average = false;      //!< average over rows
    window_spec window = "blackmanharris"; //!< N taps, a name, a type, or none
    bool shift = false;                    //!< DC in bin floor(N/2), else in bin 0
    bool mean = false; //!< average all frames of an interval, else keep the
                       //!< last
    int nthreads = 0;  //!< threads of the cpu engine, 1 ... 1024; 0 is one for each core
    std::optional<double> decimation = {}; //!< frames in an interval, rounded, at least
                                           //!< 1; default from the rates
    std::string input = "";                //!< format of the samples, see item_formats
    std::string output = "";               //!< "" or "f32": float; "f16": rows of halves
};

/*!
 * \brief Log power FFT of a stream; T is gr_complex or float.
 *
 * Every N * decimation samples, with decimation = max(1, round(sample_rate / N /
 * frame_rate)), give one row of N floats,
 *
 *     y <- y + a (|X|^2 - y),  y = 0 at first,  a = avg_alpha if average is on, else 1
 *     10 log10 y - 20 log10 N - 10 log10(sum w^2 / N) - 20 log10(ref_scale / 2)   [dB]
 *
 * with X the FFT of the interval's last N windowed samples; or, with mean on, |X|^2 the
 * mean over all the interval's frames (gr-fft's block discards all but the last), and y
 * starts at the first of these means.
 *
 * As in gr-fft, a row that is not finite (from a NaN, an infinity, or samples whose power
 * overflows single precision) makes all later rows of the average not finite.
 * reset_average(), or any message to the port `reset`, restarts the average with the next
 * row as y.
 */
template <class T>
class GPUFFT_API logpwrfft : virtual public gr::block,
                             virtual public engine_block,
                             public block_settings<logpwrfft_settings>
{
public:
    typedef std::shared_ptr<logpwrfft<T>> sptr;

    /*! \throws std::invalid_argument for a value out of range */
    static sptr make(const logpwrfft_settings& settings,
                     const engine_options& options = engine_options());

    /*! \brief The same by position: fields of logpwrfft_settings and engine_options. */
    static sptr make(double sample_rate,
                     std::int64_t fft_size,
                     double ref_scale,
                     double frame_rate,
                     double avg_alpha,
                     bool average,
                     const window_spec& window = settings_type().window,
                     bool shift = settings_type().shift,
                     bool mean = settings_type().mean,
                     int nthreads = settings_type().nthreads,
                     const std::string& engine = engine_options().engine,
                     const device_list& device = engine_options().device,
                     const std::string& on_error = engine_options().on_error,
                     double device_timeout = engine_options().device_timeout,
                     const std::string& input = settings_type().input,
                     const std::string& output = settings_type().output);

    // Setters, for any time and any thread. A setter that throws std::invalid_argument
    // has changed nothing. The setters of rates set the decimation.
    void set_decimation(double decimation)
    {
        set(&settings_type::decimation, decimation);
    }
    void set_vec_rate(double frame_rate)
    {
        set_rate(&settings_type::frame_rate, frame_rate);
    }
    void set_sample_rate(double rate) { set_rate(&settings_type::sample_rate, rate); }
    void set_average(bool average) { set(&settings_type::average, average); }
    void set_avg_alpha(double alpha) { set(&settings_type::avg_alpha, alpha); }
    void set_ref_scale(double ref_scale) { set(&settings_type::ref_scale, ref_scale); }
    void set_window(const window_spec& window) { set(&settings_type::window, window); }
    void set_shift(bool shift) { set(&settings_type::shift, shift); }
    void set_nthreads(int n) { set(&settings_type::nthreads, n); }

    /*! \brief Restarts the average with the next row. Any thread. */
    virtual void reset_average() = 0;

    std::int64_t fft_size() const { return settings().fft_size; }
    double sample_rate() const { return settings().sample_rate; }
    bool average() const { return settings().average; }
    double avg_alpha() const { return settings().avg_alpha; }
    virtual std::int64_t decimation() const = 0;

    /*! \brief The actual frame rate: sample_rate / N / decimation. */
    virtual double frame_rate() const = 0;

private:
    void set_rate(double settings_type::*rate, double value)
    {
        change([&](settings_type& next) {
            next.*rate = value;
            next.decimation.reset();
        });
    }
};

typedef logpwrfft<gr_complex> logpwrfft_c;
typedef logpwrfft<float> logpwrfft_f;

} // namespace gpufft
} // namespace gr

#endif
