// SPDX-License-Identifier: GPL-3.0-or-later
//
// The shapes of convolutions inside a block, ranked by an estimate.

#include "convolution.h"
#include "planner/cost.h"
#include "planner/cost_constants.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace gr {
namespace gpufft {

namespace {

constexpr int VARIANTS_OF_AXES = 5; // choices of workers and frames for the same axes
constexpr int MAX_HELD_POINTS = 36; // points of 8 bytes of axis 0, over all rounds
constexpr int FRAMES_SHARING_TABLES = 8; // at most, of a warp
using namespace fitted::convolution;

// Butterflies of axis 0 that a thread holds at once.
int held_rounds(const block_shape& shape, const convolution_work& work)
{
    return work.held ? divide_up(shape.n / shape.radices[0], shape.threads) : 1;
}

int held_points(const block_shape& shape, const convolution_work& work)
{
    return shape.radices[0] * held_rounds(shape, work);
}

// Registers that a kernel needs so as not to spill. `ease` adds those in which the
// compiler prefers to hold a large prime's intermediate results.
int registers(const block_shape& shape, const convolution_work& work, bool ease)
{
    std::vector<int> butterflies = shape.radices;
    if (work.columns > 1)
        butterflies.push_back(work.columns);
    const int most = *std::max_element(butterflies.begin(), butterflies.end());
    const int prime = largest_prime(butterflies);
    const int held = held_points(shape, work); // each with its place in the tile
    const int of_point = shape.point_bytes() / 4;
    int wanted = std::max(of_point * (most + REGISTERS_BESIDE_POINTS / 2),
                          (of_point + work.held) * held + REGISTERS_BESIDE_PLACES);
    wanted += work.gives_place ? of_point * shape.radices[0] + 10 : 0;
    wanted += REGISTERS_OF_ROUND * (held_rounds(shape, work) - 1);
    wanted += work.waits < 1 ? REGISTERS_OF_NEXT_TILE : 0;
    if (ease || (shape.is_double && prime >= 11)) // else it spills
        wanted += (prime >= 11 ? of_point : of_point / 2) * prime;
    return std::clamp((wanted + 7) / 8 * 8, 40, MOST_REGISTERS);
}

// Blocks on a multiprocessor with this number of registers per thread, or `shape.blocks`
// if that is set.
int resident_blocks(const block_shape& shape,
                    int registers,
                    std::size_t shared_bytes,
                    const device_traits& card)
{
    const int threads = shape.block_threads();
    return std::min(shape.blocks > 0 ? shape.blocks
                                     : blocks_with_registers(registers, threads, card),
                    blocks_without_registers(
                        threads, shared_bytes, card, fitted::SPARE_SHARED_BYTES));
}

// Lanes that the butterflies of a pass occupy, divided by those that work. Warps that are
// idle as a whole cost nothing.
double idle_lanes(const block_shape& shape, int radix)
{
    const auto lanes = [&](int workers) {
        return whole_warps(workers * shape.transforms);
    };
    const int butterflies = shape.n / radix;
    return double(butterflies / shape.threads * lanes(shape.threads) +
                  lanes(butterflies % shape.threads)) /
           (double(butterflies) * shape.transforms);
}

// Instructions of a transform per point. lanes(radix): lanes occupied, divided by those
// that work.
template <class Lanes>
double instructions_of(const std::vector<int>& radices, const Lanes& lanes)
{
    double sum = 0;
    for (int radix : radices)
        sum += (convolution_operations(radix) + 5) * lanes(radix);
    return sum;
}

double instructions_with_idle_lanes(const block_shape& shape)
{
    return instructions_of(shape.radices,
                           [&](int radix) { return idle_lanes(shape, radix); });
}

// Instructions of the inverse that folding leaves, per point of the shape.
double instructions_back(const block_shape& shape, int fold)
{
    block_shape inverse = shape;
    inverse.n /= fold;
    inverse.radices = folded_radices(shape.radices, fold);
    return instructions_with_idle_lanes(inverse) / fold;
}

struct estimate {
    double cost;
    std::size_t axes; // index in axes_of(), which decides ties
    int threads, transforms, blocks;
};

bool operator<(const estimate& a, const estimate& b)
{
    return a.cost < b.cost || (a.cost == b.cost && a.axes < b.axes);
}

// Time of memory, issue and shared memory, which overlap, relative to memory alone.
double busy(double instructions, double elements, const device_traits& card)
{
    const double slower = relative_time_of_instructions(card);
    const double issue = slower * instructions / INSTRUCTIONS_PER_SAMPLE;
    const double shared = slower * elements / ELEMENTS_PER_SAMPLE;
    return std::pow(1 + std::pow(issue, OVERLAP) + std::pow(shared, OVERLAP),
                    1 / OVERLAP);
}

// Orders of the same axes that cost the same: they have the same first axis, and the same
// last one if it is folded.
struct axes_group {
    std::vector<int> radices; // one of them
    std::vector<std::size_t> members;
    double least_cost;
};

// Lower bound for shapes with these axes in full calls: all lanes work, and there are as
// many warps as registers and shared memory allow.
double least_full_cost(const std::vector<int>& radices,
                       double grid,
                       std::size_t frame_bytes,
                       const convolution_work& work,
                       const device_traits& card)
{
    const int fold = fold_of(radices, work.decimation);
    const auto all_work = [](int) { return 1.0; };
    const double instructions =
        instructions_of(radices, all_work) +
        instructions_of(folded_radices(radices, fold), all_work) / fold;
    const double passes = double(radices.size());
    const double one_way = work.transforms / 2 * grid;
    const double transforms = one_way * (1 + 1.0 / fold);
    const int most = *std::max_element(radices.begin(), radices.end());
    const int threads =
        card.registers / PARTITIONS / (2 * most + REGISTERS_BESIDE_POINTS) * PARTITIONS;
    const std::size_t shared =
        card.multiprocessor_shared_bytes - fitted::SPARE_SHARED_BYTES;
    const double blocks =
        std::clamp<double>(double(shared / frame_bytes), 1, card.blocks);
    return busy(one_way * instructions + work.operations,
                transforms * (2 * (passes - 1) + passes / FRAMES_SHARING_TABLES) +
                    work.accesses,
                card) +
           relative_time_of_instructions(card) *
               (COST_THREADS * work.waits / threads +
                COST_BARRIER * work.transforms * passes / blocks);
}

launch_work launch_of(const block_shape& shape,
                      const problem& what,
                      const convolution_work& work,
                      const device_traits& card)
{
    return work_of_convolution(
        shape, work.transforms, work.held > 0, double(what.batch), card);
}

// Lower bound for shapes with these axes. In small calls all blocks run at once, and each
// has the largest number of threads, with registers for all.
double least_cost(const std::vector<int>& radices,
                  int length,
                  const problem& what,
                  std::size_t frame_bytes,
                  const convolution_work& work,
                  const device_traits& card)
{
    const double full = least_full_cost(
        radices, double(length) / double(what.n), frame_bytes, work, card);
    if (!is_small_call(what))
        return full;
    block_shape shape;
    shape.n = length;
    shape.radices = radices;
    shape.is_double = what.is_double();
    shape.threads = MAX_BLOCK_THREADS;
    launch_work least = launch_of(shape, what, work, card);
    least.resident = least.blocks;
    least.partial = least.threads = least.spilled = 0;
    return launch_cost(full, least, what, card);
}

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
        group.least_cost = least_cost(key, length, what, frame_bytes, work, card);
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
                    shape.blocks = useful_bound(
                        resident_blocks(shape, registers(shape, work, ease), bytes, card),
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

double full_convolution_cost(const block_shape& shape,
                             const problem& what,
                             const convolution_work& work,
                             double conflicts,
                             std::size_t shared_bytes,
                             const device_traits& card)
{
    const double grid = double(shape.n) / double(what.n); // points for each sample
    const int fold = fold_of(shape.radices, work.decimation);
    const double one_way = work.transforms / 2 * grid;
    const double there = instructions_with_idle_lanes(shape);
    const double back = fold == 1 ? there : instructions_back(shape, fold);
    const double instructions = one_way * (there + back) + work.operations;
    const double passes = double(shape.radices.size());
    const double transforms = one_way * (1 + 1.0 / fold);
    const double accesses =
        transforms * 2 * (passes - 1) * conflicts + work.accesses * conflicts;
    const double tables =
        transforms * passes / std::min(shape.transforms, FRAMES_SHARING_TABLES);
    const int eased = registers(shape, work, true);
    const int blocks = std::max(1, resident_blocks(shape, eased, shared_bytes, card));
    const int threads = whole_warps(shape.block_threads());
    const double rounds =
        std::ceil(double(shape.n) / shape.radices.front() / shape.threads);
    const bool has_cache =
        shared_carve_out(blocks * (shared_bytes + card.reserved_shared_bytes), card) <
        card.shared_bytes;
    const double latency = COST_TEAM * splits_warps(shape.threads) +
                           (work.held && !has_cache ? COST_NO_CACHE : 0) +
                           COST_HELD * (held_rounds(shape, work) - 1) +
                           COST_THREADS * work.waits / (blocks * threads) +
                           COST_BARRIER * work.transforms * passes / blocks +
                           work.reads_in_rounds * COST_ROUND * rounds /
                               (double(what.n) * blocks * shape.transforms);
    const double needed =
        double(eased + work.held * REGISTERS_WITH_PLACES) * blocks * threads;
    const double spills =
        COST_SPILLS * std::max(0.0, needed / double(card.registers) - 1);
    const double full = busy(instructions, accesses + tables, card) +
                        relative_time_of_instructions(card) * (latency + spills);
    return work.waits < 1 && blocks > BLOCKS_AHEAD ? full * AHEAD_OF_MANY : full;
}

double convolution_cost(const block_shape& shape,
                        const problem& what,
                        const convolution_work& work,
                        double conflicts,
                        std::size_t shared_bytes,
                        const device_traits& card)
{
    const double full =
        full_convolution_cost(shape, what, work, conflicts, shared_bytes, card);
    return is_small_call(what)
               ? launch_cost(full, launch_of(shape, what, work, card), what, card)
               : full;
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
