// SPDX-License-Identifier: GPL-3.0-or-later
//
// Discrete sine transform of vectors.

#ifndef INCLUDED_GPUFFT_DST_VFF_H
#define INCLUDED_GPUFFT_DST_VFF_H

#include <cstdint>
#include <gnuradio/block.h>
#include <gnuradio/gpufft/api.h>
#include <gnuradio/gpufft/device_list.h>
#include <gnuradio/gpufft/engine_block.h>
#include <memory>
#include <string>

namespace gr {
namespace gpufft {

/*!
 * \brief DST of vectors of N floats.
 *
 *     type 1  2 sum_m x[m] sin(pi (m+1) (k+1) / (N+1))
 *     type 2  2 sum_m x[m] sin(pi (2m+1) (k+1) / (2N))
 *     type 3  (-1)^k x[N-1] + 2 sum_{m<N-1} x[m] sin(pi (m+1) (2k+1) / (2N))
 *     type 4  2 sum_m x[m] sin(pi (2m+1) (2k+1) / (4N))
 *
 * The inverse of type 2 is type 3 and vice versa; types 1 and 4 are their own. With norm
 * "none" neither is scaled, so inverse(forward(x)) = 2N x (type 1: 2(N + 1) x); with
 * "ortho" the matrix is orthogonal, so that the inverse gives x again, as scipy.fft.dst
 * and scipy.fft.idst.
 *
 * Ports: vectors of N floats on both sides; or, with vlen = 1, plain streams, which the
 * block cuts into frames. A tag moves to the first item of the row of the frame that
 * holds its sample.
 */
class GPUFFT_API dst_vff : virtual public block, virtual public engine_block
{
public:
    typedef std::shared_ptr<dst_vff> sptr;

    /*!
     * \param size     N, 1 ... 2^30; a vector must be below 2 GiB
     * \param type     1 ... 4
     * \param inverse  the inverse transform of that type
     * \param norm     "none" or "ortho"
     * \param nthreads threads of the cpu engine, 1 ... 1024, which share the vectors
     * \param engine,device,on_error,device_timeout see engine_block
     * \param vlen     size (or 0): vector ports; 1: streams of samples
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
                     double device_timeout = 10);

    /*! \brief 1 ... 1024, else std::invalid_argument. */
    virtual void set_nthreads(int n) = 0;
    virtual int nthreads() const = 0;
};

} // namespace gpufft
} // namespace gr

#endif
