// SPDX-License-Identifier: GPL-3.0-or-later
//
// Copies of the size of a slab, one after the other on every card at once.

#include "peer_rates.h"
#include "../timing.h"
#include <functional>
#include <memory>

namespace gr {
namespace gpufft {

namespace {

constexpr std::size_t SENT = std::size_t(256) << 20;
constexpr std::size_t ROW = std::size_t(8) << 10, APART = std::size_t(256) << 10;
constexpr int TIMES = 16;

struct end {
    explicit end(const async_device::sptr& which)
        : device(which),
          queue(which->make_queue()),
          from(which->allocate(SENT)),
          to(which->allocate(SENT))
    {
    }
    async_device::sptr device;
    std::unique_ptr<async_device::queue> queue;
    std::unique_ptr<async_device::memory> from, to;
};

} // namespace

peer_rates measure_peers(const std::vector<async_device::sptr>& devices)
{
    std::vector<std::unique_ptr<end>> ends;
    for (const async_device::sptr& each : devices) {
        for (const async_device::sptr& other : devices)
            each->reach_memory_of(*other);
        ends.push_back(std::make_unique<end>(each));
    }
    // copy(a, b) queues one from card a to card b.
    const auto rate = [&](const std::function<void(end&, end&)>& copy, std::size_t step) {
        const auto copy_all = [&] {
            for (int i = 0; i < TIMES; ++i)
                for (std::size_t k = 0; k < ends.size(); ++k)
                    copy(*ends[k], *ends[(k + step) % ends.size()]);
            for (const auto& each : ends)
                each->device->synchronize(*each->queue);
        };
        copy_all(); // the first time is slower
        return 1e-6 * double(SENT) * TIMES / milliseconds_of(copy_all);
    };
    const auto run = [](end& a, end& b) {
        a.device->copy(*a.queue, b.to->address(), a.from->address(), SENT);
    };
    // Columns of a matrix, as the sweeps of several cards move them.
    const auto move = [](end& by, end& a, end& b) {
        for (std::size_t i = 0; i < APART / ROW; ++i)
            by.device->copy_rows(*by.queue,
                                 static_cast<char*>(b.to->address()) + i * ROW,
                                 APART,
                                 static_cast<char*>(a.from->address()) + i * ROW,
                                 APART,
                                 ROW,
                                 SENT / APART);
    };
    const auto rows = [&](end& a, end& b) { move(a, a, b); };
    const auto fetch = [&](end& a, end& b) { move(b, a, b); };
    return {
        rate(run, 1), rate(rows, 1), rate(fetch, 1), 2 * rate(run, 0), 2 * rate(rows, 0)
    };
}

} // namespace gpufft
} // namespace gr
