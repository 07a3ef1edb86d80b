// SPDX-License-Identifier: GPL-3.0-or-later
//
// FIR filter with any number of taps, by FFT.

#ifndef INCLUDED_GPUFFT_FFT_FILTER_H
#define INCLUDED_GPUFFT_FFT_FILTER_H

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
 * \brief Replaces gr-filter's fft_filter_ccc, _ccf and _fff; T is the type of the
 * samples, Tap the type of the taps.
 *
 *     y[f] = sum_k taps[k] x[f decimation - k],   x = 0 before the stream
 *
 * Each complete group of `decimation` samples gives one output, up to the end of the
 * stream. A tag moves to output floor(offset / decimation).
 */
template <class T, class Tap>
class GPUFFT_API fft_filter : virtual public gr::block,
                              virtual public engine_block,
                              virtual public radio_tags_block,
                              virtual public formatted_block
{
public:
    typedef std::shared_ptr<fft_filter<T, Tap>> sptr;

    /*!
     * \param decimation input samples for each output, 1 ... 2^20
     * \param taps       at least one, at most 2^24, all finite
     * \param nthreads   threads of the cpu engine, 1 ... 1024; 0 is one for each core
     * \param engine,device,on_error,device_timeout see engine_block
     * \param formats see item_formats
     * \throws std::invalid_argument for a value out of range
     */
    static sptr make(std::int64_t decimation,
                     const std::vector<Tap>& taps,
                     int nthreads = 1,
                     const std::string& engine = "auto",
                     const device_list& device = 0,
                     const std::string& on_error = "stop",
                     double device_timeout = 10,
                     const item_formats& formats = {});

    // Setters, for any time and any thread. A setter that throws std::invalid_argument
    // has changed nothing.

    /*! \brief Sets other taps, any number of them. They take over between two outputs: no
     * output is lost, and the first output with the new taps already filters all samples
     * before it with them. More than max_taps() taps take over once as many samples have
     * arrived since the call. On a GPU, half the buffer before the block is the limit
     * while the flowgraph runs; more taps then throw std::invalid_argument. */
    virtual void set_taps(const std::vector<Tap>& taps) = 0;

    /*! \brief Takes effect between two outputs; a group that has begun keeps its
     * decimation. */
    virtual void set_decimation(std::int64_t decimation) = 0;
    virtual void set_nthreads(int n) = 0;

    virtual std::vector<Tap> taps() const = 0;
    virtual std::int64_t decimation() const = 0;
    virtual int nthreads() const = 0;

    /*! \brief Number of past samples that the block keeps: initially twice the number of
     * taps, and at least 4096. Up to max_taps() taps take over at once. */
    virtual std::int64_t max_taps() const = 0;
};

typedef fft_filter<gr_complex, gr_complex> fft_filter_ccc;
typedef fft_filter<gr_complex, float> fft_filter_ccf;
typedef fft_filter<float, float> fft_filter_fff;

} // namespace gpufft
} // namespace gr

#endif
