// SPDX-License-Identifier: GPL-3.0-or-later
//
// The terms that the constants of cost_constants.h multiply.

#include "cost.h"
#include "cost_constants.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace gr {
namespace gpufft {

namespace {

constexpr int MAX_RADIX = 64;

struct radix_traits {
    double operations = 0; // multiplications and additions of a butterfly per point
    double convolution =
        0; // the same in an axis of a convolution, which is shorter for primes
    int largest_prime = 2;
};

// Computed once: hundreds of thousands of estimates ask for them.
const radix_traits& traits_of_radix(int radix)
{
    static const std::array<radix_traits, MAX_RADIX + 1> all = [] {
        std::array<radix_traits, MAX_RADIX + 1> traits;
        for (int radix = 2; radix <= MAX_RADIX; ++radix) {
            radix_traits& here = traits[radix];
            for (int p = 2, rest = radix; rest > 1; ++p)
                for (; rest % p == 0; rest /= p) {
                    here.operations += p == 2 ? 2.5 : 2.0 * p;
                    here.convolution += p == 2 ? 2.5 : double((p - 1) * (p - 1)) / p + 3;
                    here.largest_prime = p;
                }
        }
        return traits;
    }();
    return all[std::min(radix, MAX_RADIX)];
}

double quotient_up(double a, double b) { return std::ceil(a / b); }

// Share of a thread's butterfly slots that are used, over all passes.
double utilization(const stockham_shape& shape)
{
    double slots = 0;
    for (int radix : shape.radices)
        slots += double((shape.elements() / radix + shape.threads - 1) / shape.threads) *
                 radix * shape.threads;
    return double(shape.elements()) * shape.radices.size() / slots;
}

// Shared memory with its padding, roughly.
std::size_t estimated_shared_bytes(const stockham_shape& shape)
{
    const std::size_t point = shape.point_bytes();
    if (shape.pipelined)
        return shape.samples() * shape.threads * point +
               shape.elements() * point / 2 * 17 / 16;
    return shape.elements() * shape.transforms * point * 17 / 16;
}

// Cycles in which the lanes that are served together read their first points of a tile,
// whose vectors lie without gaps.
int cycles_of_tile(const stockham_shape& shape)
{
    const int lanes = shape.lanes_together();
    std::vector<int> banks(lanes);
    for (int lane = 0; lane < std::min(lanes, shape.block_threads()); ++lane)
        ++banks[(lane / shape.threads * shape.n + lane % shape.threads) % lanes];
    return *std::max_element(banks.begin(), banks.end());
}

bool is_power_of_two(int n) { return (n & (n - 1)) == 0; }

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

double butterfly_operations(int radix) { return traits_of_radix(radix).operations; }

double convolution_operations(int radix) { return traits_of_radix(radix).convolution; }

int largest_prime(const std::vector<int>& radices)
{
    int largest = 2;
    for (int radix : radices)
        largest = std::max(largest, traits_of_radix(radix).largest_prime);
    return largest;
}

double segment_cost(std::size_t bytes, bool is_read)
{
    using namespace fitted::levels;
    if (bytes >= 2 * LINE_BYTES)
        return 0;
    if (bytes >= LINE_BYTES)
        return is_read ? COST_LINES_READ : COST_LINES_WRITTEN;
    if (bytes >= LINE_BYTES / 2)
        return is_read ? COST_HALF_LINES_READ : COST_HALF_LINES_WRITTEN;
    return is_read ? COST_SECTORS_READ : COST_SECTORS_WRITTEN;
}

double off_sectors_cost(std::size_t pitch, std::size_t bytes, bool is_read)
{
    using namespace fitted::levels;
    if (pitch % SECTOR_BYTES == 0)
        return 0;
    return (is_read ? COST_OFF_SECTORS : COST_WRITTEN_OFF_SECTORS) * SECTOR_BYTES /
           double(bytes);
}

// Registers that the compiler is allowed: for points, power sums, intermediate results of
// the largest prime's butterfly, and addresses. With fewer it spills.
int register_target(const stockham_shape& shape)
{
    const int prime = largest_prime(shape.radices);
    const int of_point = shape.point_bytes() / 4;
    int wanted = of_point * shape.points() + fitted::stockham::REGISTERS_BESIDE_POINTS;
    wanted += prime >= 7 ? prime * of_point / 2 : 0;
    wanted += shape.sums_powers ? shape.results() : 0;
    return std::clamp((wanted + 7) / 8 * 8, 40, MOST_REGISTERS);
}

int resident_blocks(const stockham_shape& shape, const device_traits& card)
{
    const int threads = whole_warps(shape.block_threads());
    const int registers = register_target(shape);
    const int blocks = std::min(
        blocks_with_registers(registers, threads, card),
        blocks_without_registers(
            threads, estimated_shared_bytes(shape), card, fitted::SPARE_SHARED_BYTES));
    return std::max(blocks, 1);
}

double estimated_cost(const stockham_shape& shape, const device_traits& card)
{
    using namespace fitted::stockham;
    double arithmetic = 0, twiddles = 0, odd_spans = 0;
    for (std::size_t p = 0; p < shape.radices.size(); ++p) {
        const int radix = shape.radices[p], span = shape.axis_of(p).span;
        arithmetic += butterfly_operations(radix);
        twiddles += span > 1 ? 1 - 1.0 / radix : 0.0;
        odd_spans += !is_power_of_two(span); // index arithmetic by multiplication
    }
    const double idle_lanes =
        double(whole_warps(shape.block_threads())) / shape.block_threads();
    const bool is_tile = shape.tiled;
    const double issue = (COST_OPERATION * arithmetic + COST_TWIDDLE * twiddles +
                          COST_ODD_SPAN * odd_spans) *
                             idle_lanes / utilization(shape) +
                         (is_tile ? COST_TILE_THREAD * shape.threads / shape.n : 0);

    const double exchanges =
        shape.radices.size() - 1 + (shape.staged_load || shape.pipelined);
    const double shared =
        COST_EXCHANGE * 2 *
        (exchanges * shape.conflicts + (is_tile ? cycles_of_tile(shape) : 0));

    // Sectors of 32 bytes that a row of lanes touches beyond those that it uses.
    double sectors = 0;
    const int of_sector = SECTOR_BYTES / shape.point_bytes(); // points
    if (!shape.along.empty() || is_tile) {
        // the tensor algorithm counts them itself; whole tiles touch none
    } else if (shape.columns > 1) {
        sectors = COST_SECTOR * ((shape.columns + of_sector - 1) / of_sector /
                                     (double(shape.columns) / of_sector) -
                                 1) +
                  COST_ROW * of_sector / 16 / shape.columns;
    } else if (!shape.staged_load) {
        const int row = std::min(shape.threads, shape.n / shape.radices[0]);
        const bool aligned = shape.n % of_sector == 0 && shape.threads % of_sector == 0;
        const double touched = (row + of_sector - 1) / of_sector +
                               (aligned ? 0.0 : (of_sector - 1.0) / of_sector);
        sectors = COST_SECTOR * (touched / (double(row) / of_sector) - 1) +
                  COST_ROW * of_sector / 4 / row;
    }

    const int blocks = resident_blocks(shape, card);
    const double latency = (COST_BARRIER * (shape.radices.size() - 1) / blocks +
                            COST_THREADS * 8 / shape.point_bytes() /
                                (blocks * whole_warps(shape.block_threads()))) *
                           (shape.pipelined ? LATENCY_PIPELINED : 1.0);
    const double busy = issue + shared + sectors + latency;
    return std::pow(1 + std::pow(busy, OVERLAP), 1 / OVERLAP);
}

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
