// SPDX-License-Identifier: GPL-3.0-or-later
//
// Makes units long enough for the cost of their sums, and enough units to fill the card.

#include "unit_split.h"
#include "kernel.h"
#include <algorithm>

namespace gr {
namespace gpufft {

namespace {

// Limit of powers that a unit adds in single precision, with an error of up to 32 units
// in the last place. Writing the sum is then less than 1 % of the traffic.
constexpr std::size_t MOST_FRAMES_OF_UNIT = 64;

// Number of times that a launch should fill the card, so that the last wave costs little.
constexpr std::size_t WAVES = 4;

} // namespace

std::size_t group_of(std::size_t batch, std::size_t average, std::size_t wanted)
{
    const std::size_t most =
        std::clamp<std::size_t>(divide_up(batch, wanted), 1, MOST_FRAMES_OF_UNIT);
    return divide_up(average, divide_up(average, most)); // groups of nearly equal length
}

unit_split split_frames(std::size_t frames,
                        std::size_t average,
                        std::size_t frames_in_row,
                        std::size_t group)
{
    unit_split split;
    split.rows = divide_up(frames_in_row + frames, average);
    const std::size_t of_first =
        divide_up(std::min(average, frames_in_row + frames), group) -
        frames_in_row / group;
    const std::size_t of_others =
        split.rows > 1 ? divide_up(std::min(average, frames), group) : 0;
    split.parts = std::max(of_first, of_others);
    return split;
}

// L frames of one row have at most L / group + 2 parts.
std::size_t most_units(std::size_t frames, std::size_t average, std::size_t group)
{
    const std::size_t rows = divide_up(average - 1 + frames, average);
    const std::size_t parts = std::min(divide_up(average, group),
                                       divide_up(std::min(average, frames), group) + 1);
    return rows * parts;
}

std::size_t units_that_fill(const device_context& context, const kernel& takes)
{
    return WAVES * std::max(context.multiprocessors() * takes.blocks(), 1) *
           takes.instance().frames_per_block;
}

} // namespace gpufft
} // namespace gr
