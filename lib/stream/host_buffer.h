// SPDX-License-Identifier: GPL-3.0-or-later
//
// GNU Radio's circular buffers, registered with the driver so that the cards copy from
// and to them directly. All blocks at a buffer share one registration.

#ifndef INCLUDED_GPUFFT_HOST_BUFFER_H
#define INCLUDED_GPUFFT_HOST_BUFFER_H

#include "engine/async_device.h"
#include <atomic>
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

    // A device hangs that was told to write here. It still may, long after the rows that
    // it was to write have been computed by others, read and overwritten by newer ones.
    // What it reaches are the pages that were registered: the buffer gets new ones with
    // the same contents, at the same addresses. Called by the buffer's writer; no card
    // may use the registration for what is written from then on. Throws
    // std::system_error.
    void move_away() const;
    bool has_moved() const { return d_has_moved; }

    // Of all blocks of the process, for tests.
    static std::size_t count();

private:
    host_buffer(const gr::buffer_sptr& buffer, async_device& device);

    char* const d_base;
    const std::size_t d_bytes; // of one of the two mappings
    // Holds the buffer: its memory lives as long as it is registered.
    const std::unique_ptr<async_device::registration> d_registration;
    mutable std::atomic<bool> d_has_moved{ false };
};

} // namespace gpufft
} // namespace gr

#endif
