// SPDX-License-Identifier: GPL-3.0-or-later
//
// Raw copies between host and cards.

#include "limits.h"
#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <future>
#include <new>

namespace gr {
namespace gpufft {

namespace {

typedef std::chrono::steady_clock link_clock;

constexpr std::size_t PAGE = 4096;
constexpr std::size_t LEAST_RING_BYTES = std::size_t(32) << 20; // like a stream's buffer
constexpr std::size_t LEAST_RING_CHUNKS = 4;
// Copies between two looks of the CPU, of which three are always queued: enough to
// hide the time that it takes to wake up.
constexpr std::size_t BURST_BYTES = std::size_t(8) << 20;
constexpr std::size_t BURSTS = 3;

// Memory as GNU Radio's buffers have it: pages that were touched, then registered.
class registered_memory
{
public:
    registered_memory(async_device& device, std::size_t bytes)
        : d_pages(static_cast<char*>(std::aligned_alloc(PAGE, bytes)), &std::free)
    {
        if (!d_pages)
            throw std::bad_alloc();
        std::memset(d_pages.get(), 1, bytes);
        d_registration = device.register_host(d_pages.get(), bytes);
    }
    char* address() const { return d_pages.get(); }

private:
    std::unique_ptr<char, decltype(&std::free)> d_pages;
    std::unique_ptr<async_device::registration> d_registration; // goes first
};

// One direction of one card.
class copy_lane
{
public:
    copy_lane(async_device::sptr device, bool up, std::size_t chunk_bytes)
        : d_device(std::move(device)),
          d_up(up),
          d_chunk(chunk_bytes),
          d_slots(std::max(LEAST_RING_CHUNKS, LEAST_RING_BYTES / chunk_bytes)),
          d_host(*d_device, (d_slots * d_chunk + PAGE - 1) / PAGE * PAGE),
          d_card(d_device->allocate(d_slots * d_chunk)),
          d_queue(d_device->make_queue())
    {
        for (auto& each : d_events)
            each = d_device->make_event(async_device::event_use::awaited);
    }

    void warm_up()
    {
        for (std::size_t slot = 0; slot < d_slots; ++slot)
            queue_copy();
        d_device->synchronize(*d_queue);
    }

    // Bytes a second until the time is over, and what was queued then.
    double run(double seconds)
    {
        const std::size_t copies = std::max<std::size_t>(1, BURST_BYTES / d_chunk);
        const auto start = link_clock::now();
        std::size_t done = 0;
        for (std::size_t burst = 0; seconds_since(start) < seconds; ++burst) {
            async_device::event& event = *d_events[burst % BURSTS];
            d_device->synchronize(event);
            for (std::size_t i = 0; i < copies; ++i)
                queue_copy();
            d_device->record(event, *d_queue);
            done += copies;
        }
        d_device->synchronize(*d_queue);
        return static_cast<double>(done * d_chunk) / seconds_since(start);
    }

    bool is_up() const { return d_up; }

private:
    static double seconds_since(link_clock::time_point start)
    {
        return std::chrono::duration<double>(link_clock::now() - start).count();
    }

    void queue_copy()
    {
        const std::size_t offset = d_chunk * (d_copied++ % d_slots);
        char* const card = static_cast<char*>(d_card->address()) + offset;
        char* const host = d_host.address() + offset;
        d_device->copy(*d_queue, d_up ? card : host, d_up ? host : card, d_chunk);
    }

    const async_device::sptr d_device;
    const bool d_up;
    const std::size_t d_chunk, d_slots;
    registered_memory d_host;
    std::unique_ptr<async_device::memory> d_card;
    std::unique_ptr<async_device::queue> d_queue; // goes before the memory
    std::array<std::shared_ptr<async_device::event>, BURSTS> d_events;
    std::size_t d_copied = 0;
};

} // namespace

link_meter::link_meter(const std::vector<int>& devices, double seconds)
    : d_devices(devices),
      d_seconds(seconds)
{
}

link_rate link_meter::measure(link_use use, std::size_t chunk_bytes)
{
    const auto known = d_known.find({ use, chunk_bytes });
    if (known != d_known.end())
        return known->second;

    std::vector<std::unique_ptr<copy_lane>> lanes;
    for (const int device : d_devices)
        for (const bool up : { true, false })
            if (use == link_use::duplex || up == (use == link_use::up))
                lanes.push_back(std::make_unique<copy_lane>(
                    make_cuda_device(device), up, chunk_bytes));
    for (auto& lane : lanes)
        lane->warm_up();

    std::vector<std::future<double>> rates;
    for (auto& lane : lanes)
        rates.push_back(std::async(std::launch::async,
                                   [&lane, this] { return lane->run(d_seconds); }));
    link_rate sum;
    for (std::size_t i = 0; i < lanes.size(); ++i)
        (lanes[i]->is_up() ? sum.up : sum.down) += rates[i].get();
    return d_known[{ use, chunk_bytes }] = sum;
}

} // namespace gpufft
} // namespace gr
