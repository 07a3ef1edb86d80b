// SPDX-License-Identifier: GPL-3.0-or-later
//
// A kernel in CUDA C++, given as text, for a device_block.

#ifndef INCLUDED_GPUFFT_KERNEL_FUNCTION_H
#define INCLUDED_GPUFFT_KERNEL_FUNCTION_H

#include <gnuradio/gpufft/device_block.h>
#include <string>
#include <vector>

namespace gr {
namespace gpufft {

/*!
 * \brief Launches a kernel of a user's text, compiled by NVRTC for the card that is there
 * and kept in the cache. The text may include the headers in kernels/. The kernel is
 *
 *     __global__ void name(const In* input, Out* output, long long frames, ...)
 *
 * with the parameters at its end; of several ports, all inputs come first, then all
 * outputs. Frame f has the items input[f * decimation ... f * decimation + history +
 * decimation - 1], of which the first `history` are older ones; its row begins at
 * output[f * interpolation].
 */
class GPUFFT_API kernel_function : public device_function
{
public:
    typedef std::shared_ptr<kernel_function> sptr;

    /*! \brief Sizes of a launch. */
    struct geometry {
        std::size_t threads = 256; //!< in a block of threads, 1 ... 1024
        std::size_t threads_per_frame =
            1; //!< there are at least this many for each frame
        std::size_t frames_per_thread = 1; //!< or so many times fewer
    };

    /*! \param parameters the bytes of each parameter, in the order of the kernel's
     * \throws std::invalid_argument for sizes out of range */
    static sptr make(const std::string& text,
                     const std::string& name,
                     const device_ports& ports,
                     const geometry& sizes,
                     const std::vector<std::vector<char>>& parameters = {});

    /*! \brief Other values of the same sizes, from the next launch on. Any thread.
     * \throws std::invalid_argument for another number or another size. */
    virtual void set_parameters(const std::vector<std::vector<char>>& parameters) = 0;
};

} // namespace gpufft
} // namespace gr

#endif
