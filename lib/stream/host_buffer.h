// SPDX-License-Identifier: GPL-3.0-or-later
//
// GNU Radio's circular buffers, registered with the driver so that cards copy from and to
// them directly. All blocks at a buffer share its registration.

#ifndef INCLUDED_GPUFFT_HOST_BUFFER_H
#define INCLUDED_GPUFFT_HOST_BUFFER_H

#include "engine/async_device.h"
#include <atomic>
#include <gnuradio/buffer.h>
#include <gnuradio/logger.h>
#include <memory>

namespace gr {
namespace gpufft {

class host_buffer
{
public:
    typedef std::shared_ptr<const host_buffer> sptr;

    // Registers both mappings of the buffer, or shares an existing registration. Throws
    // cuda_error for a mapping to a file, or at the limit of locked memory.
    static sptr get(const gr::buffer_sptr& buffer, async_device& device);

    // For a device that hangs with writes to this buffer queued. The device may still
    // write, long after the CPU has computed its rows and newer rows have replaced them.
    // It can only reach the registered pages, so the buffer gets new pages with the same
    // contents at the same addresses. The buffer's writer calls it; from then on no card
    // may use the registration for new data. Throws std::system_error.
    void move_away() const;
    bool has_moved() const { return d_has_moved; }

    // Number of registrations in the process, for tests.
    static std::size_t count();

private:
    host_buffer(const gr::buffer_sptr& buffer, async_device& device);

    char* const d_base;
    const std::size_t d_bytes; // bytes of one of the two mappings
    // Holds the buffer: its memory lives as long as it is registered.
    const std::unique_ptr<async_device::registration> d_registration;
    mutable std::atomic<bool> d_has_moved{ false };
};

// One of GNU Radio's buffers, as cards see it.
struct host_side {
    const gr::buffer_sptr buffer;
    host_buffer::sptr registered = nullptr;
    bool is_staged = false; // the buffer cannot be registered, or has moved

    // True if the cards can copy from and to the buffer. If not, logs once that staging
    // buffers are used.
    bool is_reachable(async_device& device, gr::logger& logger);
};

} // namespace gpufft
} // namespace gr

#endif
