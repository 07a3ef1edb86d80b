// SPDX-License-Identifier: GPL-3.0-or-later
//
// Calls that do not fill the card: the time of a launch by the work of its blocks.

#include "cost.h"
#include "cost_constants.h"

#include <algorithm>
#include <cmath>

namespace gr {
namespace gpufft {

namespace {

double quotient_up(double a, double b) { return std::ceil(a / b); }

// Points of a thread in a pass.
double points_of_thread(int points, int radix, int threads)
{
    return (points / radix + threads - 1) / threads * radix;
}

// Adds the passes of `points` points, each pass `times` times.
void add_passes(launch_work& work,
                const std::vector<int>& radices,
                int points,
                int threads,
                double times)
{
    for (int radix : radices) {
        work.passes += times;
        work.partial += points / radix % threads != 0 ? times : 0;
        work.operations += times * points_of_thread(points, radix, threads) *
                           butterfly_operations(radix);
        work.exchanged += times * points;
    }
    work.first = std::max(work.first, points_of_thread(points, radices.front(), threads));
}

// Points, summed over all passes, that a thread's registers cannot hold while it holds
// `held` points.
double spilled(const block_shape& shape,
               double held,
               double points_of_passes,
               double threads,
               const device_traits& card)
{
    const double allowed = std::min<double>(
        MOST_REGISTERS, card.registers / (std::max(shape.blocks, 1) * threads));
    const double wanted =
        shape.point_bytes() / 4 * held + fitted::small_calls::REGISTERS_BESIDE_POINTS;
    return points_of_passes * std::max(0.0, 1 - allowed / wanted);
}

// Sectors that the rows of the last pass touch beyond those that they fill.
double stored_apart(const stockham_shape& shape)
{
    const int of_sector = SECTOR_BYTES / shape.point_bytes(); // points
    const int rows = shape.n / shape.radices.back(), row = std::min(shape.threads, rows);
    const bool aligned =
        rows % of_sector == 0 && row % of_sector == 0 && shape.n % of_sector == 0;
    const double touched =
        aligned ? double(row) / of_sector : double(row + of_sector - 1) / of_sector;
    return shape.n * (touched / row - 1.0 / of_sector) * shape.transforms;
}

double time_of_block(const launch_work& work)
{
    using namespace fitted::small_calls;
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

// Points that fill any current card.
double full_points(const problem& what)
{
    using namespace fitted::small_calls;
    return double(what.n <= SHORT ? FULL_POINTS_OF_SHORT : FULL_POINTS);
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
    using fitted::small_calls::MOVES_SHARE;
    const double fullness = points_of(what) / full_points(what);
    return MOVES_SHARE + (1 - MOVES_SHARE) * fullness * fullness;
}

double over_copy(double microseconds, const problem& what)
{
    return microseconds * fitted::small_calls::COPIED_POINTS / points_of(what);
}

} // namespace

bool fills_card(const problem& what)
{
    const std::size_t points =
        std::size_t(full_points(what)) / (what.is_double() ? 2 : 1);
    return what.batch >= (points + what.n - 1) / what.n;
}

bool is_small_call(const problem& what) { return !what.is_power() && !fills_card(what); }

launch_work
work_of_tile(const stockham_shape& shape, double blocks, const device_traits& card)
{
    launch_work work;
    work.blocks = blocks;
    work.resident = resident_blocks(shape, card);
    work.points = double(shape.elements()) * shape.transforms;
    work.threads = whole_warps(shape.block_threads());
    add_passes(work, shape.radices, shape.elements(), shape.threads, 1);
    if (work.threads > WARP) // a single warp waits for itself at no cost
        work.passes += shape.staged_load + shape.staged_store;
    work.exchanged += shape.elements() * (shape.staged_load + shape.staged_store);
    if (shape.tiled) {
        work.passes += fitted::small_calls::PASSES_OF_TILE;
        work.exchanged += 2 * shape.elements() * cycles_of_tile(shape);
    }
    work.exchanged *= shape.transforms;
    if (shape.columns == 1 && shape.along.empty() && !shape.tiled && !shape.staged_store)
        work.stored_apart = stored_apart(shape);
    double held = 0, sum = 0;
    for (int radix : shape.radices) {
        const double here = points_of_thread(shape.elements(), radix, shape.threads);
        held = std::max(held, here);
        sum += here;
    }
    work.spilled = spilled(shape, held, sum, work.threads, card);
    if (shape.is_double)
        count_twice(work);
    return work;
}

launch_work work_of_cluster(const recipe& how,
                            double resident,
                            double frames,
                            const device_traits& card)
{
    launch_work work = work_of_tile(how.shapes[0], frames * how.cluster(), card);
    const launch_work rows = work_of_tile(how.shapes[1], work.blocks, card);
    work.resident = resident;
    work.cluster = how.cluster();
    work.passes += rows.passes;
    work.partial += rows.partial;
    work.operations += rows.operations;
    work.spilled += rows.spilled;
    work.exchanged += rows.exchanged;
    return work;
}

launch_work work_of_convolution(const block_shape& shape,
                                double transforms,
                                bool gathers,
                                double frames,
                                const device_traits& card)
{
    launch_work work;
    work.blocks = quotient_up(frames, shape.transforms);
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
    work.spilled = spilled(shape, held, sum, work.threads, card);
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
    using namespace fitted::small_calls;
    const double busiest = quotient_up(work.blocks, card.multiprocessors);
    const double time = TIME_LAUNCH +
                        quotient_up(busiest, work.resident) * time_of_block(work) +
                        busiest * (TIME_BLOCK + TIME_EXCHANGED * work.exchanged +
                                   TIME_STORED_APART * work.stored_apart) +
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
               ? over_copy(fitted::small_calls::TIME_LAUNCH * launches, what) +
                     moves_share(what) * full
               : full;
}

int useful_bound(int blocks,
                 double all_blocks,
                 const problem& what,
                 const device_traits& card)
{
    if (!is_small_call(what))
        return blocks;
    return std::min(blocks, int(quotient_up(all_blocks, card.multiprocessors)));
}

} // namespace gpufft
} // namespace gr
