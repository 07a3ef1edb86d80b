// SPDX-License-Identifier: GPL-3.0-or-later
//
// Extracts channels around any frequencies from one stream.

#ifndef INCLUDED_GPUFFT_CHANNEL_BANK_CC_H
#define INCLUDED_GPUFFT_CHANNEL_BANK_CC_H

#include <cstdint>
#include <gnuradio/gpufft/api.h>
#include <gnuradio/gpufft/block_of_core.h>
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
 * \brief Splits a stream of samples into a stream for each of several channels: as one
 * freq_xlating_fft_filter_ccc per channel, but with one transform of the input for all.
 *
 * With the channel's frequency f_c = centers[c] / samp_rate, sample m of output c is
 *
 *     y_c[m] = sum_k taps[k] x[n - k] exp(-j 2 pi f_c (n - k)),  n = m decimation
 *
 * with x = 0 before the stream: the band around centers[c] shifted to 0, filtered, and
 * decimated. The phases stay exact, however long the stream is. Each complete group of
 * `decimation` input samples gives one sample of every output, up to the end of the
 * stream. A tag moves to output sample floor(offset / decimation) of every channel.
 */
class GPUFFT_API channel_bank_cc : virtual public block_of_core,
                                   virtual public engine_block,
                                   virtual public radio_tags_block,
                                   virtual public formatted_block
{
public:
    typedef std::shared_ptr<channel_bank_cc> sptr;

    /*!
     * \param decimation input samples for each output sample, 1 ... 2^20
     * \param taps       low-pass filter at the input's rate: at least one tap, at most
     * 2^24; on a GPU at most 14560, or 7280 times the part of decimation that has no
     * prime factor above 13 (at most 512); with more taps engine "auto" takes the CPU
     * \param centers center frequencies in Hz, one or more, at most half samp_rate from 0
     * \param samp_rate of the input in Hz, > 0; 1 if centers are in cycles per sample
     * \param nthreads   threads of the cpu engine, 1 ... 1024; 0 is one for each core
     * \param engine,device,on_error,device_timeout see engine_block
     * \param formats see item_formats
     * \throws std::invalid_argument for a value out of range
     */
    static sptr make(std::int64_t decimation,
                     const std::vector<gr_complex>& taps,
                     const std::vector<double>& centers,
                     double samp_rate = 1.0,
                     int nthreads = 0,
                     const std::string& engine = "auto",
                     const device_list& device = 0,
                     const std::string& on_error = "stop",
                     double device_timeout = 10,
                     const item_formats& formats = {});

    // Setters, for any time and any thread. A setter that throws std::invalid_argument
    // has changed nothing. A change takes effect between two output samples, of which
    // none is lost.

    /*! \brief Sets another filter; it takes over as in fft_filter::set_taps(). */
    virtual void set_taps(const std::vector<gr_complex>& taps) = 0;

    /*! \brief Sets another center for one channel; its phase is continuous. */
    virtual void set_center(std::int64_t channel, double center) = 0;
    virtual void set_centers(const std::vector<double>& centers) = 0; //!< of all channels
    virtual void set_nthreads(int n) = 0;

    virtual std::vector<gr_complex> taps() const = 0;
    virtual std::vector<double> centers() const = 0;
    virtual std::int64_t decimation() const = 0;
    virtual double samp_rate() const = 0;
    virtual int nthreads() const = 0;

    /*! \brief Number of past samples that the block keeps: initially twice the number of
     * taps, and at least 4096. */
    virtual std::int64_t max_taps() const = 0;
};

} // namespace gpufft
} // namespace gr

#endif
