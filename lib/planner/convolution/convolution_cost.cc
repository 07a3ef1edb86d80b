// SPDX-License-Identifier: GPL-3.0-or-later
//
// Estimates of convolutions inside a block: memory, issue and shared memory, which
// overlap, and what waits for each of them.

#include "convolution_cost.h"
#include "planner/cost.h"
#include "planner/cost_constants.h"
#include "planner/radices.h"

#include <algorithm>
#include <cmath>

namespace gr {
namespace gpufft {

namespace {

constexpr int FRAMES_SHARING_TABLES = 8; // at most, of a warp
using namespace fitted::convolution;

// Butterflies of axis 0 of a thread.
int rounds_of_first(const block_shape& shape)
{
    return divide_up(shape.n / shape.radices.front(), shape.threads);
}

// Those of them that it holds at once.
int held_rounds(const block_shape& shape, const convolution_work& work)
{
    return work.held ? rounds_of_first(shape) : 1;
}

// Registers that a kernel needs so as not to spill. `ease` adds those in which the
// compiler prefers to hold a large prime's intermediate results.
int registers(const block_shape& shape, const convolution_work& work, bool ease)
{
    const auto& radices = shape.radices;
    const int most =
        std::max(work.columns, *std::max_element(radices.begin(), radices.end()));
    const int prime = std::max(largest_prime(work.columns), largest_prime(radices));
    const int held = held_points(shape, work); // each with its place in the tile
    const int of_point = shape.point_bytes() / 4;
    int wanted = std::max(of_point * (most + REGISTERS_BESIDE_POINTS / 2),
                          (of_point + work.held) * held + REGISTERS_BESIDE_PLACES);
    wanted += work.gives_place ? of_point * shape.radices.front() + 10 : 0;
    wanted += REGISTERS_OF_ROUND * (held_rounds(shape, work) - 1);
    wanted += work.waits < 1 ? REGISTERS_OF_NEXT_TILE : 0;
    if (ease || (shape.is_double && prime >= 11)) // else it spills
        wanted += (prime >= 11 ? of_point : of_point / 2) * prime;
    return std::clamp((wanted + 7) / 8 * 8, 40, MOST_REGISTERS);
}

// As in convolution_cost.h, with this number of registers per thread.
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

// Instructions per point.
double instructions_of_pass(int radix) { return convolution_operations(radix) + 5; }

// Those of a transform. lanes(radix): lanes occupied, divided by those that work.
template <class Lanes>
double instructions_of(const std::vector<int>& radices, const Lanes& lanes)
{
    double sum = 0;
    for (int radix : radices)
        sum += instructions_of_pass(radix) * lanes(radix);
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

// As busy_time(), for each sample.
double busy(double instructions, double elements, const device_traits& card)
{
    const double slower = relative_time_of_instructions(card);
    const double issue = slower * instructions / INSTRUCTIONS_PER_SAMPLE;
    const double shared = slower * elements / ELEMENTS_PER_SAMPLE;
    return std::pow(1 + std::pow(issue, OVERLAP) + std::pow(shared, OVERLAP),
                    1 / OVERLAP);
}

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

} // namespace

int held_points(const block_shape& shape, const convolution_work& work)
{
    return shape.radices.front() * held_rounds(shape, work);
}

int resident_blocks(const block_shape& shape,
                    const convolution_work& work,
                    bool ease,
                    std::size_t shared_bytes,
                    const device_traits& card)
{
    return resident_blocks(shape, registers(shape, work, ease), shared_bytes, card);
}

double busy_time(const block_shape& shape,
                 const problem& what,
                 const convolution_work& work,
                 double conflicts,
                 const device_traits& card)
{
    const double grid = double(shape.n) / double(what.n); // points for each sample
    const int fold = fold_of(shape.radices, work.decimation);
    const double one_way = work.transforms / 2 * grid;
    const double there = instructions_with_idle_lanes(shape);
    const double back = fold == 1 ? there : instructions_back(shape, fold);
    const double passes = double(shape.radices.size());
    const double transforms = one_way * (1 + 1.0 / fold);
    const double accesses =
        transforms * 2 * (passes - 1) * conflicts + work.accesses * conflicts;
    const double tables =
        transforms * passes / std::min(shape.transforms, FRAMES_SHARING_TABLES);
    return busy(one_way * (there + back) + work.operations, accesses + tables, card);
}

double full_convolution_cost(double busy,
                             const block_shape& shape,
                             const problem& what,
                             const convolution_work& work,
                             std::size_t shared_bytes,
                             const device_traits& card)
{
    const int eased = registers(shape, work, true);
    const int blocks = std::max(1, resident_blocks(shape, eased, shared_bytes, card));
    const int threads = whole_warps(shape.block_threads());
    const double latency =
        COST_TEAM * splits_warps(shape.threads) +
        (work.held && !leaves_cache(blocks, shared_bytes, card) ? fitted::COST_NO_CACHE
                                                                : 0) +
        COST_HELD * (held_rounds(shape, work) - 1) +
        COST_THREADS * work.waits / (blocks * threads) +
        COST_BARRIER * work.transforms * double(shape.radices.size()) / blocks +
        work.reads_in_rounds * COST_ROUND * rounds_of_first(shape) /
            (double(what.n) * blocks * shape.transforms);
    const double needed =
        double(eased + work.held * REGISTERS_WITH_PLACES) * blocks * threads;
    const double missing = std::max(0.0, needed / double(card.registers) - 1);
    const double spills = COST_SPILLS * missing * missing;
    const double full = busy + relative_time_of_instructions(card) * (latency + spills);
    return work.waits < 1 && blocks > BLOCKS_AHEAD ? full * AHEAD_OF_MANY : full;
}

double convolution_cost(double busy,
                        const block_shape& shape,
                        const problem& what,
                        const convolution_work& work,
                        std::size_t shared_bytes,
                        const device_traits& card)
{
    const double full =
        full_convolution_cost(busy, shape, what, work, shared_bytes, card);
    return is_small_call(what)
               ? launch_cost(full, launch_of(shape, what, work, card), what, card)
               : full;
}

double convolution_cost(const block_shape& shape,
                        const problem& what,
                        const convolution_work& work,
                        double conflicts,
                        std::size_t shared_bytes,
                        const device_traits& card)
{
    return convolution_cost(busy_time(shape, what, work, conflicts, card),
                            shape,
                            what,
                            work,
                            shared_bytes,
                            card);
}

double least_convolution_cost(double n,
                              double length,
                              const convolution_work& work,
                              const device_traits& card)
{
    double of_doubling = NO_LIMIT; // instructions of a point
    for (int radix : RADICES)
        if (radix <= MAX_AXIS)
            of_doubling =
                std::min(of_doubling, instructions_of_pass(radix) / std::log2(radix));
    return busy(work.transforms * length / n * of_doubling * std::log2(length) +
                    work.operations,
                0,
                card);
}

double least_convolution_cost(const std::vector<int>& radices,
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
    least.blocks = least.resident = 1;
    least.exchanged *= std::max(1.0, double(what.batch) / card.multiprocessors);
    least.partial = least.threads = least.spilled = 0;
    return launch_cost(full, least, what, card);
}

} // namespace gpufft
} // namespace gr
