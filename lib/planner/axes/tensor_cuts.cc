// SPDX-License-Identifier: GPL-3.0-or-later
//
// Searches the ways to cut the axes, the last axis first.

#include "tensor_cuts.h"

#include <algorithm>

namespace gr {
namespace gpufft {

namespace {

// Points of a frame in the axes after this one, which lie side by side.
std::size_t points_behind(const std::vector<std::size_t>& lengths, std::size_t axis)
{
    std::size_t points = 1;
    for (std::size_t i = axis + 1; i < lengths.size(); ++i)
        points *= lengths[i];
    return points;
}

// Lists the ways to cut the axes into a given number of steps, last axis first.
class cut_search
{
public:
    cut_search(const std::vector<std::size_t>& lengths,
               std::size_t longest,
               std::size_t fewest_columns)
        : d_lengths(lengths),
          d_longest(longest),
          d_fewest_columns(fewest_columns)
    {
    }

    std::vector<std::vector<std::vector<int>>> find(int steps)
    {
        d_found.clear();
        d_so_far.clear();
        begin_step(d_lengths.size() - 1, d_lengths.back(), steps);
        return d_found;
    }

private:
    // Begins a step at `axis`, which has `left` points left to transform.
    void begin_step(std::size_t axis, std::size_t left, int steps)
    {
        const bool is_first = d_so_far.empty();
        if (axis + 1 == d_lengths.size() && !is_first)
            return; // never cut the last axis: its points lie side by side
        const std::size_t columns =
            is_first ? 1 : std::min(d_fewest_columns, points_behind(d_lengths, axis));
        d_so_far.emplace_back();
        extend(axis, left, d_longest / columns, steps);
        d_so_far.pop_back();
    }

    // Adds an axis, or a digit of it, to the step, which has room for `room` points.
    void extend(std::size_t axis, std::size_t left, std::size_t room, int steps)
    {
        for (std::size_t length = 2; length <= std::min(left, room); ++length) {
            if (left % length != 0)
                continue;
            d_so_far.back().insert(d_so_far.back().begin(), int(length));
            if (length < left) {
                if (steps > 1)
                    begin_step(axis, left / length, steps - 1);
            } else if (axis == 0) {
                d_found.push_back(d_so_far);
            } else {
                if (steps > 1)
                    begin_step(axis - 1, d_lengths[axis - 1], steps - 1);
                extend(axis - 1, d_lengths[axis - 1], room / length, steps);
            }
            d_so_far.back().erase(d_so_far.back().begin());
        }
    }

    const std::vector<std::size_t> d_lengths;
    const std::size_t d_longest, d_fewest_columns;
    std::vector<std::vector<int>> d_so_far;
    std::vector<std::vector<std::vector<int>>> d_found;
};

} // namespace

std::size_t fewest_columns(const problem& what)
{
    return SECTOR_BYTES / point_bytes(what);
}

std::vector<std::size_t> long_axes(const problem& what)
{
    std::vector<std::size_t> lengths;
    for (std::size_t length : what.axes())
        if (length > 1)
            lengths.push_back(length);
    return lengths;
}

std::vector<std::vector<std::vector<int>>> fewest_tensor_steps(const problem& what,
                                                               const device_traits& card)
{
    const std::vector<std::size_t> lengths = long_axes(what);
    if (lengths.empty())
        return { { { 1 } } };
    cut_search search(
        lengths, longest_tile(point_bytes(what), card), fewest_columns(what));
    std::vector<std::vector<std::vector<int>>> found;
    for (int steps = 1; steps <= MOST_TENSOR_STEPS && found.empty(); ++steps)
        found = search.find(steps);
    const auto largest = [&](const std::vector<std::vector<int>>& steps) {
        std::size_t most = 0;
        for (std::size_t s = 0; s < steps.size(); ++s) {
            std::size_t points = s == 0 ? 1 : fewest_columns(what);
            for (int length : steps[s])
                points *= length;
            most = std::max(most, points);
        }
        return most;
    };
    std::stable_sort(found.begin(), found.end(), [&](const auto& a, const auto& b) {
        return largest(a) < largest(b);
    });
    return found;
}

} // namespace gpufft
} // namespace gr
