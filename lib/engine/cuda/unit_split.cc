// SPDX-License-Identifier: GPL-3.0-or-later
//
// Units long enough to be worth their sums, and enough of them to fill the card.

#include "unit_split.h"
#include "kernel.h"
#include <algorithm>

namespace gr {
namespace gpufft {

namespace {

// A unit adds up at most so many powers in single precision, which costs up to 32 units
// in the last place; writing its sum then is less than 1 % of the traffic.
constexpr std::size_t MOST_FRAMES_OF_UNIT = 64;

// Times that the launch should fill the card, so that the last wave costs little.
constexpr std::size_t WAVES = 4;

} // namespace

unit_split split_frames(std::size_t frames,
                        std::size_t average,
                        std::size_t frames_in_row,
                        std::size_t wanted)
{
    unit_split split;
    split.rows = divide_up(frames_in_row + frames, average);
    const std::size_t longest = std::min(average, frames); // of a row in this launch
    const std::size_t most =
        std::clamp<std::size_t>(divide_up(frames, wanted), 1, MOST_FRAMES_OF_UNIT);
    split.parts = divide_up(longest, most);
    split.group = divide_up(longest, split.parts); // parts of even length
    return split;
}

// With R rows of L frames each, R L < 3 frames; a row has at most L / most + 1 parts.
std::size_t most_units(std::size_t frames, std::size_t average, std::size_t wanted)
{
    const std::size_t rows = divide_up(average - 1 + frames, average);
    const std::size_t full =
        std::max(std::min(frames, wanted), divide_up(frames, MOST_FRAMES_OF_UNIT));
    return std::min(rows * std::min(average, frames), rows + 3 * full);
}

std::size_t units_that_fill(const device_context& context, const kernel& takes)
{
    return WAVES * std::max(context.multiprocessors() * takes.blocks(), 1) *
           takes.instance().frames_per_block;
}

} // namespace gpufft
} // namespace gr
