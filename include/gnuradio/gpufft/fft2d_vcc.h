// SPDX-License-Identifier: GPL-3.0-or-later
//
// Two-dimensional FFT of matrices.

#ifndef INCLUDED_GPUFFT_FFT2D_VCC_H
#define INCLUDED_GPUFFT_FFT2D_VCC_H

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
 * \brief Forward or inverse two-dimensional FFT of matrices, in C order (row after row).
 *
 * With R rows, C columns and w the window,
 *
 *     forward  X[k][l] = sum_m sum_n w[m][n] x[m][n] exp(-j 2 pi (m k / R + n l / C));
 *              shift: DC moves to row floor(R/2), column floor(C/2)
 *     inverse  y = w x; shift: from there to row 0, column 0; then exp(+j ...)
 *
 * Neither is scaled, so inverse(forward(x)) = R C x.
 *
 * Ports: vectors of R C items on both sides; or, with vlen = 1, plain streams, which the
 * block cuts into frames. A tag moves to the first item of the row of the frame that
 * holds its sample.
 */
class GPUFFT_API fft2d_vcc : virtual public block,
                             virtual public engine_block,
                             virtual public formatted_block
{
public:
    typedef std::shared_ptr<fft2d_vcc> sptr;

    /*!
     * \param rows,cols R and C, together 1 ... 2^30 points; a vector must be below 2 GiB
     * \param forward  else inverse
     * \param window   R C taps in C order; or a name or a type, for the product of such a
     *                 window along the columns and one along the rows; or none
     * \param shift    DC in the middle of the output (forward) or the input (inverse)
     * \param nthreads threads of the cpu engine, 1 ... 1024, which share the vectors
     * \param engine,device,on_error,device_timeout see engine_block
     * \param vlen     rows * cols (or 0): vector ports; 1: streams of samples
     * \param formats see item_formats
     * \throws std::invalid_argument for a value out of range or a window that does not
     * fit, std::runtime_error for device trouble
     */
    static sptr make(std::int64_t rows,
                     std::int64_t cols,
                     bool forward,
                     const window_spec& window = window_spec(),
                     bool shift = false,
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
