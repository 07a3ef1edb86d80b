// SPDX-License-Identifier: GPL-3.0-or-later
//
// FFT blocks that replace gr-fft's fft_v.

#ifndef INCLUDED_GPUFFT_FFT_V_H
#define INCLUDED_GPUFFT_FFT_V_H

#include <cstdint>
#include <gnuradio/block.h>
#include <gnuradio/gpufft/api.h>
#include <gnuradio/gpufft/device_list.h>
#include <gnuradio/gpufft/engine_block.h>
#include <gnuradio/gpufft/item_formats.h>
#include <gnuradio/gpufft/window_spec.h>
#include <gnuradio/gr_complex.h>
#include <map>
#include <memory>
#include <string>

namespace gr {
namespace gpufft {

/*!
 * \brief Forward or inverse FFT of vectors; T is gr_complex or float.
 *
 * With w the window,
 *
 *     forward  X[k] = sum_m w[m] x[m] exp(-j 2 pi m k / N); shift: DC moves to floor(N/2)
 *     inverse  y = w x; shift: y[m] <- y[(m + floor(N/2)) mod N]; then exp(+j ...)
 *
 * Neither is scaled, so inverse(forward(x)) = N x. Both give all N complex bins, also for
 * floats.
 *
 * Ports: vectors of fft_size items; or, with vlen = 1, plain streams, which the block
 * cuts into frames of fft_size. Buffers of a stream stay small for odd lengths (a buffer
 * of vectors is a multiple of both the page and the vector), and a tag moves to the first
 * bin of the frame that holds its sample.
 */
template <class T, bool forward>
class GPUFFT_API fft_v : virtual public block,
                         virtual public engine_block,
                         virtual public formatted_block
{
public:
    typedef std::shared_ptr<fft_v<T, forward>> sptr;

    /*!
     * \param fft_size N, 1 ... 2^30 (a vector must also stay below 2 GiB)
     * \param window   N taps, a name, a type, or none
     * \param shift    DC in the middle of the output (forward) or the input (inverse)
     * \param nthreads threads of the cpu engine, 1 ... 1024, which share the vectors
     * \param engine,device,on_error,device_timeout see engine_block
     * \param formats see item_formats
     * \param vlen     fft_size (or 0): vector ports; 1: streams of samples
     * \throws std::invalid_argument for a value out of range, std::runtime_error for taps
     * that are not fft_size long (as gr-fft) and for device trouble
     */
    static sptr make(std::int64_t fft_size,
                     const window_spec& window,
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

    /*! \brief Expressions of each sample x before the window and of each bin x, computed
     * in the transform's kernels: see problem::load. "" is none. They take effect between
     * two vectors; parameters that they do not have are forgotten.
     * \throws std::invalid_argument for a wrong expression; then nothing has changed */
    virtual void set_expressions(const std::string& load, const std::string& store) = 0;
    virtual std::string load_expression() const = 0;
    virtual std::string store_expression() const = 0;

    /*! \brief Numbers of their parameters, by name; those not given are 1.
     * \throws std::invalid_argument for a name that they do not have */
    virtual void set_parameters(const std::map<std::string, float>& parameters) = 0;
    virtual std::map<std::string, float> parameters() const = 0;

    /*! \brief True if the window is accepted; false, and nothing changes, if its taps are
     * not fft_size long. */
    virtual bool set_window(const window_spec& window) = 0;
};

typedef fft_v<gr_complex, true> fft_vcc_fwd;
typedef fft_v<gr_complex, false> fft_vcc_rev;
typedef fft_v<float, true> fft_vfc_fwd;
typedef fft_v<float, false> fft_vfc_rev;

} // namespace gpufft
} // namespace gr

#endif
