// SPDX-License-Identifier: GPL-3.0-or-later
//
// FFT of a band, with any number of bins at any frequencies.

#ifndef INCLUDED_GPUFFT_ZOOM_FFT_VCC_H
#define INCLUDED_GPUFFT_ZOOM_FFT_VCC_H

#include <cstdint>
#include <gnuradio/block.h>
#include <gnuradio/gpufft/api.h>
#include <gnuradio/gpufft/device_list.h>
#include <gnuradio/gpufft/engine_block.h>
#include <gnuradio/gpufft/item_formats.h>
#include <gnuradio/gpufft/window_spec.h>
#include <memory>
#include <optional>
#include <string>

namespace gr {
namespace gpufft {

/*!
 * \brief The spectrum of N complex samples in one band, in B bins at any spacing.
 *
 * With w the window and f_k = f_start + k (f_stop - f_start) / B,
 * X[k] = sum_m w[m] x[m] exp(-j 2 pi m f_k / samp_rate), k = 0 ... B-1, unscaled, as
 * scipy.signal.zoom_fft(x, [f_start, f_stop], B, fs=samp_rate). It is computed as a
 * convolution with a chirp (Bluestein).
 *
 * Ports: vectors of N samples and of B bins; or, with vlen = 1, plain streams, which the
 * block cuts into frames. A tag moves to the first item of the row of the frame that
 * holds its sample.
 */
class GPUFFT_API zoom_fft_vcc : virtual public block,
                                virtual public engine_block,
                                virtual public formatted_block
{
public:
    typedef std::shared_ptr<zoom_fft_vcc> sptr;

    /*!
     * \param fft_size N, 1 or more
     * \param bins     B, 1 or more, N + B at most 2^30; a vector must be below 2 GiB
     * \param f_start  frequency of the first bin in Hz, any finite number
     * \param f_stop   frequency of the bin after the last one, at most samp_rate from
     * f_start
     * \param window   N taps, a name, a type, or none
     * \param nthreads threads of the cpu engine, 1 ... 1024, which share the vectors
     * \param engine,device,on_error,device_timeout see engine_block
     * \param vlen     fft_size (or 0): vector ports; 1: streams of samples
     * \param samp_rate in Hz, > 0; with 1, frequencies are in cycles per sample
     * \param formats see item_formats
     * \throws std::invalid_argument for a value out of range or a window that does not
     * fit, std::runtime_error for device trouble
     */
    static sptr make(std::int64_t fft_size,
                     std::int64_t bins,
                     double f_start,
                     double f_stop,
                     const window_spec& window = window_spec(),
                     int nthreads = 1,
                     const std::string& engine = "auto",
                     const device_list& device = 0,
                     const std::string& on_error = "stop",
                     std::int64_t vlen = 0,
                     double device_timeout = 10,
                     double samp_rate = 1,
                     const item_formats& formats = {});

    /*! \brief Sets another band with the same number of bins, and the sample rate if it
     * is given; std::invalid_argument if out of range. */
    virtual void
    set_band(double f_start, double f_stop, std::optional<double> samp_rate = {}) = 0;
    /*! \brief Moves the band, whose width stays. */
    virtual void set_center_freq(double center_freq) = 0;
    /*! \brief Sets the width of the band, whose middle stays. */
    virtual void set_span(double span) = 0;
    virtual double f_start() const = 0;
    virtual double f_stop() const = 0;
    virtual double center_freq() const = 0;
    virtual double span() const = 0;
    virtual double samp_rate() const = 0;

    /*! \brief 1 ... 1024, else std::invalid_argument. */
    virtual void set_nthreads(int n) = 0;
    virtual int nthreads() const = 0;

    /*! \brief Another window; std::invalid_argument for taps that do not fit. */
    virtual void set_window(const window_spec& window) = 0;
};

} // namespace gpufft
} // namespace gr

#endif
