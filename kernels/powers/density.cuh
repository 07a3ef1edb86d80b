// SPDX-License-Identifier: GPL-3.0-or-later
//
// Rows with a density. Every frame's powers are read once. They give the detector's
// value, the largest and the smallest, in parts for average_kernel, and the counts of how
// often each column was at each level.

#ifndef INCLUDED_GPUFFT_KERNELS_DENSITY_CUH
#define INCLUDED_GPUFFT_KERNELS_DENSITY_CUH

#include "frame_units.cuh"
#include "powers/detectors.cuh"

namespace gr {
namespace gpufft {
namespace kernels {

constexpr unsigned long long NO_ROW = ~0ull;

// The level of a power that is not NaN.
GPUFFT_DEVICE unsigned level_of(const counted_grid& grid, float power)
{
    const float level =
        fmaxf(log2f(power * grid.scale) * grid.slope + grid.offset, 0.0f); // NaN is 0
    return level < float(grid.levels) ? static_cast<unsigned>(level) : grid.levels - 1;
}

GPUFFT_DEVICE bool is_counted(const counted_grid& grid, unsigned long long bin)
{
    return bin >= grid.first && bin - grid.first < grid.bins;
}

// The last column that begins at or before a counted bin.
GPUFFT_DEVICE unsigned column_of(const counted_grid& grid, unsigned long long bin)
{
    return static_cast<unsigned>(((bin - grid.first + 1) * grid.columns - 1) / grid.bins);
}

// Counts of the bins of a block, [level][bin]: lanes of a warp access different banks,
// and each thread has its own bin.
template <int Threads>
class block_counts
{
    const density_arguments& d_arguments;
    unsigned* const d_counts = shared_memory<unsigned>();
    unsigned* const d_columns; // columns of the bins

public:
    // `column`: the column of this thread's bin.
    GPUFFT_DEVICE block_counts(const density_arguments& arguments, unsigned column)
        : d_arguments(arguments),
          d_columns(d_counts + arguments.grid.levels * Threads)
    {
        for (unsigned level = 0; level < arguments.grid.levels; ++level)
            d_counts[level * Threads + threadIdx.x] = 0;
        d_columns[threadIdx.x] = column;
    }

    GPUFFT_DEVICE void count(unsigned level)
    {
        ++d_counts[level * Threads + threadIdx.x];
    }

