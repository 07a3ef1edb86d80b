// SPDX-License-Identifier: GPL-3.0-or-later
//
// GNU Radio's circular buffers, registered with the driver so that the cards copy from
// and to them directly. All blocks at a buffer share one registration.

#ifndef INCLUDED_GPUFFT_HOST_BUFFER_H
#define INCLUDED_GPUFFT_HOST_BUFFER_H

#include "engine/async_device.h"
#include <gnuradio/buffer.h>
#include <memory>

namespace gr {
namespace gpufft {

class host_buffer
{
public:
    typedef std::shared_ptr<const host_buffer> sptr;

    // Registers both mappings of the buffer, or joins those who already did. Throws
    // cuda_error where that cannot be: a mapping to a file, the limit of locked memory.
    static sptr get(const gr::buffer_sptr& buffer, async_device& device);

    // Of all blocks of the process, for tests.
    static std::size_t count();

private:
    host_buffer(const gr::buffer_sptr& buffer, async_device& device);

    const gr::buffer_sptr d_buffer; // the memory lives as long as it is registered
    const std::unique_ptr<async_device::registration> d_registration;
};

} // namespace gpufft
} // namespace gr

#endif
