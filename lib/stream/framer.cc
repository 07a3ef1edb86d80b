// SPDX-License-Identifier: GPL-3.0-or-later
//
// Frames out of a stream of samples.

#include "framer.h"
#include <algorithm>
#include <cstring>

namespace gr {
namespace gpufft {

std::size_t framer::run::frame_of(std::size_t sample) const
{
    const std::ptrdiff_t past = static_cast<std::ptrdiff_t>(sample) - first;
    if (past <= 0)
        return 0;
    const std::size_t count = static_cast<std::size_t>(past);
    const bool skipped = count % hop >= n;
    return count / hop + (skipped ? 1 : 0);
}

framer::framer(std::size_t n, std::size_t sample_bytes) : d_n(n), d_bytes(sample_bytes) {}

void framer::start(std::size_t buffer_samples, std::size_t lead)
{
    d_collecting = buffer_samples / 2 < d_n;
    d_frame.resize(d_collecting ? d_n * d_bytes : 0);
    d_frame.shrink_to_fit();
    d_held = 0;
    d_skip = lead;
}

framer::run framer::take(const void* input,
                         std::size_t available,
                         std::size_t hop,
                         std::size_t max_frames)
{
    if (d_collecting && d_held == d_n)
        drop_collected(hop);

    run next;
    next.n = d_n;
    next.hop = hop;
    next.first =
        static_cast<std::ptrdiff_t>(d_skip) - static_cast<std::ptrdiff_t>(d_held);

    const std::size_t skipped = std::min(d_skip, available);
    d_skip -= skipped;
    next.consumed = skipped;
    const char* rest = static_cast<const char*>(input) + skipped * d_bytes;
    const bool is_split = d_held > 0 || available - skipped < d_n;
    if (d_collecting && is_split)
        collect(next, rest, available - skipped);
    else
        take_in_place(next, rest, available - skipped, max_frames);
    return next;
}

void framer::take_in_place(run& next,
                           const char* input,
                           std::size_t available,
                           std::size_t max_frames)
{
    if (available < d_n)
        return;
    next.samples = input;
    next.frames = std::min((available - d_n) / next.hop + 1, max_frames);
    const std::size_t span = next.frames * next.hop;
    const std::size_t used = std::min(span, available);
    next.consumed += used;
    d_skip = span - used;
}

void framer::collect(run& next, const char* input, std::size_t available)
{
    const std::size_t count = std::min(d_n - d_held, available);
    std::memcpy(d_frame.data() + d_held * d_bytes, input, count * d_bytes);
    d_held += count;
    next.consumed += count;
    next.samples = d_frame.data();
    next.frames = d_held == d_n ? 1 : 0;
}

void framer::drop_collected(std::size_t hop)
{
    const std::size_t kept = hop < d_n ? d_n - hop : 0;
    std::memmove(d_frame.data(), d_frame.data() + (d_n - kept) * d_bytes, kept * d_bytes);
    d_held = kept;
    d_skip = hop - (d_n - kept);
}

} // namespace gpufft
} // namespace gr
