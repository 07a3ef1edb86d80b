// SPDX-License-Identifier: GPL-3.0-or-later
//
// Discrete cosine and sine transforms of vectors.

#ifndef INCLUDED_GPUFFT_DCT_VFF_H
#define INCLUDED_GPUFFT_DCT_VFF_H

#include <cstdint>
#include <gnuradio/block.h>
#include <gnuradio/gpufft/api.h>
#include <gnuradio/gpufft/device_list.h>
#include <gnuradio/gpufft/engine_block.h>
#include <gnuradio/gpufft/item_formats.h>
#include <memory>
#include <string>

namespace gr {
namespace gpufft {

/*!
 * \brief DCT (dct_vff) or DST (dst_vff) of vectors of N floats.
 *
 *     DCT type 1  x[0] + (-1)^k x[N-1] + 2 sum_{0<m<N-1} x[m] cos(pi m k / (N-1)), N >= 2
 *         type 2  2 sum_m x[m] cos(pi (2m+1) k / (2N))
 *         type 3  x[0] + 2 sum_{m>0} x[m] cos(pi m (2k+1) / (2N))
 *         type 4  2 sum_m x[m] cos(pi (2m+1) (2k+1) / (4N))
 *     DST type 1  2 sum_m x[m] sin(pi (m+1) (k+1) / (N+1))
 *         type 2  2 sum_m x[m] sin(pi (2m+1) (k+1) / (2N))
 *         type 3  (-1)^k x[N-1] + 2 sum_{m<N-1} x[m] sin(pi (m+1) (2k+1) / (2N))
 *         type 4  2 sum_m x[m] sin(pi (2m+1) (2k+1) / (4N))
 *
 * The inverse of type 2 is type 3 and vice versa; types 1 and 4 are self-inverse. With
 * norm "none" neither is scaled, so inverse(forward(x)) = 2N x (type 1: 2(N - 1) x for
 * the DCT, 2(N + 1) x for the DST); with "ortho" the matrix is orthogonal, so that the
 * inverse gives x again, as scipy.fft.dct and idct, dst and idst.
 *
 * Ports: vectors of N floats on both sides; or, with vlen = 1, plain streams, which the
 * block cuts into frames. A tag moves to the first item of the row of the frame that
 * holds its sample.
 */
template <bool is_sine>
class GPUFFT_API real_to_real_vff : virtual public block,
                                    virtual public engine_block,
                                    virtual public formatted_block
{
public:
    typedef std::shared_ptr<real_to_real_vff<is_sine>> sptr;

    /*!
     * \param size     N, 1 ... 2^30 (DCT type 1: 2 ... 2^30); vectors below 2 GiB
     * \param type     1 ... 4
     * \param inverse  the inverse transform of that type
     * \param norm     "none" or "ortho"
     * \param nthreads threads of the cpu engine, 1 ... 1024, which share the vectors
     * \param engine,device,on_error,device_timeout see engine_block
     * \param vlen     size (or 0): vector ports; 1: streams of samples
     * \param formats see item_formats
     * \throws std::invalid_argument for a value out of range, std::runtime_error for
     * device trouble
     */
    static sptr make(std::int64_t size,
                     int type = 2,
                     bool inverse = false,
                     const std::string& norm = "none",
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
};

typedef real_to_real_vff<false> dct_vff;
typedef real_to_real_vff<true> dst_vff;

} // namespace gpufft
} // namespace gr

#endif
