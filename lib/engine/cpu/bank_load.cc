// SPDX-License-Identifier: GPL-3.0-or-later
//
// Sums the arms of each frame, in the contiguous runs that its rotation leaves.

#include "bank_load.h"
#include "line_load.h"
#include "rotation.h"
#include "weighted_rows.h"

#include <algorithm>
#include <numeric>

namespace gr {
namespace gpufft {

bank_load::bank_load(const problem& what)
    : d_format(what.input),
      d_n(what.n),
      d_taps(what.taps),
      d_parts(reads_real(what.kind) ? 1 : 2),
      d_is_running(what.running),
      d_converts(what.input != working_format(!reads_real(what.kind), false))
{
}

void bank_load::set_window(const std::vector<float>& window)
{
    d_window = aligned_buffer<float>(d_parts * window.size());
    for (std::size_t m = 0; m < d_window.size(); ++m)
        d_window[m] = window[m / d_parts];
}

std::size_t bank_load::span(std::size_t frames, std::size_t hop) const
{
    return (frames - 1) * hop + d_n * d_taps;
}

std::size_t bank_load::room(std::size_t frames, std::size_t hop) const
{
    return d_converts ? d_parts * span(frames, hop) : 0;
}

void bank_load::load(const void* samples,
                     std::size_t first,
                     std::size_t frames,
                     std::size_t hop,
                     std::size_t position,
                     float* room,
                     float* y,
                     std::size_t pitch) const
{
    const std::size_t begin = first * hop;
    const float* x = static_cast<const float*>(samples) + d_parts * begin;
    if (d_converts) {
        const line_source source = { d_format, d_parts == 2, span(frames, hop), 1, 0 };
        load_lines<float>(source, samples, &begin, 1, { nullptr, 1, nullptr }, room, 0);
        x = room;
    }
    // Frames that are turned alike lie `alike` apart, and are summed together.
    const std::size_t turn = d_is_running ? hop % d_n : 0;
    const std::size_t alike = d_n / std::gcd(turn, d_n);
    for (std::size_t f = 0; f < std::min(alike, frames); ++f) {
        const std::size_t by =
            d_is_running ? (position + (first + f) % d_n * turn) % d_n : 0;
        const std::size_t together = (frames - f + alike - 1) / alike;
        for_each_run(
            d_n, by, 0, d_n, [&](std::size_t from, std::size_t to, std::size_t count) {
                sum_arms(x + d_parts * f * hop,
                         from,
                         count,
                         together,
                         d_parts * alike * hop,
                         y + d_parts * (f * pitch + to),
                         d_parts * alike * pitch);
            });
    }
}

// Of `count` points from point `from` on, of frames that lie as far apart as said.
void bank_load::sum_arms(const float* x,
                         std::size_t from,
                         std::size_t count,
                         std::size_t frames,
                         std::size_t frame_distance,
                         float* y,
                         std::size_t y_distance) const
{
    const std::size_t begin = d_parts * from, numbers = d_parts * count;
    if (d_window.size() == 0) // one tap
        for (std::size_t f = 0; f < frames; ++f)
            std::copy_n(x + f * frame_distance + begin, numbers, y + f * y_distance);
    else
        sum_weighted_rows(x + begin,
                          d_parts * d_n,
                          d_window.data() + begin,
                          d_parts * d_n,
                          d_taps,
                          numbers,
                          frames,
                          frame_distance,
                          y,
                          y_distance);
}

} // namespace gpufft
} // namespace gr
