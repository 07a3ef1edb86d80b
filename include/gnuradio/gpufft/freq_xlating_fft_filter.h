// SPDX-License-Identifier: GPL-3.0-or-later
//
// Extracts a band around any frequency from a stream.

#ifndef INCLUDED_GPUFFT_FREQ_XLATING_FFT_FILTER_H
#define INCLUDED_GPUFFT_FREQ_XLATING_FFT_FILTER_H

#include <cstdint>
#include <gnuradio/block.h>
#include <gnuradio/gpufft/api.h>
#include <gnuradio/gpufft/device_list.h>
#include <gnuradio/gpufft/engine_block.h>
#include <gnuradio/gpufft/item_formats.h>
#include <gnuradio/gpufft/radio_tags.h>
#include <gnuradio/gr_complex.h>
#include <memory>
#include <string>
#include <vector>

namespace gr {
namespace gpufft {

/*!
 * \brief Replaces gr-filter's freq_xlating_fft_filter_ccc, also with real taps; Tap is
 * the type of the taps.
 *
 *     y[m] = sum_k taps[k] x[n - k] exp(-j 2 pi f (n - k)),  n = m decim
 *
 * with f = center_freq / samp_rate and x = 0 before the stream: the band around
 * center_freq shifted to 0, filtered, and decimated. The phase stays exact, however long
 * the stream is. Each complete group of `decim` samples gives one output, up to the end
 * of the stream. A tag moves to output floor(offset / decim).
 *
 * The message port `freq` sets center_freq, as that of gr-filter's
 * freq_xlating_fir_filter: a pair whose second part is the frequency in Hz, such as those
 * that GNU Radio's displays send for a double click, or a dictionary with the key freq.
 */
template <class Tap>
class GPUFFT_API freq_xlating_fft_filter : virtual public gr::block,
                                           virtual public engine_block,
                                           virtual public radio_tags_block,
                                           virtual public formatted_block
{
public:
    typedef std::shared_ptr<freq_xlating_fft_filter<Tap>> sptr;

    /*!
     * \param decim       input samples for each output, 1 ... 2^20
     * \param taps        low-pass filter at the input's rate: at least one tap, at most
     * 2^24; on a GPU at most 14560, or 7280 times the part of decim that has no prime
     * factor above 13 (at most 512); with more taps engine "auto" takes the CPU
     * \param center_freq center of the band in Hz, any finite number
     * \param samp_rate   sample rate of the input in Hz, > 0
     * \param nthreads    threads of the cpu engine, 1 ... 1024; 0 is one for each core
     * \param engine,device,on_error,device_timeout see engine_block
     * \param formats see item_formats
     * \throws std::invalid_argument for a value out of range
     */
    static sptr make(std::int64_t decim,
                     const std::vector<Tap>& taps,
                     double center_freq,
                     double samp_rate,
                     int nthreads = 1,
                     const std::string& engine = "auto",
                     const device_list& device = 0,
                     const std::string& on_error = "stop",
                     double device_timeout = 10,
                     const item_formats& formats = {});

    // Setters, for any time and any thread. A setter that throws std::invalid_argument
    // has changed nothing. A change takes effect between two outputs; no output is lost.

    /*! \brief Sets another filter; it takes over as in fft_filter::set_taps(). */
    virtual void set_taps(const std::vector<Tap>& taps) = 0;

    /*! \brief Sets another frequency in Hz; the phase is continuous. */
    virtual void set_center_freq(double center_freq) = 0;
    virtual void set_nthreads(int n) = 0;

    virtual std::vector<Tap> taps() const = 0;
    virtual double center_freq() const = 0;
    virtual std::int64_t decimation() const = 0;
    virtual int nthreads() const = 0;

    /*! \brief Number of past samples that the block keeps: initially twice the number of
     * taps, and at least 4096. */
    virtual std::int64_t max_taps() const = 0;
};

typedef freq_xlating_fft_filter<gr_complex> freq_xlating_fft_filter_ccc;
typedef freq_xlating_fft_filter<float> freq_xlating_fft_filter_ccf;

} // namespace gpufft
} // namespace gr

#endif
