// SPDX-License-Identifier: GPL-3.0-or-later
//
// A ring on the card beside one of GNU Radio's circular buffers, and like it: what runs
// over its end is in one piece, since the memory follows itself. What one of our blocks
// writes there, others of them read there, and the host never waits. Events order the
// card's queues: a reader's waits for what it reads to be written, the writer's for what
// it overwrites to be read.

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
    // What a card reads, until `done`.
    struct reading {
        async_device::sptr card;
        event_sptr done;
    };

    // Who else has the bytes: host memory, too, before a reader asks for them; cards that
    // read them from this one.
    struct sharing {
        bool with_host = false, with_cards = false;
    };

    // Of at least so many bytes. Throws cuda_error.
    shadow_ring(async_device::sptr device, std::size_t bytes, sharing shared);

    std::size_t bytes() const { return d_memory->bytes(); }
    char* at(std::uint64_t place) const; // and as many bytes on as the ring has
    const async_device::sptr& device() const { return d_device; }
    const sharing& shared() const { return d_shared; }

    // Places are bytes of the stream, counted from its start. The writer's work is all
    // in one queue, and a reader names the queue of each of its reads: of several events
    // of a queue, to wait for the last is enough.

    // The writer: what has to be over before it writes these bytes; then, that they are
    // there when `done`; and that those from `begin` on were written in vain.
    std::vector<reading> before_writing(std::uint64_t begin, std::uint64_t end);
    void written(std::uint64_t begin, std::uint64_t end, event_sptr done);
    void forget_from(std::uint64_t begin);

    // A reader: what its queue has to wait for before it reads these bytes, or nothing at
    // all if they are not all on the card; then, that they are read when `done`.
    std::optional<event_sptr> before_reading(std::uint64_t begin, std::uint64_t end);
    void read(std::uint64_t begin,
              std::uint64_t end,
              const reading& what,
              const async_device::queue& on);

private:
    struct range {
        std::uint64_t begin, end;
        event_sptr done;
        async_device::sptr card = nullptr; // that reads
        const async_device::queue* queue = nullptr;
    };

    const async_device::sptr d_device;
    const sharing d_shared;
    const std::unique_ptr<async_device::ring> d_memory;
    std::mutex d_mutex; // guards all below
    std::deque<range> d_written;
    std::deque<range> d_read; // of all readers
};

} // namespace gpufft
} // namespace gr

#endif
