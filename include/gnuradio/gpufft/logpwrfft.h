// SPDX-License-Identifier: GPL-3.0-or-later
//
// Log power spectra at a frame rate; replaces gr-fft's logpwrfft.

#ifndef INCLUDED_GPUFFT_LOGPWRFFT_H
#define INCLUDED_GPUFFT_LOGPWRFFT_H

#include <cstdint>
#include <gnuradio/block.h>
#include <gnuradio/gpufft/api.h>
#include <gnuradio/gpufft/device_list.h>
#include <gnuradio/gpufft/engine_block.h>
#include <gnuradio/gpufft/window_spec.h>
#include <gnuradio/gr_complex.h>
#include <memory>
#include <string>

namespace gr {
namespace gpufft {

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
 * A row that is not finite (from a NaN, an infinity, or samples whose power overflows
 * single precision) makes all later rows of the average not finite, as in gr-fft.
 * reset_average(), or any message to the port `reset`, restarts the average with the next
 * row as y.
 */
template <class T>
class GPUFFT_API logpwrfft : virtual public gr::block, virtual public engine_block
{
public:
    typedef std::shared_ptr<logpwrfft<T>> sptr;

    /*!
     * \param sample_rate in Hz, > 0
     * \param fft_size    N, 1 ... 2^28
     * \param ref_scale   peak-to-peak amplitude that reads 0 dB, > 0
     * \param frame_rate  rows a second, > 0
     * \param avg_alpha   weight of the new row, 0 < avg_alpha <= 1
     * \param average     average over rows
     * \param window      N taps, a name, a type, or none
     * \param shift       DC in bin floor(N/2), else in bin 0
     * \param mean        average all frames of an interval, else keep the last
     * \param nthreads    threads of the cpu engine, 1 ... 1024; 0 is one for each core
     * \param engine,device,on_error,device_timeout see engine_block
     * \throws std::invalid_argument for a value out of range
     */
    static sptr make(double sample_rate,
                     std::int64_t fft_size,
                     double ref_scale,
                     double frame_rate,
                     double avg_alpha,
                     bool average,
                     const window_spec& window = "blackmanharris",
                     bool shift = false,
                     bool mean = false,
                     int nthreads = 0,
                     const std::string& engine = "auto",
                     const device_list& device = 0,
                     const std::string& on_error = "stop",
                     double device_timeout = 10);

    // Setters, for any time and any thread. One that throws std::invalid_argument has
    // changed nothing.
    virtual void set_decimation(double decimation) = 0; //!< rounded, at least 1
    virtual void set_vec_rate(double frame_rate) = 0;
    virtual void set_sample_rate(double sample_rate) = 0;
    virtual void set_average(bool average) = 0;
    virtual void set_avg_alpha(double avg_alpha) = 0;
    virtual void set_ref_scale(double ref_scale) = 0;
    virtual void set_window(const window_spec& window) = 0;
    virtual void set_shift(bool shift) = 0;
    virtual void set_nthreads(int n) = 0;

    /*! \brief Restarts the average with the next row. Any thread. */
    virtual void reset_average() = 0;

    virtual std::int64_t fft_size() const = 0;
    virtual double sample_rate() const = 0;
    virtual std::int64_t decimation() const = 0;
    virtual double
    frame_rate() const = 0; //!< the actual one: sample_rate / N / decimation
    virtual bool average() const = 0;
    virtual double avg_alpha() const = 0;
};

typedef logpwrfft<gr_complex> logpwrfft_c;
typedef logpwrfft<float> logpwrfft_f;

} // namespace gpufft
} // namespace gr

#endif
