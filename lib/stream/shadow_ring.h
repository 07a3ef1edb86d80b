// SPDX-License-Identifier: GPL-3.0-or-later
//
// A ring on the card beside one of GNU Radio's circular buffers. Like the buffer it is
// double-mapped, so that data across its end is contiguous. One block of this module
// writes to it, and others read from it. Events order the card's queues, so that the host
// waits only for another card: a reader's queue waits until its data is written, the
// writer's queue until the data that it overwrites is read.

#ifndef INCLUDED_GPUFFT_SHADOW_RING_H
#define INCLUDED_GPUFFT_SHADOW_RING_H

#include "engine/async_device.h"
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace gr {
namespace gpufft {

class GPUFFT_API shadow_ring
{
public:
    typedef std::shared_ptr<shadow_ring> sptr;
    typedef std::shared_ptr<async_device::event> event_sptr;
    // A card's read, which ends with `done`.
    struct reading {
        async_device::sptr card;
        event_sptr done;
    };

    // Who else gets the data: host memory, which has it before a reader asks for it, or
    // other cards, which read it from this one.
    struct sharing {
        bool with_host = false, with_cards = false;
    };

    // Allocates at least `bytes` bytes. Throws cuda_error.
    shadow_ring(async_device::sptr device, std::size_t bytes, sharing shared);

    std::size_t bytes() const { return d_memory->bytes(); }
    char* at(std::uint64_t place) const; // bytes() contiguous bytes from there
    const async_device::sptr& device() const { return d_device; }
    const sharing& shared() const { return d_shared; }

    // Places are bytes, counted from the stream's start. All of the writer's work is in
    // one queue, and a reader names the queue of each read, so waiting for the last event
    // of a queue is enough.

    // For the writer. before_writing(): reads that must end before it writes these bytes;
    // written(): they are written once `done`; forget_from(): later bytes are invalid.
    std::vector<reading> before_writing(std::uint64_t begin, std::uint64_t end);
    void written(std::uint64_t begin, std::uint64_t end, event_sptr done);
    void forget_from(std::uint64_t begin);

    // For a reader. before_reading(): the event for which its queue must wait; nullopt if
    // not all bytes are on the card. read(): they are read once `done`.
    std::optional<event_sptr> before_reading(std::uint64_t begin, std::uint64_t end);
    void read(std::uint64_t begin,
              std::uint64_t end,
              const reading& what,
              const async_device::queue& on);

private:
    struct range {
        std::uint64_t begin, end;
        event_sptr done;
        async_device::sptr card = nullptr; // the reading card
        const async_device::queue* queue = nullptr;
    };

    const async_device::sptr d_device;
    const sharing d_shared;
    const std::unique_ptr<async_device::ring> d_memory;
    std::mutex d_mutex; // guards all below
    std::deque<range> d_written;
    std::deque<range> d_read; // reads of all readers
};

} // namespace gpufft
} // namespace gr

#endif
