// SPDX-License-Identifier: GPL-3.0-or-later
//
// Responses in double precision, rounded once.

#include "channel_window.h"
#include "channel_response.h"
#include "planner/plain_fft.h"

#include <cstring>
#include <set>

namespace gr {
namespace gpufft {

channel_window::channel_window(const problem& what,
                               std::size_t length,
                               std::size_t points,
                               std::size_t together)
    : d_what(what),
      d_length(length),
      d_points(points),
      d_together(together),
      d_zones(length / points),
      d_channels(what.row_bins()),
      d_groups((d_channels + together - 1) / together),
      d_turns_at(d_groups * length * together * sizeof(std::complex<float>)),
      d_lists_at(d_turns_at + d_channels * sizeof(plan::rotation))
{
}

std::complex<float>& channel_window::response(std::vector<unsigned char>& bytes,
                                              std::size_t channel,
                                              std::size_t k) const
{
    const std::size_t group = channel / d_together, zone = k / d_points;
    return reinterpret_cast<std::complex<float>*>(
        bytes.data())[(group * d_length + zone * d_points) * d_together +
                      channel % d_together * d_points + k % d_points];
}

std::vector<unsigned char> channel_window::make(const std::vector<double>& taps,
                                                const rotations& turns) const
{
    rotations all = turns;
    all.resize(d_channels); // filters without rotation have none
    std::vector<unsigned char> bytes(d_lists_at + d_groups * (d_zones + 1) * sizeof(int));
    for (std::size_t c = 0; c < d_channels; ++c) {
        if (d_what.running && c > 0 && all[c].step == all[c - 1].step)
            for (std::size_t k = 0; k < d_length; ++k)
                response(bytes, c, k) = response(bytes, c - 1, k);
        else
            write_response(taps, all, c, bytes);
    }
    for (std::size_t group = 0; group < d_groups; ++group)
        write_list(group, bytes);
    write_turns(all, bytes);
    return bytes;
}

void channel_window::turn(const std::vector<double>& taps,
                          const rotations& before,
                          const rotations& turns,
                          std::vector<unsigned char>& bytes) const
{
    std::set<std::size_t> changed; // groups
    for (std::size_t c = 0; c < d_channels; ++c)
        if (turns[c].step != before[c].step) {
            write_response(taps, turns, c, bytes);
            changed.insert(c / d_together);
        }
    for (std::size_t group : changed)
        write_list(group, bytes);
    write_turns(turns, bytes);
}

void channel_window::write_response(const std::vector<double>& taps,
                                    const rotations& turns,
                                    std::size_t channel,
                                    std::vector<unsigned char>& bytes) const
{
    const auto found =
        plain_fft(cyclic_channel(d_what, taps, channel, turns[channel].step, d_length));
    for (std::size_t k = 0; k < d_length; ++k)
        response(bytes, channel, k) =
            std::complex<float>(found[k] / static_cast<double>(d_length));
}

// Writes the list's length, and the zones that matter to any channel of the group.
void channel_window::write_list(std::size_t group,
                                std::vector<unsigned char>& bytes) const
{
    std::set<std::size_t> zones;
    for (std::size_t i = 0; i < d_together; ++i) {
        const std::size_t channel = group * d_together + i;
        if (channel >= d_channels)
            break;
        std::vector<std::complex<double>> own(d_length);
        for (std::size_t k = 0; k < d_length; ++k)
            own[k] = response(bytes, channel, k);
        for (std::size_t zone : zones_that_matter(own, d_points))
            zones.insert(zone);
    }
    int* list = reinterpret_cast<int*>(bytes.data() + d_lists_at) + group * (d_zones + 1);
    *list++ = static_cast<int>(zones.size());
    for (std::size_t zone : zones)
        *list++ = static_cast<int>(zone);
}

void channel_window::write_turns(const rotations& turns,
                                 std::vector<unsigned char>& bytes) const
{
    static_assert(sizeof(plan::rotation) == 16, "the kernels read two 64-bit numbers");
    std::memcpy(
        bytes.data() + d_turns_at, turns.data(), turns.size() * sizeof(plan::rotation));
}

} // namespace gpufft
} // namespace gr
