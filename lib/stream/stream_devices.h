// SPDX-License-Identifier: GPL-3.0-or-later
//
// The devices of one block with what its chunks need there: queues for upload, compute
// and download, and buffers for the chunks in flight. A card has a copy engine for each
// direction that works beside the kernels, so the three queues overlap.

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
    // Chunks in flight: one each in upload, compute and download.
    static constexpr std::size_t SLOTS = 3;

    // Buffers of one chunk. The staging buffers are pinned, for host memory that is not.
    struct slot {
        growing_memory input, output, staged_input, staged_output;
        std::shared_ptr<async_device::event> last_use;
    };

    explicit stream_device(async_device::sptr card);

    // The running means after each chunk in flight and after the chunk before them.
    static constexpr std::size_t MEANS = SLOTS + 1;

    async_device::sptr device;
    std::unique_ptr<async_device::queue> upload, compute, download;
    slot slots[SLOTS];
    growing_memory means[MEANS]; // pinned

    // Before device memory grows, they wait until the card has finished with it: it may
    // still compute a chunk that the host has already returned.
    char* input_of(slot& chunk, std::size_t bytes);
    char* output_of(slot& chunk, std::size_t bytes);
    char* staged_input_of(slot& chunk, std::size_t bytes);
    char* staged_output_of(slot& chunk, std::size_t bytes);
    char* mean_of(std::size_t chunk, std::size_t bytes);

    // An event that nobody else holds, from a pool: making one takes the driver longer
    // than all other calls for a chunk.
    std::shared_ptr<async_device::event> take_event(async_device::event_use use);

    // Makes `on` wait for everything queued on `first` so far.
    void
    order(async_device::queue& first, async_device::queue& on, async_device::event& when);

    // Makes `compute` wait for the event of `card`. A card would wait for ever for
    // another one in trouble, so the host waits for another card's event, and throws what
    // is wrong there.
    void follow(async_device& card, const async_device::event& done);

    // Waits for all queues. Never throws: false if the device is in trouble.
    bool finish() noexcept;

    // Makes devices: make_cuda_device. Tests replace it by simulated ones.
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
