// SPDX-License-Identifier: GPL-3.0-or-later
//
// Named, measured constants, and the few terms they multiply.

#include "small_calls.h"
#include "cost_model.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace gr {
namespace gpufft {

namespace {

constexpr std::size_t FULL_POINTS = std::size_t(1) << 22;
constexpr double COPIED_POINTS = 2.6e5; // points that an H200 copies in a microsecond

// Microseconds, fitted to the times of 193 recipes in 15 small calls on an H200, most of
// them in tests/small_call_times.h: 10 % off in the mean, and the recipe with the lowest
// estimate is at most 7 % slower than the fastest. The times leave TIME_BLOCK and
// TIME_PASS open: these two are set by hand.
constexpr double TIME_LAUNCH = 2.4;
constexpr double TIME_BLOCK = 0.03; // for each block of a multiprocessor
constexpr double TIME_PASS = 0.08;
constexpr double TIME_PARTIAL_PASS = 0.064;
constexpr double TIME_THREADS = 0.43e-3;   // for each thread of a block
constexpr double TIME_OPERATION = 0.74e-3; // for each operation of a thread
constexpr double TIME_SPILLED = 0.31;      // for each point
constexpr double TIME_SEGMENT = 0.0117;    // for each point that a thread starts with
constexpr double TIME_GATHERED = 0.035;    // more, for the same
constexpr double TIME_EXCHANGED = 0.09e-3; // for each point of a multiprocessor
constexpr double TIME_CLUSTER = 0.044;     // for each of its blocks
constexpr double TIME_REMOTE = 0.245e-3;   // for each point of a cluster's block

// Share of a full call's memory cost: the L2 cache holds a small call. It rises to 1
// where the card is full.
constexpr double MOVES_SHARE = 0.354;

constexpr int REGISTERS = 65536, MAX_REGISTERS = 255, REGISTERS_BESIDE_POINTS = 28;
constexpr int MAX_RADIX = 64, WARP = 32;

double divide_up(double a, double b) { return std::ceil(a / b); }

// Multiplications and additions of a butterfly per point, roughly.
double operations_of(int radix)
{
    static const std::array<double, MAX_RADIX + 1> all = [] {
        std::array<double, MAX_RADIX + 1> sums = {};
        for (int radix = 2; radix <= MAX_RADIX; ++radix)
            for (int p = 2, left = radix; left > 1; ++p)
                for (; left % p == 0; left /= p)
                    sums[radix] += p == 2 ? 2.5 : 2.0 * p;
        return sums;
    }();
    return all[std::min(radix, MAX_RADIX)];
}

// Points that a thread takes through a pass.
double points_of_thread(int points, int radix, int threads)
{
    return (points / radix + threads - 1) / threads * radix;
}

// Adds the passes of `points` points, each counted `times` times.
void add_passes(launch_work& work,
                const std::vector<int>& radices,
                int points,
                int threads,
                double times)
{
    for (int radix : radices) {
        work.passes += times;
        work.partial += points / radix % threads != 0 ? times : 0;
        work.operations +=
            times * points_of_thread(points, radix, threads) * operations_of(radix);
        work.exchanged += times * points;
    }
    work.first = std::max(work.first, points_of_thread(points, radices.front(), threads));
}

// Points, summed over all passes, that a thread's registers cannot hold while it holds
// `held` points.
double
spilled(const stockham_shape& shape, double held, double points_of_passes, double threads)
{
    const double allowed = std::min<double>(
        MAX_REGISTERS, REGISTERS / (std::max(shape.blocks, 1) * threads));
    const double wanted = shape.point_bytes() / 4 * held + REGISTERS_BESIDE_POINTS;
    return points_of_passes * std::max(0.0, 1 - allowed / wanted);
}

double whole_warps(int threads) { return WARP * divide_up(threads, WARP); }

double time_of_block(const launch_work& work)
{
    return TIME_PASS * work.passes + TIME_PARTIAL_PASS * work.partial +
           TIME_THREADS * work.threads + TIME_OPERATION * work.operations +
           TIME_SPILLED * work.spilled + (work.segments ? TIME_SEGMENT * work.first : 0) +
           (work.gathers ? TIME_GATHERED * work.first : 0) +
           (work.cluster > 1 ? TIME_REMOTE * work.points : 0);
}

// Points of a call; a point of double precision counts twice.
double points_of(const problem& what)
{
    return double(what.n) * double(what.batch) * (what.is_double() ? 2 : 1);
}

// Doubles the work of a block of double precision: arithmetic and shared memory take
// twice as long.
void count_twice(launch_work& work)
{
    work.points *= 2;
    work.first *= 2;
    work.operations *= 2;
    work.exchanged *= 2;
    work.spilled *= 2;
}

double moves_share(const problem& what)
{
    const double fullness = points_of(what) / FULL_POINTS;
    return MOVES_SHARE + (1 - MOVES_SHARE) * fullness * fullness;
}

double over_copy(double microseconds, const problem& what)
{
    return microseconds * COPIED_POINTS / points_of(what);
}

} // namespace

bool fills_card(const problem& what)
{
    const std::size_t points = FULL_POINTS / (what.is_double() ? 2 : 1);
    return what.batch >= (points + what.n - 1) / what.n;
}

bool is_small_call(const problem& what) { return !what.is_power() && !fills_card(what); }

launch_work work_of_tile(const stockham_shape& shape, double blocks)
{
    launch_work work;
    work.blocks = blocks;
    work.resident = resident_blocks(shape);
    work.points = double(shape.elements()) * shape.transforms;
    work.threads = whole_warps(shape.block_threads());
    add_passes(work, shape.radices, shape.elements(), shape.threads, 1);
    if (work.threads > WARP) // which waits for itself at no cost
        work.passes += shape.staged_load + shape.staged_store;
    work.exchanged += shape.elements() * (shape.staged_load + shape.staged_store);
    work.exchanged *= shape.transforms;
    double held = 0, sum = 0;
    for (int radix : shape.radices) {
        const double here = points_of_thread(shape.elements(), radix, shape.threads);
        held = std::max(held, here);
        sum += here;
    }
    work.spilled = spilled(shape, held, sum, work.threads);
    if (shape.is_double)
        count_twice(work);
    return work;
}

launch_work work_of_cluster(const recipe& how, double resident, double frames)
{
    launch_work work = work_of_tile(how.shapes[0], frames * how.cluster);
    const launch_work rows = work_of_tile(how.shapes[1], work.blocks);
    work.resident = resident;
    work.cluster = how.cluster;
    work.passes += rows.passes;
    work.partial += rows.partial;
    work.operations += rows.operations;
    work.spilled += rows.spilled;
    work.exchanged += rows.exchanged;
    return work;
}

launch_work work_of_convolution(const stockham_shape& shape,
                                double transforms,
                                bool gathers,
                                double frames)
{
    launch_work work;
    work.blocks = divide_up(frames, shape.transforms);
    work.resident = std::max(shape.blocks, 1);
    work.points = double(shape.n) * shape.transforms;
    work.threads = whole_warps(shape.block_threads());
    work.gathers = gathers;
    add_passes(work, shape.radices, shape.n, shape.threads, transforms);
    work.exchanged *= shape.transforms;
    double sum = 0;
    for (int radix : shape.radices)
        sum += transforms * points_of_thread(shape.n, radix, shape.threads);
    const double most = *std::max_element(shape.radices.begin(), shape.radices.end());
    const double held = gathers ? std::max(1.5 * work.first, most) : most;
    work.spilled = spilled(shape, held, sum, work.threads);
    if (shape.is_double)
        count_twice(work);
    return work;
}

double launch_cost(double full,
                   const launch_work& work,
                   const problem& what,
                   const device_traits& card)
{
    if (!is_small_call(what))
        return full;
    const double busiest = divide_up(work.blocks, card.multiprocessors);
    const double time = TIME_LAUNCH +
                        divide_up(busiest, work.resident) * time_of_block(work) +
                        busiest * (TIME_BLOCK + TIME_EXCHANGED * work.exchanged) +
                        (work.cluster > 1 ? TIME_CLUSTER * work.cluster : 0);
    return over_copy(time, what) + moves_share(what) * full;
}

double cost_of_moves(double full, const problem& what)
{
    return is_small_call(what) ? moves_share(what) * full : full;
}

double least_launch_cost(double full, int launches, const problem& what)
{
    return is_small_call(what)
               ? over_copy(TIME_LAUNCH * launches, what) + moves_share(what) * full
               : full;
}

int useful_bound(int blocks,
                 double all_blocks,
                 const problem& what,
                 const device_traits& card)
{
    if (!is_small_call(what))
        return blocks;
    return std::min(blocks, int(divide_up(all_blocks, card.multiprocessors)));
}

} // namespace gpufft
} // namespace gr
