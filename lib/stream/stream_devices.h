// SPDX-License-Identifier: GPL-3.0-or-later
//
// The devices of one block with what its chunks need there: queues for upload, compute
// and download, and buffers for as many chunks as travel at once. A copy engine of a card
// works in each direction beside the kernels, so the three queues overlap.

#ifndef INCLUDED_GPUFFT_STREAM_DEVICES_H
#define INCLUDED_GPUFFT_STREAM_DEVICES_H

#include "engine/async_device.h"
#include <functional>
#include <vector>

namespace gr {
namespace gpufft {

// Memory that only grows.
class growing_memory
{
public:
    typedef std::function<std::unique_ptr<async_device::memory>(std::size_t bytes)>
        allocate;

    bool is_short_of(std::size_t bytes) const { return !d_memory || bytes > d_bytes; }
    char* reserve(std::size_t bytes, const allocate& make);
    char* address() const { return static_cast<char*>(d_memory->address()); }

private:
    std::unique_ptr<async_device::memory> d_memory;
    std::size_t d_bytes = 0;
};

struct stream_device {
    // Upload, compute, download at once.
    static constexpr std::size_t SLOTS = 3;

    // Buffers of one chunk. The staging ones are pinned, for host memory that is not.
    struct slot {
        growing_memory input, output, staged_input, staged_output;
        std::shared_ptr<async_device::event> last_use;
    };

    explicit stream_device(async_device::sptr card);

    // The running mean behind each chunk on its way, and behind the one before them.
    static constexpr std::size_t MEANS = SLOTS + 1;

    async_device::sptr device;
    std::unique_ptr<async_device::queue> upload, compute, download;
    slot slots[SLOTS];
    growing_memory means[MEANS]; // pinned

    // Device memory grows when the card is through with what it holds: a chunk of it may
    // be on its way although the host has returned it.
    char* input_of(slot& chunk, std::size_t bytes);
    char* output_of(slot& chunk, std::size_t bytes);
    char* staged_input_of(slot& chunk, std::size_t bytes);
    char* staged_output_of(slot& chunk, std::size_t bytes);
    char* mean_of(std::size_t chunk, std::size_t bytes);

    // An event that nobody else holds: making one takes the driver longer than all other
    // calls for a chunk.
    std::shared_ptr<async_device::event> take_event(async_device::event_use use);

    // `on` goes on when what `first` has been given by now is done.
    void
    order(async_device::queue& first, async_device::queue& on, async_device::event& when);

    // `compute` goes on when the event of that card is done. One card does not know of
    // another's trouble, and would wait for it for ever: for another's event the host
    // waits, and throws what is wrong there.
    void follow(async_device& card, const async_device::event& done);

    // Waits for all queues. Never throws: false if the device is in trouble.
    bool finish() noexcept;

    // How devices are made: make_cuda_device. Tests put simulated ones in its place.
    static std::function<async_device::sptr(int)> s_make;

private:
    char* reserve(growing_memory& memory, const slot& chunk, std::size_t bytes);
    char* reserve_pinned(growing_memory& memory, std::size_t bytes);

    struct event_pool {
        std::vector<std::shared_ptr<async_device::event>> events;
        std::size_t next = 0;
    };
    event_pool d_ordering, d_awaited;
};

} // namespace gpufft
} // namespace gr

#endif
