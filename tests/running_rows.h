// SPDX-License-Identifier: GPL-3.0-or-later
//
// The truth about running filters that turn.

#ifndef INCLUDED_GPUFFT_RUNNING_ROWS_H
#define INCLUDED_GPUFFT_RUNNING_ROWS_H

#include "cpu_runs.h"
#include "planner/filters/channel_response.h"
#include "reference_formats.h"

#include <gnuradio/gpufft/plan.h>
#include <random>

namespace gr {
namespace gpufft {

inline std::vector<plan::rotation> random_rotations(std::size_t count)
{
    std::mt19937_64 random(5);
    std::vector<plan::rotation> rotations(count);
    for (plan::rotation& each : rotations) {
        each.step = random();
        each.phase = random();
    }
    return rotations;
}

// Rows of running filters by problem.h's formula, frame 0 at `position`.
inline std::vector<spectrum> running_rows(const problem& what,
                                          const test_data& data,
                                          const std::vector<plan::rotation>& rotations,
                                          std::size_t frames,
                                          std::uint64_t position)
{
    std::vector<spectrum> rows(frames);
    for (std::size_t f = 0; f < frames; ++f)
        for (const plan::rotation& each : rotations) {
            std::complex<double> sum = 0;
            const std::size_t newest = f * what.effective_hop() + what.n - 1;
            for (std::size_t m = 0; m < what.n; ++m) {
                const std::complex<double> tap =
                    what.complex_taps
                        ? std::complex<double>(data.window[2 * m], data.window[2 * m + 1])
                        : std::complex<double>(data.window[m]);
                sum += tap * std::conj(turned_back(each.step * m)) *
                       std::complex<double>(
                           sample_at(what.input, data.input.data(), newest - m));
            }
            rows[f].push_back(sum *
                              turned_back(each.step * (position + newest) + each.phase));
        }
    return rows;
}

} // namespace gpufft
} // namespace gr

#endif
