// SPDX-License-Identifier: GPL-3.0-or-later
//
// Named, measured constants, and the few terms they multiply.

#include "cost_model.h"

#include <algorithm>
#include <cmath>

namespace gr {
namespace gpufft {

namespace {

constexpr int MULTIPROCESSOR_REGISTERS = 65536;
constexpr int MULTIPROCESSOR_THREADS = 2048;
constexpr std::size_t MULTIPROCESSOR_SHARED_BYTES = 227 * 1024;
constexpr int MULTIPROCESSOR_BLOCKS = 32;
constexpr int REGISTERS_BESIDE_POINTS = 24;

// Shares of the time that a copy of the data takes, fitted to the times of 451 kernels of
// 28 lengths on an H200; the shape with the lowest estimate reaches 0.97 of the fastest
// one's speed in the mean of those lengths.
constexpr double COST_OPERATION = 0.0041; // one multiplication or addition a point
constexpr double COST_TWIDDLE = 0.046;    // one twiddle a point
constexpr double COST_ODD_SPAN = 0.0198;  // a pass whose span is not a power of two
constexpr double COST_EXCHANGE = 0.0121;  // a point through shared memory, one way
constexpr double COST_SECTOR = 0.928;     // all sectors touched twice
constexpr double COST_ROW = 2.99;         // over the lanes that read side by side
constexpr double COST_BARRIER = 0.257;    // over the blocks on a multiprocessor
// Over the threads on a multiprocessor, each with points of 8 bytes.
constexpr double COST_THREADS = 188;
constexpr double LATENCY_PIPELINED = 0.5; // of it left where the next tile is on its way
constexpr double OVERLAP = 4.2; // how sharply the larger of memory and the rest wins

// Share of a thread's butterfly slots that are used, over all passes.
double utilization(const stockham_shape& shape)
{
    double slots = 0;
    for (int radix : shape.radices)
        slots += double((shape.elements() / radix + shape.threads - 1) / shape.threads) *
                 radix * shape.threads;
    return double(shape.elements()) * shape.radices.size() / slots;
}

// Multiplications and additions of a butterfly, a point, roughly.
double operations(int radix)
{
    double sum = 0;
    for (int p : { 2, 3, 5, 7, 11, 13 })
        for (; radix % p == 0; radix /= p)
            sum += p == 2 ? 2.5 : 2.0 * p;
    return sum;
}

int warp_threads(const stockham_shape& shape)
{
    return (shape.block_threads() + 31) / 32 * 32;
}

std::size_t estimated_shared_bytes(const stockham_shape& shape)
{
    const std::size_t point = shape.point_bytes();
    if (shape.pipelined)
        return shape.samples() * shape.threads * point +
               shape.elements() * point / 2 * 17 / 16 + 1024;
    return shape.elements() * shape.transforms * point * 17 / 16 + 1024;
}

bool is_power_of_two(int n) { return (n & (n - 1)) == 0; }

} // namespace

// Registers that the compiler is allowed: for the points, the power sums, the
// intermediate results of the largest prime's butterfly, and addresses. Fewer make it
// spill.
int register_target(const stockham_shape& shape)
{
    int largest_prime = 2;
    for (int p : { 3, 5, 7, 11, 13 })
        if (shape.n % p == 0)
            largest_prime = p;
    const int of_point = shape.point_bytes() / 4;
    int wanted = of_point * shape.points() + REGISTERS_BESIDE_POINTS;
    wanted += largest_prime >= 7 ? largest_prime * of_point / 2 : 0;
    wanted += shape.sums_powers ? shape.results() : 0;
    return std::clamp((wanted + 7) / 8 * 8, 40, 255);
}

// Whole warps lie on the quarters of a multiprocessor; where a thread has few registers
// that makes no difference.
static int blocks_with_registers(int registers, int threads, const stockham_shape& shape)
{
    if (!shape.is_double)
        return MULTIPROCESSOR_REGISTERS / (registers * threads);
    return MULTIPROCESSOR_REGISTERS / 4 / (registers * 32) * 4 / (threads / 32);
}

int resident_blocks(const stockham_shape& shape)
{
    const int threads = warp_threads(shape);
    const int blocks =
        std::min({ blocks_with_registers(register_target(shape), threads, shape),
                   MULTIPROCESSOR_THREADS / threads,
                   int(MULTIPROCESSOR_SHARED_BYTES / estimated_shared_bytes(shape)),
                   MULTIPROCESSOR_BLOCKS });
    return std::max(blocks, 1);
}

double estimated_cost(const stockham_shape& shape, double conflicts)
{
    double arithmetic = 0, twiddles = 0, odd_spans = 0;
    for (std::size_t p = 0; p < shape.radices.size(); ++p) {
        const int radix = shape.radices[p], span = shape.axis_of(p).span;
        arithmetic += operations(radix);
        twiddles += span > 1 ? 1 - 1.0 / radix : 0.0;
        odd_spans += !is_power_of_two(span); // index arithmetic by multiplication
    }
    const double idle_lanes = double(warp_threads(shape)) / shape.block_threads();
    const double issue = (COST_OPERATION * arithmetic + COST_TWIDDLE * twiddles +
                          COST_ODD_SPAN * odd_spans) *
                         idle_lanes / utilization(shape);

    const double exchanges =
        shape.radices.size() - 1 + (shape.staged_load || shape.pipelined);
    const double shared = COST_EXCHANGE * 2 * exchanges * conflicts;

    // How many 32-byte sectors a row of lanes touches beyond those that it uses.
    double sectors = 0;
    const int of_sector = 32 / shape.point_bytes(); // points
    if (!shape.along.empty()) {
        // the tensor algorithm counts them itself
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

    const int blocks = resident_blocks(shape);
    const double latency =
        (COST_BARRIER * (shape.radices.size() - 1) / blocks +
         COST_THREADS * 8 / shape.point_bytes() / (blocks * warp_threads(shape))) *
        (shape.pipelined ? LATENCY_PIPELINED : 1.0);
    const double busy = issue + shared + sectors + latency;
    return std::pow(1 + std::pow(busy, OVERLAP), 1 / OVERLAP);
}

} // namespace gpufft
} // namespace gr
