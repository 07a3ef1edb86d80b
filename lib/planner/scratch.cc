// SPDX-License-Identifier: GPL-3.0-or-later
//
// Adds up the scratch, and searches for a recipe with less.

#include "scratch.h"
#include "planner.h"

#include <algorithm>
#include <limits>
#include <set>

namespace gr {
namespace gpufft {

namespace {

constexpr std::size_t MOST_BYTES = std::size_t(2) << 30;
constexpr std::size_t SHARE_OF_FREE = 4;
constexpr std::size_t TIMES_DATA = 2;

// Points of the recipe's grid.
std::size_t grid_points(const recipe& how)
{
    std::size_t points = 1;
    for (const stockham_shape& shape : how.core().shapes)
        points *= shape.n;
    return points;
}

// True if the recipe surely needs `bytes` or more, without building its program, whose
// tables take long: a grid of several vectors that is longer than the frame goes through
// memory.
bool needs_as_much(const recipe& how, std::size_t bytes)
{
    return how.core().shapes.size() > 1 && grid_points(how) > how.n &&
           grid_points(how) * how.shape().point_bytes() >= bytes;
}

} // namespace

scratch_need scratch_of(const program& steps)
{
    scratch_need need;
    for (std::size_t points : steps.scratch_points)
        need.group_bytes += points * steps.point_bytes();
    need.together = steps.frames_together;
    need.more = steps.more_frames;
    need.fixed_bytes = need.more * need.group_bytes;
    return need;
}

std::size_t scratch_limit(std::size_t data_bytes, std::size_t free_bytes)
{
    return std::min({ TIMES_DATA * data_bytes, MOST_BYTES, free_bytes / SHARE_OF_FREE });
}

std::size_t frames_within(const scratch_need& need, std::size_t frames, std::size_t limit)
{
    if (need.group_bytes == 0 || frames == 0)
        return frames;
    const std::size_t room = limit - std::min(limit, need.fixed_bytes);
    const std::size_t most = std::max<std::size_t>(room / need.group_bytes, 1);
    const std::size_t groups = need.groups(frames);
    const std::size_t launches = (groups + most - 1) / most;
    return (groups + launches - 1) / launches * need.together;
}

std::size_t frames_that_fit(std::size_t frames,
                            const std::function<bool(std::size_t)>& allocate)
{
    for (; frames > 0; frames /= 2)
        if (allocate(frames))
            return frames;
    return 0;
}

std::optional<recipe> recipe_with_less_scratch(const problem& what,
                                               std::size_t bytes,
                                               const device_traits& card)
{
    std::set<std::pair<std::string, std::size_t>> known; // kinds that need too much
    for (const recipe& how :
         recipe_candidates(what, card, std::numeric_limits<std::size_t>::max())) {
        const std::pair<std::string, std::size_t> kind(how.algorithm, grid_points(how));
        if (needs_as_much(how, bytes) || known.count(kind) > 0)
            continue;
        if (scratch_of(build_program(what, how)).bytes(1) < bytes)
            return how;
        known.insert(kind);
    }
    return std::nullopt;
}

} // namespace gpufft
} // namespace gr
