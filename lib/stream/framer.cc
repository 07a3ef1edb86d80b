// SPDX-License-Identifier: GPL-3.0-or-later
//
// Cuts frames from a stream of samples.

#include "framer.h"
#include <algorithm>
#include <cstring>

namespace gr {
namespace gpufft {

namespace {

// The number of frames to take: at most `there` and `most`, and a multiple of `together`
// unless the stream ends.
std::size_t
frames_now(std::size_t there, std::size_t most, std::size_t together, bool ends)
{
    return ends && there <= most ? there : std::min(there, most) / together * together;
}

} // namespace

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
    d_room = buffer_samples / 2;
    d_collecting = false;
    d_begin = d_held = d_kept = d_keep = 0;
    d_memory = std::vector<char>();
    if (d_room < d_n)
        collect_from_now_on(d_n);
    d_more = 0;
    d_skip = lead;
}

void framer::start_overlapping(std::size_t n,
                               std::size_t buffer_samples,
                               std::size_t zeros,
                               std::size_t together,
                               std::size_t hop)
{
    d_n = n;
    start(buffer_samples, 0);
    d_more = (together - 1) * hop;
    if (!d_collecting && d_n + d_more <= d_room)
        return;
    collect_from_now_on(2 * (d_n + d_more));
    d_held = zeros;
}

void framer::collect_from_now_on(std::size_t capacity)
{
    d_collecting = true;
    d_memory.resize(capacity * d_bytes);
}

void framer::set_n(std::size_t n)
{
    d_n = n;
    hold_growing();
}

void framer::set_together(std::size_t frames, std::size_t hop)
{
    d_more = (frames - 1) * hop;
    hold_growing();
}

void framer::grow(std::size_t more)
{
    d_keep = std::max(d_keep, more);
    hold_growing();
}

void framer::hold_growing()
{
    const std::size_t frames = d_keep + d_n + d_more;
    const std::size_t capacity = 2 * frames;
    if (frames > d_room && capacity * d_bytes > d_memory.size())
        collect_from_now_on(capacity);
}

bool framer::has_grown()
{
    if (d_keep == 0 || d_kept < d_keep)
        return false;
    d_n += d_keep;
    d_keep = d_kept = 0;
    return true;
}

void framer::set_position(const place& position)
{
    d_skip = position.skip;
    d_kept = position.kept;
}

std::size_t framer::wanted(bool single) const
{
    const std::size_t samples = d_kept + d_n + (single ? 0 : d_more);
    if (!d_collecting)
        return samples;
    return d_held >= samples ? 0 : 1;
}

framer::run framer::take(const void* input,
                         std::size_t available,
                         std::size_t hop,
                         std::size_t max_frames,
                         std::size_t together,
                         bool ends)
{
    run next;
    next.n = d_n;
    next.hop = hop;
    next.first = next_start();

    const std::size_t skipped = std::min(d_skip, available);
    d_skip -= skipped;
    next.consumed = skipped;
    const char* rest =
        input ? static_cast<const char*>(input) + skipped * d_bytes : nullptr;
    const bool is_split =
        d_held > 0 || available - skipped < d_kept + d_n + (together - 1) * hop;
    if (d_collecting && is_split)
        collect(next, rest, available - skipped, max_frames, together, ends);
    else
        take_in_place(next, rest, available - skipped, max_frames, together, ends);
    return next;
}

void framer::take_in_place(run& next,
                           const char* input,
                           std::size_t available,
                           std::size_t max_frames,
                           std::size_t together,
                           bool ends)
{
    if (available < d_kept + d_n)
        return;
    next.samples = input ? input + d_kept * d_bytes : nullptr;
    next.frames =
        frames_now((available - d_kept - d_n) / next.hop + 1, max_frames, together, ends);
    if (next.frames == 0)
        return;
    next.consumed += pass(next.frames * next.hop, available);
}

void framer::collect(run& next,
                     const char* input,
                     std::size_t available,
                     std::size_t max_frames,
                     std::size_t together,
                     bool ends)
{
    const std::size_t capacity = d_memory.size() / d_bytes;
    const std::size_t wanted = std::min(
        { d_kept + d_n + (max_frames - 1) * next.hop, d_held + available, capacity });
    if (d_begin + wanted > capacity) {
        std::memmove(
            d_memory.data(), d_memory.data() + d_begin * d_bytes, d_held * d_bytes);
        d_begin = 0;
    }
    const std::size_t count = wanted > d_held ? wanted - d_held : 0;
    std::memcpy(d_memory.data() + (d_begin + d_held) * d_bytes, input, count * d_bytes);
    d_held += count;
    next.consumed += count;
    if (d_held < d_kept + d_n)
        return;
    next.samples = d_memory.data() + (d_begin + d_kept) * d_bytes;
    next.frames = frames_now((d_held - d_kept - d_n) / next.hop + 1,
                             max_frames,
                             together,
                             ends && count == available);
    const std::size_t used = pass(next.frames * next.hop, d_held);
    d_begin += used;
    d_held -= used;
}

// Moves the next frame's start by `samples`. Of the `there` samples from the first kept
// one on, returns the number that no later frame needs.
std::size_t framer::pass(std::size_t samples, std::size_t there)
{
    const std::size_t start = d_kept + samples;
    d_kept = std::min(start, d_keep);
    const std::size_t used = std::min(start - d_kept, there);
    d_skip = start - d_kept - used;
    return used;
}

} // namespace gpufft
} // namespace gr
