// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the kernels of a channel bank read instead of a window
// (kernels/filters/channels.cuh): responses, phases, and which zones matter.

#ifndef INCLUDED_GPUFFT_CHANNEL_WINDOW_H
#define INCLUDED_GPUFFT_CHANNEL_WINDOW_H

#include <complex>
#include <gnuradio/gpufft/plan.h>
#include <gnuradio/gpufft/problem.h>
#include <vector>

namespace gr {
namespace gpufft {

class channel_window
{
public:
    typedef std::vector<plan::rotation> rotations;

    // Points of a part (`length`) and of an inverse (`points`); channels of a group.
    channel_window(const problem& what,
                   std::size_t length,
                   std::size_t points,
                   std::size_t together);

    // The bytes for these taps.
    std::vector<unsigned char> make(const std::vector<double>& taps,
                                    const rotations& turns) const;

    // Updates bytes made for the rotations `before`; computes only what changes.
    void turn(const std::vector<double>& taps,
              const rotations& before,
              const rotations& turns,
              std::vector<unsigned char>& bytes) const;

private:
    // Number k of a channel's response.
    std::complex<float>&
    response(std::vector<unsigned char>& bytes, std::size_t channel, std::size_t k) const;
    void write_response(const std::vector<double>& taps,
                        const rotations& turns,
                        std::size_t channel,
                        std::vector<unsigned char>& bytes) const;
    void write_list(std::size_t group, std::vector<unsigned char>& bytes) const;
    void write_turns(const rotations& turns, std::vector<unsigned char>& bytes) const;

    const problem d_what;
    const std::size_t d_length, d_points, d_together;
    const std::size_t d_zones, d_channels, d_groups;
    const std::size_t d_turns_at, d_lists_at; // in bytes
};

} // namespace gpufft
} // namespace gr

#endif
