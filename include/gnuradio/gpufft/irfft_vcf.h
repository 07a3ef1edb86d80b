// SPDX-License-Identifier: GPL-3.0-or-later
//
// Inverse FFT of the bins of a real signal.

#ifndef INCLUDED_GPUFFT_IRFFT_VCF_H
#define INCLUDED_GPUFFT_IRFFT_VCF_H

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
 * \brief Inverse FFT of the bins 0 ... floor(N/2) of a real signal to its N floats.
 *
 * With w the weights of the bins and the other bins X[N-k] = conj(X[k]), x[m] = sum_k
 * w[k] X[k] exp(+j 2 pi m k / N), unscaled: N times numpy.fft.irfft. The imaginary parts
 * of bin 0 and, for even N, of bin N/2 are ignored.
 *
 * Ports: vectors of floor(N/2) + 1 bins and of N floats; or, with vlen = 1, plain
 * streams, which the block cuts into frames. A tag moves to the first item of the row of
 * the frame that holds its sample.
 */
class GPUFFT_API irfft_vcf : virtual public block,
                             virtual public engine_block,
                             virtual public formatted_block
{
public:
    typedef std::shared_ptr<irfft_vcf> sptr;

    /*!
     * \param fft_size N, 1 ... 2^30; a vector must be below 2 GiB
     * \param window   weights of the floor(N/2) + 1 bins, or none
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
