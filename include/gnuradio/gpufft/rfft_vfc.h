// SPDX-License-Identifier: GPL-3.0-or-later
//
// FFT of real vectors: the bins up to half the sample rate.

#ifndef INCLUDED_GPUFFT_RFFT_VFC_H
#define INCLUDED_GPUFFT_RFFT_VFC_H

#include <cstdint>
#include <gnuradio/block.h>
#include <gnuradio/gpufft/api.h>
#include <gnuradio/gpufft/device_list.h>
#include <gnuradio/gpufft/engine_block.h>
#include <gnuradio/gpufft/item_formats.h>
#include <gnuradio/gpufft/window_spec.h>
#include <memory>
#include <string>

namespace gr {
namespace gpufft {

/*!
 * \brief FFT of N floats to the bins 0 ... floor(N/2), which determine all others.
 *
 * With w the window, X[k] = sum_m w[m] x[m] exp(-j 2 pi m k / N), unscaled, as
 * numpy.fft.rfft. irfft_vcf undoes it up to the factor N.
 *
 * Ports: vectors of N floats and of floor(N/2) + 1 bins; or, with vlen = 1, plain
 * streams, which the block cuts into frames. A tag moves to the first item of the row of
 * the frame that holds its sample.
 */
class GPUFFT_API rfft_vfc : virtual public block,
                            virtual public engine_block,
                            virtual public formatted_block
{
public:
    typedef std::shared_ptr<rfft_vfc> sptr;

    /*!
     * \param fft_size N, 1 ... 2^30; a vector must be below 2 GiB
     * \param window   N taps, a name, a type, or none
     * \param nthreads threads of the cpu engine, 1 ... 1024, which share the vectors
     * \param engine,device,on_error,device_timeout see engine_block
     * \param vlen     fft_size (or 0): vector ports; 1: streams of samples
     * \param formats see item_formats
     * \throws std::invalid_argument for a value out of range or a window that does not
     * fit, std::runtime_error for device trouble
     */
    static sptr make(std::int64_t fft_size,
                     const window_spec& window = window_spec(),
                     int nthreads = 1,
                     const std::string& engine = "auto",
                     const device_list& device = 0,
                     const std::string& on_error = "stop",
                     std::int64_t vlen = 0,
                     double device_timeout = 10,
                     const item_formats& formats = {});

    /*! \brief 1 ... 1024, else std::invalid_argument. */
    virtual void set_nthreads(int n) = 0;
    virtual int nthreads() const = 0;

    /*! \brief Another window; std::invalid_argument for taps that do not fit. */
    virtual void set_window(const window_spec& window) = 0;
};

} // namespace gpufft
} // namespace gr

#endif
