// SPDX-License-Identifier: GPL-3.0-or-later
//
// The shapes of convolutions inside a block, ranked by an estimate.

#include "convolution_cost.h"
#include "planner/cost.h"

#include <algorithm>
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

// Orders of the same axes that cost the same: they have the same first axis, and the same
// last one if it is folded.
struct axes_group {
    std::vector<int> radices; // one of them
    std::vector<std::size_t> members;
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
        std::sort(key.begin() + 1, key.end() - (work.decimation > 1));
        axes_group& group = groups[key];
        group.radices = key;
        group.members.push_back(i);
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

// All sensible numbers of workers and frames for these axes.
std::vector<estimate> estimates_of(const std::vector<int>& radices,
                                   int length,
                                   const problem& what,
                                   const convolution_use& use,
                                   const convolution_work& work,
                                   const device_traits& card,
                                   bool may_spill)
{
    std::vector<estimate> found;
    block_shape shape;
    shape.n = length;
    shape.radices = radices;
    shape.is_double = what.is_double();
    const int most_held = MAX_HELD_POINTS * 8 / shape.point_bytes();
    std::vector<int> tried;
    for (int radix : radices) {
        for (int rounds : { 1, 2, 3, 4, 6 }) {
            shape.threads = (length / radix + rounds - 1) / rounds;
            if (std::count(tried.begin(), tried.end(), shape.threads) > 0 ||
                (rounds > 1 && held_points(shape, work) > most_held))
                continue;
            tried.push_back(shape.threads);
            for (shape.transforms = 1; shape.transforms <= use.most_frames;
                 shape.transforms *= 2) {
                const std::size_t bytes =
                    most_elements(length, use) * point_bytes(what) * shape.transforms;
                if (bytes > card.shared_bytes ||
                    shape.block_threads() > MAX_BLOCK_THREADS ||
                    (shape.transforms > 1 &&
                     what.batch / shape.transforms < std::size_t(card.multiprocessors)))
                    break;
                int last = 0;
                for (bool ease : { true, false }) {
                    shape.blocks = 0;
                    shape.blocks =
                        useful_bound(resident_blocks(shape, work, ease, bytes, card),
                                     double(what.batch) / shape.transforms,
                                     what,
                                     card);
                    if (may_spill)
                        shape.blocks = std::max(shape.blocks, 1);
                    if (shape.blocks > last)
                        found.push_back(
                            { convolution_cost(shape, what, work, 1.0, bytes, card),
                              0,
                              shape.threads,
                              shape.transforms,
                              shape.blocks });
                    last = shape.blocks;
                }
            }
        }
    }
    std::stable_sort(found.begin(), found.end());
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
            ended =
                group.least_cost > (best.size() == limit ? best.back().cost : most_cost);
            if (ended)
                break;
            std::vector<estimate> here =
                estimates_of(group.radices, length, what, use, work, card, may_spill);
            here.resize(std::min<std::size_t>(here.size(), VARIANTS_OF_AXES));
            for (std::size_t member : group.members)
                for (estimate each : here) {
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
