// SPDX-License-Identifier: GPL-3.0-or-later
//
// The shapes of convolutions inside a block, ranked by an estimate.

#include "convolution_cost.h"
#include "planner/cost.h"

#include <algorithm>
#include <functional>
#include <map>

namespace gr {
namespace gpufft {

namespace {

constexpr int VARIANTS_OF_AXES = 5; // choices of workers and frames for the same axes
constexpr int MAX_HELD_POINTS = 36; // points of 8 bytes of axis 0, over all rounds

struct estimate {
    double cost;
    std::size_t axes; // index in axes_of(), which decides ties
    int threads, transforms, blocks;
};

bool operator<(const estimate& a, const estimate& b)
{
    return a.cost < b.cost || (a.cost == b.cost && a.axes < b.axes);
}

// All orders of the same axes, with the same last one if it is folded.
struct axes_group {
    std::vector<int> radices;                        // one order
    std::map<int, std::vector<std::size_t>> members; // by the first axis: cost the same
    double least_cost;
};

// The groups with the lowest bounds first.
std::vector<axes_group> groups_of(const std::vector<std::vector<int>>& axes,
                                  int length,
                                  const problem& what,
                                  std::size_t frame_bytes,
                                  const convolution_work& work,
                                  const device_traits& card)
{
    std::map<std::vector<int>, axes_group> groups;
    for (std::size_t i = 0; i < axes.size(); ++i) {
        std::vector<int> key = axes[i];
        std::sort(key.begin(), key.end() - (work.decimation > 1));
        axes_group& group = groups[key];
        group.radices = key;
        group.members[axes[i].front()].push_back(i);
    }
    std::vector<axes_group> list;
    for (auto& [key, group] : groups) {
        group.least_cost =
            least_convolution_cost(key, length, what, frame_bytes, work, card);
        list.push_back(std::move(group));
    }
    std::stable_sort(list.begin(), list.end(), [](const auto& a, const auto& b) {
        return a.least_cost < b.least_cost;
    });
    return list;
}

// Adds the estimates of a shape, which has its first axis, threads and transforms.
void add_estimates(block_shape& shape,
                   double busy,
                   const problem& what,
                   const convolution_work& work,
                   std::size_t bytes,
                   const device_traits& card,
                   bool may_spill,
                   std::vector<estimate>& found)
{
    int last = 0;
    for (bool ease : { true, false }) {
        shape.blocks = 0;
        shape.blocks = useful_bound(resident_blocks(shape, work, ease, bytes, card),
                                    double(what.batch) / shape.transforms,
                                    what,
                                    card);
        if (may_spill)
            shape.blocks = std::max(shape.blocks, 1);
        if (shape.blocks > last)
            found.push_back({ convolution_cost(busy, shape, what, work, bytes, card),
                              0,
                              shape.threads,
                              shape.transforms,
                              shape.blocks });
        last = shape.blocks;
    }
}

// Numbers of threads for a frame, most first, and whether each has one butterfly of some
// axis.
std::map<int, bool, std::greater<int>> threads_of(const std::vector<int>& radices,
                                                  int length)
{
    std::map<int, bool, std::greater<int>> found;
    for (int radix : radices)
        for (int rounds : { 1, 2, 3, 4, 6 })
            found[divide_up(length / radix, rounds)] |= rounds == 1;
    return found;
}

// The best numbers of threads and frames for each first axis, but not all that cost more
// than `most_cost`.
std::map<int, std::vector<estimate>> estimates_of(const axes_group& group,
                                                  int length,
                                                  const problem& what,
                                                  const convolution_use& use,
                                                  const convolution_work& work,
                                                  const device_traits& card,
                                                  bool may_spill,
                                                  double most_cost)
{
    std::map<int, std::vector<estimate>> found;
    block_shape shape;
    shape.n = length;
    shape.radices = group.radices;
    shape.is_double = what.is_double();
    const int most_held = MAX_HELD_POINTS * 8 / shape.point_bytes();
    for (const auto& [threads, is_of_one_round] : threads_of(group.radices, length)) {
        shape.threads = threads;
        for (shape.transforms = 1; shape.transforms <= use.most_frames;
             shape.transforms *= 2) {
            const std::size_t bytes =
                most_elements(length, use) * point_bytes(what) * shape.transforms;
            if (bytes > card.shared_bytes || shape.block_threads() > MAX_BLOCK_THREADS ||
                (shape.transforms > 1 &&
                 what.batch / shape.transforms < std::size_t(card.multiprocessors)))
                break;
            const double busy = busy_time(shape, what, work, 1.0, card);
            if (busy > most_cost && !is_small_call(what))
                continue;
            for (const auto& [first, members] : group.members) {
                block_shape ordered = shape;
                std::vector<int>& radices = ordered.radices;
                std::iter_swap(radices.begin(),
                               std::find(radices.begin(), radices.end(), first));
                if (is_of_one_round || held_points(ordered, work) <= most_held)
                    add_estimates(
                        ordered, busy, what, work, bytes, card, may_spill, found[first]);
            }
        }
    }
    for (auto& [first, estimates] : found) {
        std::stable_sort(estimates.begin(), estimates.end());
        estimates.resize(std::min<std::size_t>(estimates.size(), VARIANTS_OF_AXES));
    }
    return found;
}

} // namespace

bool reads_ahead(const problem& what, const device_traits& card)
{
    const bool has_next = // a block
        !is_small_call(what) || what.batch > std::size_t(card.multiprocessors);
    return card.has_copy_engine() &&
           (what.input == sample_format::cf32 || what.input == sample_format::cf64) &&
           !what.window && !what.shift_input && !what.is_polyphase_bank() && has_next;
}

std::vector<block_shape> convolution_candidates(int length,
                                                const problem& what,
                                                const convolution_use& use,
                                                const convolution_work& work,
                                                const device_traits& card,
                                                std::size_t limit,
                                                double most_cost)
{
    const std::vector<std::vector<int>> axes = axes_of(length, use.linear);
    const std::vector<axes_group> groups = groups_of(
        axes, length, what, most_elements(length, use) * point_bytes(what), work, card);
    std::vector<estimate> best; // at most `limit` estimates
    bool ended = false;         // no further group is good enough
    for (bool may_spill : { false, true }) {
        for (const axes_group& group : groups) {
            const double last = best.size() == limit ? best.back().cost : NO_LIMIT;
            ended = group.least_cost > std::min(last, most_cost);
            if (ended)
                break;
            for (const auto& [first, estimates] :
                 estimates_of(group, length, what, use, work, card, may_spill, last))
                for (std::size_t member : group.members.at(first))
                    for (estimate each : estimates) {
                        each.axes = member;
                        best.push_back(each);
                    }
            std::stable_sort(best.begin(), best.end());
            best.resize(std::min(best.size(), limit));
        }
        if (ended || !best.empty())
            break;
    }
    std::vector<block_shape> shapes;
    for (const estimate& each : best) {
        if (each.cost > most_cost)
            break;
        block_shape shape;
        shape.n = length;
        shape.radices = axes[each.axes];
        shape.is_double = what.is_double();
        shape.threads = each.threads;
        shape.transforms = each.transforms;
        shape.blocks = each.blocks;
        shapes.push_back(shape);
    }
    return shapes;
}

} // namespace gpufft
} // namespace gr
