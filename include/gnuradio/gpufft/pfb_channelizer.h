// SPDX-License-Identifier: GPL-3.0-or-later
//
// Polyphase channelizer: splits a stream of samples into a stream for each of M channels.

#ifndef INCLUDED_GPUFFT_PFB_CHANNELIZER_H
#define INCLUDED_GPUFFT_PFB_CHANNELIZER_H

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
 * \brief Replaces gr-filter's pfb.channelizer_ccf; T is gr_complex, or std::int16_t or
 * std::int8_t for interleaved I, Q, I, Q, ... (two items a sample; full scale 32768 or
 * 128 reads 1).
 *
 * With M channels, the filter h of the taps, and R = M / oversample_rate input samples
 * for each output sample, sample f of channel c is
 *
 *     X_c[f] = sum_k h[k] x[t - k] exp(-j 2 pi c (t - k + R + 1) / M),  t = f R + R - 1
 *
 * the band around c fs / M shifted to 0, filtered, and decimated by R; c > M/2 are the
 * negative frequencies. Order, phases and the zeros before the stream are gr-filter's. M
 * may be any number, prime or not, and R any whole number from 1 to M. A tag moves to
 * output sample floor(offset / R) of every channel.
 *
 * From real samples (item_formats::input) there are the channels 0 ... M / 2, by real
 * transforms: wherever M outputs are said, these have M / 2 + 1, rounded down.
 */
template <class T>
class GPUFFT_API pfb_channelizer : virtual public block_of_core,
                                   virtual public engine_block,
                                   virtual public radio_tags_block,
                                   virtual public formatted_block
{
public:
    typedef std::shared_ptr<pfb_channelizer<T>> sptr;

    /*!
     * \param numchans        M, 1 ... 2^27; for streams at most 65536
     * \param taps            taps of the filter, any number; none means create_taps()
     * \param oversample_rate M / R for a whole R, 1 ... M; 1 is critically sampled
     * \param atten           attenuation of that default filter in dB, 20 ... 200
     * \param nthreads        threads of the cpu engine, 1 ... 1024; 0: one for each core
     * \param engine,device,on_error,device_timeout see engine_block
     * \param formats see item_formats
     * \param vlen            1: a stream for each channel. M, or outchans if that is
     *                        given: one stream of vectors with all channels, which needs
     *                        no splitting and can stay on the card
     * \param outchans        number of output channels, 1 ... M, which the channel map
     *                        picks; only they are copied from the card to the host; 0:
     *                        all M
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
                     double device_timeout = 10,
                     const item_formats& formats = {});

    /*! \brief Low-pass filter for M channels, a Kaiser design for every M: it passes up
     * to 0.4 of the channel spacing and attenuates by `atten` dB from 0.6 on. */
    static std::vector<float> create_taps(std::int64_t numchans, double atten = 100.0);

    // Setters, for any time and any thread. A setter that throws std::invalid_argument
    // has changed nothing.

    /*! \brief Sets other taps, any number of them. They take over between two output
     * samples: no output is lost, and the first output with the new taps already filters
     * all samples before it with them. More than max_taps() taps take over once as many
     * samples have arrived since the call. On a GPU, half the buffer before the block is
     * the limit while the flowgraph runs; more taps then throw std::invalid_argument. */
    virtual void set_taps(const std::vector<float>& taps) = 0;

    /*! \brief Channel map[i] goes to output i, or to place i of the vectors. An empty map
     * changes nothing. With outchans the map has outchans entries, initially 0, 1, ...,
     * and takes over between two output samples. Without outchans it needs vlen 1;
     * outputs past the map's end keep their channel. */
    virtual void set_channel_map(const std::vector<int>& map) = 0;
    virtual void set_nthreads(int n) = 0;

    /*! \brief The M arms (polyphase branches): arm i is h[i], h[i + M], ..., padded with
     * zeros. */
    virtual std::vector<std::vector<float>> taps() const = 0;
    virtual void print_taps() const = 0;
    virtual std::vector<int> channel_map() const = 0;
    virtual int nthreads() const = 0;

    /*! \brief Number of taps for which the block keeps samples: initially twice the
     * number of taps, and at least 4096. Up to max_taps() taps take over at once. */
    virtual std::int64_t max_taps() const = 0;
};

typedef pfb_channelizer<gr_complex> pfb_channelizer_ccf;
typedef pfb_channelizer<std::int16_t> pfb_channelizer_scf;
typedef pfb_channelizer<std::int8_t> pfb_channelizer_bcf;

} // namespace gpufft
} // namespace gr

#endif