    // Called by all threads: adds all counts to a row's cells and resets them. A thread
    // takes whole levels and goes round the bins, starting at its own.
    GPUFFT_DEVICE void add_to(unsigned* cells)
    {
        const counted_grid& grid = d_arguments.grid;
        __syncthreads();
        for (unsigned level = threadIdx.x; level < grid.levels; level += Threads) {
            unsigned sum = 0, column = 0; // the column of the sum
            for (int i = 0; i < Threads; ++i) {
                const int bin = (i + threadIdx.x) % Threads;
                unsigned* const count = d_counts + level * Threads + bin;
                if (*count == 0)
                    continue;
                const unsigned next = d_columns[bin];
                if (next != column && sum > 0) {
                    add_to_count(cells + cell(column, level), sum);
                    sum = 0;
                }
                column = next;
                sum += *count;
                *count = 0;
            }
            if (sum > 0)
                add_to_count(cells + cell(column, level), sum);
        }
        __syncthreads();
    }

private:
    GPUFFT_DEVICE unsigned long long cell(unsigned column, unsigned level) const
    {
        return column * (unsigned long long)d_arguments.grid.levels + level;
    }
};

// Computes  for every unit u and bin k over the unit's frames f, P = powers[f n + k]:
//           partial[(i units + u) n + k], i = 0 the Detector's value, 1 the largest, 2
//           the smallest P, starting from kept if the unit continues a group; counts[row
//           cells + column levels + level(P)] += 1 for bins of the grid, if P is not NaN.
// Layout    thread = bin k. Block row y takes units_of_block units from y units_of_block
//           on, one after the other.
// Launch    grid = (ceil(n / Threads), ceil(unit_count / units_of_block)), shared =
//           (levels + 1) Threads 4 bytes.
// Requires  counts are 0 before; average_kernel and density_rows_kernel follow.
template <int Threads, class Detector>
GPUFFT_KERNEL(Threads, 1)
density_kernel(density_arguments arguments)
{
    begin_kernel();
    const unsigned long long n = arguments.n;
    const unsigned long long k = blockIdx.x * (unsigned long long)Threads + threadIdx.x;
    const bool counts = k < n && is_counted(arguments.grid, k);
    const unsigned column = counts ? column_of(arguments.grid, k) : 0;
    const unsigned long long place = column * (unsigned long long)arguments.grid.levels;
    block_counts<Threads> shared(arguments, column);

    unsigned long long unit = blockIdx.y * (unsigned long long)arguments.units_of_block;
    unsigned long long end = unit + arguments.units_of_block;
    if (end > arguments.unit_count)
        end = arguments.unit_count;
    unsigned long long row = NO_ROW;
    for (; unit < end; ++unit) {
        if (row != NO_ROW && row != unit / arguments.units.parts && !arguments.in_memory)
            shared.add_to(arguments.counts + row * arguments.cells);
        row = unit / arguments.units.parts;
        unsigned* const cells = arguments.counts + row * arguments.cells + place;
        const frame_range frames = frames_of_unit(arguments, unit);
        if (k >= n || !frames.is_stored)
            continue;
        float joined = Detector::start();
        float most = detect_max::start(), least = most;
        if (frames.goes_on) {
            joined = static_cast<float>(arguments.kept[k]);
            most = static_cast<float>(arguments.kept[n + k]);
            least = static_cast<float>(arguments.kept[2 * n + k]);
        }
#pragma unroll 8
        for (unsigned long long f = frames.begin; f < frames.end; ++f) {
            const float power = arguments.powers[f * n + k];
            joined = Detector::joined(joined, power);
            most = larger(most, power);
            least = smaller(least, power);
            if (!counts || power != power)
                continue;
            const unsigned level = level_of(arguments.grid, power);
            if (arguments.in_memory)
                add_to_count(cells + level, 1u);
            else
                shared.count(level);
        }
        const unsigned long long row_of_units = arguments.unit_count * n;
        float* const partial = arguments.partial + unit * n + k;
        partial[0] = joined;
        partial[row_of_units] = most;
        partial[2 * row_of_units] = least;
    }
    if (row != NO_ROW && !arguments.in_memory)
        shared.add_to(arguments.counts + row * arguments.cells);
}

// Computes  row r: the counts of its cells, including those carried over, as floats; then
//           the facts and zeros.
// Layout    thread = cell, fact or zero i. Block row y takes rows y, y + R, ...
// Launch    grid = (ceil(filled / Threads), R), no shared memory.
// Requires  the rows touched are ceil((frames_in_row + frames) / average).
template <int Threads>
GPUFFT_KERNEL(Threads, 1)
density_rows_kernel(density_rows_arguments arguments)
{
    begin_kernel();
    const unsigned long long i = blockIdx.x * (unsigned long long)Threads + threadIdx.x;
    if (i >= arguments.filled)
        return;
    const bool is_cell = i < arguments.cells;
    const unsigned long long end = arguments.frames_in_row + arguments.frames;
    const unsigned long long finished = end / arguments.average;
    const unsigned long long touched = (end + arguments.average - 1) / arguments.average;
    for (unsigned long long row = blockIdx.y; row < touched; row += gridDim.y) {
        double value = 0.0;
        if (is_cell)
            value = arguments.counts[row * arguments.cells + i];
        else if (i - arguments.cells < 4)
            value = arguments.facts[i - arguments.cells];
        if (is_cell && row == 0 && arguments.frames_in_row > 0)
            value += arguments.sum[i];
        if (row < finished)
            arguments.output[row * arguments.row_items + i] = static_cast<float>(value);
        else if (is_cell)
            arguments.next_sum[i] = value;
    }
}

} // namespace kernels
} // namespace gpufft
} // namespace gr

#endif
