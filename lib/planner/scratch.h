// SPDX-License-Identifier: GPL-3.0-or-later
//
// How much scratch a program may take, and what to do when there is less: fewer frames
// at once, then another recipe. These functions allocate nothing.

#ifndef INCLUDED_GPUFFT_SCRATCH_H
#define INCLUDED_GPUFFT_SCRATCH_H

#include "algorithm.h"
#include <functional>
#include <optional>

namespace gr {
namespace gpufft {

// Device memory for the points between the launches of a program.
struct scratch_need {
    std::size_t group_bytes = 0; // bytes for each group of frames
    std::size_t fixed_bytes = 0; // bytes for any number of frames
    std::size_t together = 1;    // frames in a group
    std::size_t more = 0; // frames beyond a launch's own; fixed_bytes includes them

    // Groups that a launch for `frames` frames has scratch for.
    std::size_t allocated_groups(std::size_t frames) const
    {
        return groups(frames) + more;
    }

    std::size_t groups(std::size_t frames) const
    {
        return (frames + together - 1) / together;
    }
    std::size_t bytes(std::size_t frames) const
    {
        return groups(frames) * group_bytes + fixed_bytes;
    }
};

scratch_need scratch_of(const program& steps);

// The largest scratch for a call with `data_bytes` of input and output: twice as much,
// but at most 2 GiB and a quarter of the free memory.
std::size_t scratch_limit(std::size_t data_bytes, std::size_t free_bytes);

// Frames per launch, at least one, if `frames` frames have at most `limit` bytes of
// scratch: the fewest launches, of even size, in whole groups.
std::size_t
frames_within(const scratch_need& need, std::size_t frames, std::size_t limit);

// The first of `frames`, frames / 2, ... 1 for which allocate(number) returns true; 0 if
// there is none.
std::size_t frames_that_fit(std::size_t frames,
                            const std::function<bool(std::size_t)>& allocate);

// The recipe with the lowest estimate that needs less than `bytes` bytes of scratch for
// a frame, if there is one.
std::optional<recipe> recipe_with_less_scratch(const problem& what,
                                               std::size_t bytes,
                                               const device_traits& card);

} // namespace gpufft
} // namespace gr

#endif
