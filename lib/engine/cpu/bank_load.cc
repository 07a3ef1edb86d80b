// SPDX-License-Identifier: GPL-3.0-or-later
//
// Sums the arms of each frame, in the contiguous runs that its rotation leaves. Frames
// that are short beside the CPU's vectors are summed side by side, as they lie in memory,
// and turned afterwards.

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
    d_weights = row_weights(d_taps, d_parts * d_n, [&](std::size_t p, std::size_t i) {
        return window[p * d_n + i / d_parts];
    });
}

std::size_t bank_load::span(std::size_t frames, std::size_t hop) const
{
    return (frames - 1) * hop + d_n * d_taps;
}

std::size_t bank_load::room(std::size_t frames, std::size_t hop) const
{
    const std::size_t sums = d_parts * ((frames - 1) * hop + d_n);
    return (d_converts ? d_parts * span(frames, hop) : 0) +
           (d_weights.pays_side_by_side(1) ? sums : 0);
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
        room += d_parts * span(frames, hop);
    }
    // Frames that are turned alike lie `distance` apart, and are summed together.
    const std::size_t turn = d_is_running ? hop % d_n : 0;
    const std::size_t alike = d_n / std::gcd(turn, d_n);
    const std::size_t distance = alike * hop;
    const bool side_by_side =
        distance % d_n == 0 && d_weights.pays_side_by_side(distance / d_n);
    for (std::size_t f = 0; f < std::min(alike, frames); ++f) {
        const std::size_t by =
            d_is_running ? (position + (first + f) % d_n * turn) % d_n : 0;
        const frames_apart all = { (frames - f + alike - 1) / alike,
                                   d_parts * distance,
                                   d_parts * alike * pitch };
        const float* const from = x + d_parts * f * hop;
        float* const to = y + d_parts * f * pitch;
        if (!side_by_side) {
            for_each_run(
                d_n, by, 0, d_n, [&](std::size_t m, std::size_t k, std::size_t count) {
                    sum_arms(from, m, count, all, to + d_parts * k);
                });
        } else if (by == 0 && alike * pitch == d_n && distance == d_n) {
            d_weights.sum_side_by_side(from, all.count, to);
        } else {
            d_weights.sum_side_by_side(from, (all.count - 1) * distance / d_n + 1, room);
            turn_rows(room, by, all, to);
        }
    }
}

void bank_load::turn_rows(const float* x,
                          std::size_t by,
                          const frames_apart& all,
                          float* y) const
{
    for (std::size_t f = 0; f < all.count; ++f, x += all.x_distance, y += all.y_distance)
        for_each_run(
            d_n, by, 0, d_n, [&](std::size_t from, std::size_t to, std::size_t count) {
                std::copy_n(x + d_parts * from, d_parts * count, y + d_parts * to);
            });
}

// Of `count` points from point `from` on.
void bank_load::sum_arms(const float* x,
                         std::size_t from,
                         std::size_t count,
                         const frames_apart& all,
                         float* y) const
{
    const std::size_t begin = d_parts * from, numbers = d_parts * count;
    if (d_weights.empty()) // one tap
        for (std::size_t f = 0; f < all.count; ++f)
            std::copy_n(x + f * all.x_distance + begin, numbers, y + f * all.y_distance);
    else
        sum_weighted_rows(x + begin,
                          d_parts * d_n,
                          d_weights.data() + begin,
                          d_weights.distance(),
                          d_taps,
                          numbers,
                          all.count,
                          all.x_distance,
                          y,
                          all.y_distance);
}

} // namespace gpufft
} // namespace gr
