// SPDX-License-Identifier: GPL-3.0-or-later
//
// Sums the arms of each frame, in the contiguous runs that its rotation leaves.

#include "bank_load.h"
#include "line_load.h"
#include "rotation.h"
#include "weighted_rows.h"

#include <algorithm>

namespace gr {
namespace gpufft {

namespace {

typedef std::complex<float> complex;

} // namespace

bank_load::bank_load(const problem& what)
    : d_format(what.input),
      d_n(what.n),
      d_taps(what.taps),
      d_is_running(what.running)
{
}

void bank_load::set_window(const std::vector<float>& window)
{
    d_window = aligned_buffer<float>(2 * window.size());
    for (std::size_t m = 0; m < window.size(); ++m)
        d_window[2 * m] = d_window[2 * m + 1] = window[m];
}

std::size_t bank_load::span(std::size_t frames, std::size_t hop) const
{
    return (frames - 1) * hop + d_n * d_taps;
}

std::size_t bank_load::room(std::size_t frames, std::size_t hop) const
{
    return d_format == sample_format::cf32 ? 0 : 2 * span(frames, hop);
}

void bank_load::load(const void* samples,
                     std::size_t first,
                     std::size_t frames,
                     std::size_t hop,
                     std::size_t position,
                     float* room,
                     complex* y) const
{
    const std::size_t begin = first * hop;
    const complex* x = static_cast<const complex*>(samples) + begin;
    if (d_format != sample_format::cf32) {
        const line_source source = { d_format, true, span(frames, hop), 1, 0 };
        load_lines<float>(source, samples, &begin, 1, { nullptr, 1, nullptr }, room, 0);
        x = reinterpret_cast<const complex*>(room);
    }
    for (std::size_t f = 0; f < frames; ++f) {
        const std::size_t by =
            d_is_running ? (position + (first + f) % d_n * (hop % d_n)) % d_n : 0;
        for_each_run(
            d_n, by, 0, d_n, [&](std::size_t from, std::size_t to, std::size_t count) {
                sum_arms(x + f * hop, from, count, y + f * d_n + to);
            });
    }
}

void bank_load::sum_arms(const complex* x,
                         std::size_t from,
                         std::size_t count,
                         complex* y) const
{
    if (d_window.size() == 0) { // one tap
        std::copy_n(x + from, count, y);
        return;
    }
    sum_weighted_rows(reinterpret_cast<const float*>(x + from),
                      2 * d_n,
                      d_window.data() + 2 * from,
                      2 * d_n,
                      d_taps,
                      2 * count,
                      reinterpret_cast<float*>(y));
}

} // namespace gpufft
} // namespace gr
