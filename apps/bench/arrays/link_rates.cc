// SPDX-License-Identifier: GPL-3.0-or-later
//
// Copies of the size of a slab, one after the other in each direction.

#include "link_rates.h"
#include "../timing.h"
#include <memory>

namespace gr {
namespace gpufft {

namespace {

constexpr std::size_t BYTES = std::size_t(256) << 20;
constexpr int COPIES = 16;

struct link_end {
    explicit link_end(const async_device::sptr& which)
        : device(which),
          up(which->make_queue()),
          down(which->make_queue()),
          sent(which->allocate_pinned(BYTES)),
          received(which->allocate_pinned(BYTES)),
          there{ which->allocate(BYTES), which->allocate(BYTES) }
    {
    }

    void queue(bool uploads, bool downloads) const
    {
        for (int i = 0; i < COPIES; ++i) {
            if (uploads)
                device->copy(*up, there[0]->address(), sent->address(), BYTES);
            if (downloads)
                device->copy(*down, received->address(), there[1]->address(), BYTES);
        }
    }
    void wait() const
    {
        device->synchronize(*up);
        device->synchronize(*down);
    }

    async_device::sptr device;
    std::unique_ptr<async_device::queue> up, down;
    std::unique_ptr<async_device::memory> sent, received, there[2];
};

} // namespace

link_rates measure_link(const std::vector<async_device::sptr>& devices)
{
    std::vector<std::unique_ptr<link_end>> ends;
    for (const async_device::sptr& each : devices)
        ends.push_back(std::make_unique<link_end>(each));
    const auto rate = [&](bool uploads, bool downloads) {
        const auto copy_all = [&] {
            for (const auto& each : ends)
                each->queue(uploads, downloads);
            for (const auto& each : ends)
                each->wait();
        };
        copy_all(); // the first time is slower
        const double bytes = double(BYTES) * COPIES * double(ends.size());
        return 1e-6 * bytes / milliseconds_of(copy_all);
    };
    return { rate(true, false), rate(false, true), rate(true, true) };
}

} // namespace gpufft
} // namespace gr
