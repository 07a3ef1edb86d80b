// SPDX-License-Identifier: GPL-3.0-or-later
//
// The order in which the powers of a row's frames are summed, on every engine. The frames
// fall into groups of G, counted from the row's first one; the last group may be shorter.
// The powers of a group are summed in single precision, frame after frame; the sums of
// the groups in double precision, group after group. A plan never changes its G, and a
// call continues the group that the previous call left open. So a row has the same bits,
// however its frames are divided among calls, threads, units of a launch and cards.

#ifndef INCLUDED_GPUFFT_FRAME_GROUPS_H
#define INCLUDED_GPUFFT_FRAME_GROUPS_H

#include <algorithm>
#include <cstddef>

namespace gr {
namespace gpufft {

// Frames from frame `in_row` of a row of `average` frames to the end of its group.
inline std::size_t
frames_left_of_group(std::size_t in_row, std::size_t average, std::size_t group)
{
    return std::min(group - in_row % group, average - in_row);
}

// True if a row that has `frames_in_row` frames so far ends within a group.
inline bool is_in_group(std::size_t frames_in_row, std::size_t group)
{
    return frames_in_row % group != 0;
}

} // namespace gpufft
} // namespace gr

#endif
