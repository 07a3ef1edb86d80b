// SPDX-License-Identifier: GPL-3.0-or-later
//
// When the bytes of rings on a card are written and read. All rings that a block writes
// at once share a log, so that neither the block nor a reader of several of them does
// something for each ring. Places are bytes of each ring's stream, counted from its
// start.

#ifndef INCLUDED_GPUFFT_RING_LOG_H
#define INCLUDED_GPUFFT_RING_LOG_H

#include "engine/async_device.h"
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace gr {
namespace gpufft {

class GPUFFT_API ring_log
{
public:
    typedef std::shared_ptr<async_device::event> event_sptr;
    // A card's read, which ends with `done`.
    struct reading {
        async_device::sptr card;
        event_sptr done;
    };

    // A ring of ring_bytes has this log. Called before anything is written.
    void add(std::size_t ring_bytes);

    // All of the writer's work is in one queue, and a reader names the queue of each
    // read, so waiting for the last event of a queue is enough.

    // For the writer. before_writing(): reads that must end before it writes bytes up to
    // `end`; written(): bytes are written once `done`; forget_from(): later bytes are
    // invalid.
    std::vector<reading> before_writing(std::uint64_t end);
    void written(std::uint64_t begin, std::uint64_t end, event_sptr done);
    void forget_from(std::uint64_t begin);

    // For a reader. before_reading(): the event for which its queue must wait; nullopt if
    // not all bytes are on the card. read(): bytes of a ring of `ring_bytes` are read
    // once `done`; of several rings, the smallest.
    std::optional<event_sptr> before_reading(std::uint64_t begin, std::uint64_t end);
    void read(std::uint64_t begin,
              std::uint64_t end,
              std::size_t ring_bytes,
              const reading& what,
              const async_device::queue& on);

private:
    struct write {
        std::uint64_t begin, end;
        event_sptr done;
    };
    struct read_range {
        std::uint64_t overwritten_from, overwritten_to; // by writes beyond these places
        reading what;
        const async_device::queue* queue;
    };

    std::size_t d_most_bytes = 0; // of a ring
    std::mutex d_mutex;           // guards all below
    std::deque<write> d_written;
    std::deque<read_range> d_read; // of all readers
};

} // namespace gpufft
} // namespace gr

#endif
