// SPDX-License-Identifier: GPL-3.0-or-later
//
// A ring on the card beside one of GNU Radio's circular buffers, with the same places:
// what one of our blocks writes there, others of them read there, and the host never
// waits. Events order the card's queues: a reader's waits for what it reads to be
// written, the writer's for what it overwrites to be read.

#ifndef INCLUDED_GPUFFT_SHADOW_RING_H
#define INCLUDED_GPUFFT_SHADOW_RING_H

#include "engine/async_device.h"
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace gr {
namespace gpufft {

class shadow_ring
{
public:
    typedef std::shared_ptr<shadow_ring> sptr;
    typedef std::shared_ptr<async_device::event> event_sptr;
    typedef std::vector<event_sptr> events;

    shadow_ring(async_device::sptr device, std::size_t bytes);

    std::size_t bytes() const { return d_bytes; }
    char* base() const { return static_cast<char*>(d_memory->address()); }
    const async_device::sptr& device() const { return d_device; }

    // Places are bytes of the stream, counted from its start.

    // The writer: what its queue has to wait for before it writes these bytes; then, that
    // they are there when `done`; and that those from `begin` on were written in vain.
    events before_writing(std::uint64_t begin, std::uint64_t end);
    void written(std::uint64_t begin, std::uint64_t end, event_sptr done);
    void forget_from(std::uint64_t begin);

    // A reader: what its queue has to wait for before it reads these bytes, or nothing at
    // all if they are not all on the card; then, that they are read when `done`.
    std::optional<events> before_reading(std::uint64_t begin, std::uint64_t end);
    void read(std::uint64_t begin, std::uint64_t end, event_sptr done);

private:
    struct range {
        std::uint64_t begin, end;
        event_sptr done;
    };

    const async_device::sptr d_device;
    const std::size_t d_bytes;
    const std::unique_ptr<async_device::memory> d_memory;
    std::mutex d_mutex; // guards all below
    std::deque<range> d_written;
    std::deque<range> d_read; // of all readers
};

} // namespace gpufft
} // namespace gr

#endif
