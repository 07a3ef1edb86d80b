// SPDX-License-Identifier: GPL-3.0-or-later
//
// Polyphase synthesizer: joins the streams of M channels to one stream.

#ifndef INCLUDED_GPUFFT_PFB_SYNTHESIZER_H
#define INCLUDED_GPUFFT_PFB_SYNTHESIZER_H

#include <cstdint>
#include <gnuradio/gpufft/api.h>
#include <gnuradio/gpufft/block_of_core.h>
#include <gnuradio/gpufft/device_list.h>
#include <gnuradio/gpufft/engine_block.h>
#include <gnuradio/gpufft/item_formats.h>
#include <gnuradio/gpufft/radio_tags.h>
#include <memory>
#include <string>
#include <vector>

namespace gr {
namespace gpufft {

/*!
 * \brief Replaces gr-filter's pfb_synthesizer_ccf; undoes pfb_channelizer_ccf.
 *
 * With M channels, the filter h of the taps, and R = M / oversample_rate output samples
 * for each sample of a channel, the output is
 *
 *     y[t] = sum_f sum_c X_c[f] h[t - f R] exp(+j 2 pi c (t + R) / M)
 *
 * each channel interpolated by R, filtered, and moved to c fs / M; c > M/2 are the
 * negative frequencies. With twox the block has twice as many channels as numchans, and
 * R = numchans: M = 2 numchans, 2 times oversampled. Order, phases and alignment are
 * gr-filter's, and M may be any number, prime or not. Channels without a stream are 0. A
 * tag of a channel moves to output sample offset R.
 *
 * After a channelizer of M channels with the same R <= 5/7 M, both with the default
 * filters, the block restores the channelizer's input up to the filters' attenuation.
 */
class GPUFFT_API pfb_synthesizer_ccf : virtual public block_of_core,
                                       virtual public engine_block,
                                       virtual public radio_tags_block,
                                       virtual public formatted_block
{
public:
    typedef std::shared_ptr<pfb_synthesizer_ccf> sptr;

    /*!
     * \param numchans M, or with twox M / 2; M is 1 ... 2^27; for streams at most 65536
     * \param taps     taps of the filter, any number; none means create_taps()
     * \param twox     twice as many channels, 2 times oversampled; then oversample_rate
     * must be 1
     * \param oversample_rate M / R for a whole R, 1 ... M; 1 is critically sampled
     * \param atten    attenuation of the default filter in dB, 20 ... 200
     * \param nthreads threads of the cpu engine, 1 ... 1024; 0 is one for each core
     * \param engine,device,on_error,device_timeout see engine_block
     * \param formats see item_formats
     * \param vlen     1: up to M input streams, which a card gathers from their buffers;
     * M: one stream of vectors of all channels
     * \throws std::invalid_argument for a value out of range
     */
    static sptr make(std::int64_t numchans,
                     const std::vector<float>& taps = {},
                     bool twox = false,
                     double oversample_rate = 1.0,
                     double atten = 100.0,
                     int nthreads = 0,
                     const std::string& engine = "auto",
                     const device_list& device = 0,
                     const std::string& on_error = "stop",
                     std::int64_t vlen = 1,
                     double device_timeout = 10,
                     const item_formats& formats = {});

    /*! \brief Low-pass filter for M channels with a gain of 1 from a channel to the
     * output. From an oversample_rate of 1.4 on it passes up to 0.6 of the channel
     * spacing and stops the channels' images, which undoes the channelizer's default
     * filter; below, it passes up to 0.4 and stops from 0.6 on. Attenuation is `atten`
     * dB. */
    static std::vector<float> create_taps(std::int64_t channels,
                                          double oversample_rate = 1.0,
                                          double atten = 100.0);

    // Setters, for any time and any thread. A setter that throws std::invalid_argument
    // has changed nothing.

    /*! \brief Sets other taps, any number of them. They take over between two vectors of
     * channels: no output is lost, and the first output with the new taps already filters
     * all vectors before it with them. More than max_taps() taps take over once enough
     * vectors have arrived since the call. On a GPU, half the buffer before the block is
     * the limit while the flowgraph runs; more taps then throw std::invalid_argument. */
    virtual void set_taps(const std::vector<float>& taps) = 0;

    /*! \brief Input i goes to channel map[i], 0 ... M - 1; inputs past the map's end keep
     * their channel. If several inputs go to one channel, the last one counts. Samples
     * that have come before keep their channel, in the filters, too. An empty map changes
     * nothing. Needs vlen 1. */
    virtual void set_channel_map(const std::vector<int>& map) = 0;
    virtual void set_nthreads(int n) = 0;

    /*! \brief The arms: arm i of R is h[i], h[i + R], ... With twox there are 2 R arms,
     * as in gr-filter: arm i keeps every second of these taps, from the second on, with 0
     * in between; arm i + R keeps the others. */
    virtual std::vector<std::vector<float>> taps() const = 0;
    virtual void print_taps() const = 0;
    virtual std::vector<int> channel_map() const = 0;
    virtual int nthreads() const = 0;

    /*! \brief Number of taps for which the block keeps vectors, R taps per vector:
     * initially twice the number of taps, and at least 4096. Up to max_taps() taps take
     * over at once. */
    virtual std::int64_t max_taps() const = 0;
};

} // namespace gpufft
} // namespace gr

#endif
