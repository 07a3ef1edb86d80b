// SPDX-License-Identifier: GPL-3.0-or-later
//
// How fast raw copies between host and cards are, and the kernels without any copies:
// the limits that a flowgraph is held against.

#ifndef INCLUDED_GPUFFT_BENCH_LIMITS_H
#define INCLUDED_GPUFFT_BENCH_LIMITS_H

#include "engine/async_device.h"
#include <cstddef>
#include <map>
#include <memory>
#include <tuple>
#include <vector>

namespace gr {
namespace gpufft {

enum class link_use { up, down, duplex };

// Bytes a second, summed over the cards.
struct link_rate {
    double up = 0, down = 0;
};

/* Copies of one size between registered host memory and the cards, every direction and
 * card with a thread and a queue of its own, all at once. Copies are queued ahead, so
 * that the CPU never delays the link. What was measured is kept. */
class link_meter
{
public:
    link_meter(const std::vector<int>& devices, double seconds);

    link_rate measure(link_use use, std::size_t chunk_bytes);

private:
    const std::vector<int> d_devices;
    const double d_seconds;
    std::map<std::pair<link_use, std::size_t>, link_rate> d_known;
};

/* Plans by themselves: executed back to back in device memory, `batch` vectors at a time,
 * timed by events. What was measured is kept. */
class kernel_meter
{
public:
    kernel_meter(int device, double seconds);

    // Of one vector.
    double seconds(std::size_t n, direction dir, std::size_t batch);

private:
    const int d_device;
    const double d_seconds;
    std::map<std::tuple<std::size_t, direction, std::size_t>, double> d_known;
};

/* One vector at a time through a card, by a kernel that accesses host memory, as a block
 * of a slow stream sends it. */
class chunk_delay_meter
{
public:
    enum class until { queued, seen_at_once, seen_as_by_a_block };

    // Throws std::invalid_argument if the card does not send small chunks so.
    chunk_delay_meter(int device, std::size_t n);
    ~chunk_delay_meter();

    // Seconds of each, at most at this rate, for so long.
    std::vector<float> measure(until end, double vectors_per_second, double seconds);

private:
    struct state;
    const std::unique_ptr<state> d_state;
};

} // namespace gpufft
} // namespace gr

#endif
