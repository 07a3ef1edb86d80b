// SPDX-License-Identifier: GPL-3.0-or-later
//
// Polyphase channelizer: a stream of samples to a stream for each of M channels.

#ifndef INCLUDED_GPUFFT_PFB_CHANNELIZER_H
#define INCLUDED_GPUFFT_PFB_CHANNELIZER_H

#include <cstdint>
#include <gnuradio/gpufft/api.h>
#include <gnuradio/gpufft/device_list.h>
#include <gnuradio/gpufft/engine_block.h>
#include <gnuradio/gr_complex.h>
#include <gnuradio/hier_block2.h>
#include <memory>
#include <string>
#include <vector>

namespace gr {
namespace gpufft {

/*!
 * \brief In the place of gr-filter's pfb.channelizer_ccf; T is gr_complex, or
 * std::int16_t or std::int8_t for interleaved I, Q, I, Q, ... (two items a sample; full
 * scale 32768 or 128 reads 1).
 *
 * With M channels, the filter h of the taps, and R = M / oversample_rate input samples
 * for each output sample, sample f of channel c is
 *
 *     X_c[f] = sum_k h[k] x[t - k] exp(-j 2 pi c (t - k + R + 1) / M),  t = f R + R - 1
 *
 * the band around c fs / M shifted to 0, filtered, and decimated by R; c > M/2 are the
 * negative frequencies. Order, phases and the zeros before the stream are gr-filter's. M
 * may be any number, prime or not, and R any whole number from 1 to M: it is decided in
 * integers. A tag moves to output sample floor(offset / R) of every channel.
 *
 * It has no "status" port: GNU Radio never frees hierarchical blocks that forward
 * messages. statistics() and error() tell the same.
 */
template <class T>
class GPUFFT_API pfb_channelizer : virtual public gr::hier_block2,
                                   virtual public engine_block
{
public:
    typedef std::shared_ptr<pfb_channelizer<T>> sptr;

    /*!
     * \param numchans        M, 1 ... 2^28
     * \param taps            of the filter, any number; none means create_taps()
     * \param oversample_rate M / R for a whole R, 1 ... M; 1 is critically sampled
     * \param atten           attenuation of that default filter in dB, 20 ... 200
     * \param nthreads        threads of the cpu engine, 1 ... 1024; 0: one for each core
     * \param engine,device,on_error,device_timeout see engine_block
     * \param vlen            1: a stream for each channel. M, or outchans if that is
     *                        given: one stream of vectors of all of them, which saves
     *                        the work of splitting them, and stays on the card
     * \param outchans        how many channels come out, 1 ... M, those of the channel
     *                        map: only they come from the card to the host; 0: all M
     * \throws std::invalid_argument for a value out of range
     */
    static sptr make(std::int64_t numchans,
                     const std::vector<float>& taps = {},
                     double oversample_rate = 1.0,
                     double atten = 100.0,
                     int nthreads = 0,
                     const std::string& engine = "auto",
                     const device_list& device = 0,
                     const std::string& on_error = "stop",
                     std::int64_t vlen = 1,
                     std::int64_t outchans = 0,
                     double device_timeout = 10);

    /*! \brief Low-pass filter for M channels: passes 0.4 and stops from 0.6 of their
     * spacing on, by `atten` dB; Kaiser's design, for every M. */
    static std::vector<float> create_taps(std::int64_t numchans, double atten = 100.0);

    // Setters, for any time and any thread. One that throws std::invalid_argument has
    // changed nothing.

    /*! \brief Any number of other taps. They take over from one output sample to the
     * next: none is lost, and the first is already that of the new taps over all samples
     * before it. More than max_taps() take over once so many samples have come since. On
     * a GPU, half the buffer before the block is the most while the flowgraph runs: more
     * throw std::invalid_argument until it is stopped. */
    virtual void set_taps(const std::vector<float>& taps) = 0;

    /*! \brief Channel map[i] goes to output i, or to place i of the vectors. An empty map
     * changes nothing. With outchans it has so many entries, and takes over from one
     * output sample to the next; channels 0, 1, ... are those at first. Without it needs
     * vlen 1; outputs past the map's end keep their channel. */
    virtual void set_channel_map(const std::vector<int>& map) = 0;
    virtual void set_nthreads(int n) = 0;

    /*! \brief The arms: M of them, arm i is h[i], h[i + M], ..., the last padded with
     * zeros. */
    virtual std::vector<std::vector<float>> taps() const = 0;
    virtual void print_taps() const = 0;
    virtual std::vector<int> channel_map() const = 0;
    virtual int nthreads() const = 0;

    /*! \brief Taps that the block has samples for: at first twice the first ones, and at
     * least 4096. Up to so many take over at once. */
    virtual std::int64_t max_taps() const = 0;

    /*! \brief Samples by which tags are late, as gr::block::declare_sample_delay(). */
    virtual void declare_sample_delay(unsigned delay) = 0;
};

typedef pfb_channelizer<gr_complex> pfb_channelizer_ccf;
typedef pfb_channelizer<std::int16_t> pfb_channelizer_scf;
typedef pfb_channelizer<std::int8_t> pfb_channelizer_bcf;

} // namespace gpufft
} // namespace gr

#endif
