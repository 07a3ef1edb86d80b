// SPDX-License-Identifier: GPL-3.0-or-later
//
// Frames in parts on several devices, real or simulated, for tests of plans on them.

#ifndef INCLUDED_GPUFFT_TESTS_CARD_ARRAYS_H
#define INCLUDED_GPUFFT_TESTS_CARD_ARRAYS_H

#include "engine/async_device.h"
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

namespace gr {
namespace gpufft {

// Memory of each device for `frames` frames or rows, of which it has `items[i]` items.
class card_array
{
public:
    card_array(const std::vector<async_device::sptr>& devices,
               const std::vector<std::size_t>& items,
               std::size_t item_bytes,
               std::size_t frames)
        : d_devices(devices),
          d_frames(frames)
    {
        for (std::size_t i = 0; i < devices.size(); ++i) {
            d_bytes.push_back(items[i] * item_bytes);
            d_memory.push_back(
                devices[i]->allocate(std::max<std::size_t>(frames * d_bytes[i], 1)));
        }
    }

    std::vector<void*> addresses() const
    {
        std::vector<void*> all;
        for (const auto& each : d_memory)
            all.push_back(each->address());
        return all;
    }
    std::vector<const void*> inputs() const
    {
        const std::vector<void*> all = addresses();
        return { all.begin(), all.end() };
    }

    // From and to frames in host memory.
    void fill(const std::vector<std::uint8_t>& frames) { copy(frames.data(), nullptr); }
    std::vector<std::uint8_t> read() const
    {
        std::size_t bytes = 0;
        for (const std::size_t each : d_bytes)
            bytes += each;
        std::vector<std::uint8_t> frames(d_frames * bytes);
        copy(nullptr, frames.data());
        return frames;
    }

private:
    void copy(const std::uint8_t* from, std::uint8_t* to) const
    {
        std::size_t place = 0, frame_bytes = 0;
        for (const std::size_t each : d_bytes)
            frame_bytes += each;
        for (std::size_t i = 0; i < d_devices.size(); place += d_bytes[i], ++i) {
            async_device& device = *d_devices[i];
            const auto queue = device.make_queue();
            const std::size_t bytes = d_bytes[i];
            const auto staged =
                device.allocate_pinned(std::max<std::size_t>(d_frames * bytes, 1));
            auto* const host = static_cast<std::uint8_t*>(staged->address());
            for (std::size_t k = 0; k < d_frames && from; ++k)
                std::memcpy(host + k * bytes, from + k * frame_bytes + place, bytes);
            if (from)
                device.copy(*queue, d_memory[i]->address(), host, d_frames * bytes);
            else
                device.copy(*queue, host, d_memory[i]->address(), d_frames * bytes);
            device.synchronize(*queue);
            for (std::size_t k = 0; k < d_frames && to; ++k)
                std::memcpy(to + k * frame_bytes + place, host + k * bytes, bytes);
        }
    }

    const std::vector<async_device::sptr> d_devices;
    const std::size_t d_frames;
    std::vector<std::size_t> d_bytes; // of a frame on each device
    std::vector<std::unique_ptr<async_device::memory>> d_memory;
};

} // namespace gpufft
} // namespace gr

#endif
