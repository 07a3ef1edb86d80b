// SPDX-License-Identifier: GPL-3.0-or-later
//
// A ring on the card beside one of GNU Radio's circular buffers. Like the buffer it is
// double-mapped, so that data across its end is contiguous. One block of this module
// writes to it, and others read from it. Events order the card's queues, so that the host
// waits only for another card: a reader's queue waits until its data is written, the
// writer's queue until the data that it overwrites is read. The ring's log holds them.

#ifndef INCLUDED_GPUFFT_SHADOW_RING_H
#define INCLUDED_GPUFFT_SHADOW_RING_H

#include "ring_log.h"

namespace gr {
namespace gpufft {

class GPUFFT_API shadow_ring
{
public:
    typedef std::shared_ptr<shadow_ring> sptr;
    typedef std::shared_ptr<ring_log> log_sptr;

    // Who else gets the data: host memory, which has it before a reader asks for it, or
    // other cards, which read it from this one.
    struct sharing {
        bool with_host = false, with_cards = false;
    };

    // Allocates at least `bytes` bytes. Throws cuda_error.
    shadow_ring(async_device::sptr device,
                std::size_t bytes,
                sharing shared,
                log_sptr log = std::make_shared<ring_log>());

    std::size_t bytes() const { return d_memory->bytes(); }
    char* at(std::uint64_t place) const; // bytes() contiguous bytes from there
    const async_device::sptr& device() const { return d_device; }
    const sharing& shared() const { return d_shared; }
    const log_sptr& log() const { return d_log; }

private:
    const async_device::sptr d_device;
    const sharing d_shared;
    const std::unique_ptr<async_device::ring> d_memory;
    const log_sptr d_log;
};

} // namespace gpufft
} // namespace gr

#endif
