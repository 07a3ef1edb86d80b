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

constexpr std::array<radix_traits, MAX_RADIX + 1> TRAITS = [] {
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

const radix_traits& traits_of_radix(int radix)
{
    return TRAITS[std::min(radix, MAX_RADIX)];
}

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
    const std::size_t distance =
        std::max(shape.elements() * 17 / 16, shape.tiled ? shape.tile_distance() : 0);
    return distance * shape.transforms * point;
}

bool is_power_of_two(int n) { return (n & (n - 1)) == 0; }

} // namespace

double butterfly_operations(int radix) { return traits_of_radix(radix).operations; }

double convolution_operations(int radix) { return traits_of_radix(radix).convolution; }

int largest_prime(int radix) { return traits_of_radix(radix).largest_prime; }

int largest_prime(const std::vector<int>& radices)
{
    int largest = 2;
    for (int radix : radices)
        largest = std::max(largest, largest_prime(radix));
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
// the largest prime's butterfly or of two odd primes', and addresses. With fewer it
// spills.
int register_target(const stockham_shape& shape)
{
    using namespace fitted::stockham;
    const std::vector<int>& radices = shape.radices;
    const int prime = largest_prime(radices);
    const int of_point = shape.point_bytes() / 4;
    int wanted = of_point * shape.points() + REGISTERS_BESIDE_POINTS;
    wanted += prime >= 7 ? prime * of_point / 2 : 0;
    wanted += radices.size() > 1 && std::count(radices.begin(), radices.end(), 15) > 0
                  ? REGISTERS_OF_RADIX_15
                  : 0;
    wanted += shape.sums_powers ? shape.results() : 0;
    const int least = shape.tiled && radices.size() == 1 ? 32 : 40;
    return std::clamp((wanted + 7) / 8 * 8, least, MOST_REGISTERS);
}

int cycles_of_tile(const stockham_shape& shape)
{
    const int lanes = shape.lanes_together();
    std::vector<int> banks(lanes);
    for (int lane = 0; lane < std::min(lanes, shape.block_threads()); ++lane)
        ++banks[(lane / shape.threads * shape.tile_distance() + lane % shape.threads) %
                lanes];
    return *std::max_element(banks.begin(), banks.end());
}

double bytes_of_block(const stockham_shape& shape)
{
    return 2.0 * shape.elements() * shape.transforms * shape.point_bytes();
}

double relative_time_of_instructions(const device_traits& card)
{
    constexpr double OF_H100 = 12.8;
    return card.bytes_per_cycle / OF_H100;
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

namespace {

// slower: time of instructions, relative to the card that the costs belong to.
double estimated_cost_by(const fitted::work_costs& costs,
                         double slower,
                         const stockham_shape& shape,
                         const device_traits& card)
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
    const double issue = (costs.operation * arithmetic + costs.twiddle * twiddles +
                          costs.odd_span * odd_spans) *
                             idle_lanes / utilization(shape) +
                         (is_tile ? costs.tile_thread * shape.threads / shape.n : 0);

    const double exchanges =
        shape.radices.size() - 1 + (shape.staged_load || shape.pipelined);
    const double shared =
        costs.exchange * 2 *
        (exchanges * shape.conflicts + (is_tile ? cycles_of_tile(shape) : 0));

    // Sectors of 32 bytes that a row of lanes touches beyond those that it uses.
    double sectors = 0;
    const int of_sector = SECTOR_BYTES / shape.point_bytes(); // points
    if (!shape.along.empty() || is_tile) {
        // the tensor algorithm counts them itself; whole tiles touch none
    } else if (shape.columns > 1) {
        sectors = costs.sector * ((shape.columns + of_sector - 1) / of_sector /
                                      (double(shape.columns) / of_sector) -
                                  1) +
                  costs.row * of_sector / 16 / shape.columns;
    } else if (!shape.staged_load && shape.threads == 1) {
        sectors = costs.whole_row * shape.point_bytes() / 8;
    } else if (!shape.staged_load) {
        const int row = std::min(shape.threads, shape.n / shape.radices[0]);
        const bool aligned = shape.n % of_sector == 0 && shape.threads % of_sector == 0;
        const double touched = (row + of_sector - 1) / of_sector +
                               (aligned ? 0.0 : (of_sector - 1.0) / of_sector);
        sectors = costs.sector * (touched / (double(row) / of_sector) - 1) +
                  costs.row * of_sector / 4 / row;
    }

    const int blocks = resident_blocks(shape, card);
    const double barrier =
        WARP % shape.threads == 0 ? costs.barrier_in_warp : costs.barrier;
    const double latency = (barrier * (shape.radices.size() - 1) / blocks +
                            costs.threads * 8 / shape.point_bytes() /
                                (blocks * whole_warps(shape.block_threads()))) *
                           (shape.pipelined ? LATENCY_PIPELINED : 1.0);
    const double busy = slower * (issue + shared + latency) + sectors;
    const double starts = BYTES_OF_START / bytes_of_block(shape);
    return std::max(starts,
                    std::pow(1 + std::pow(busy, costs.overlap), 1 / costs.overlap));
}

} // namespace

double estimated_cost(const stockham_shape& shape, const device_traits& card)
{
    return estimated_cost_by(fitted::stockham::COSTS, 1, shape, card);
}

double estimated_cost_of_real(const stockham_shape& shape, const device_traits& card)
{
    return estimated_cost_by(
        fitted::real::COSTS, relative_time_of_instructions(card), shape, card);
}

} // namespace gpufft
} // namespace gr
