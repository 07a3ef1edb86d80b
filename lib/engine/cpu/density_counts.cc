// SPDX-License-Identifier: GPL-3.0-or-later
//
// Each thread counts by itself; at a row's end the counts are summed.

#include "density_counts.h"
#include "problem/density_row.h"
#include "rotation.h"
#include <algorithm>

namespace gr {
namespace gpufft {

void density_counts::allocate(const problem& what, std::size_t threads)
{
    std::vector<cells> fresh(threads, cells(what.density.cells()));
    std::vector<double> carried(what.density.cells());
    if (!d_carried.empty())
        for (std::size_t cell = 0; cell < carried.size(); ++cell)
            carried[cell] = total(cell);
    d_carried = std::move(carried);
    d_threads = std::move(fresh);
}

void density_counts::prepare(const problem& now, std::size_t rotation)
{
    if (d_table && now.density == d_grid && now.scale == d_scale)
        return;
    const density_grid& grid = now.density;
    d_table = std::make_unique<level_table>(
        grid.low, grid.high, static_cast<int>(grid.levels), now.scale);
    d_runs.clear();
    for (std::size_t column = 0; column < columns_in_use(now); ++column)
        for (const run& each : runs_of(now, rotation, column))
            d_runs.push_back(each);
    d_grid = grid;
    d_scale = now.scale;
}

// The bins of a column: its places are one run in the row, its bins up to two runs.
std::vector<density_counts::run> density_counts::runs_of(const problem& now,
                                                         std::size_t rotation,
                                                         std::size_t column) const
{
    const std::size_t n = now.row_bins(), bins = now.counted_bins();
    const std::size_t columns = columns_in_use(now);
    std::vector<run> runs;
    for_each_run(n,
                 (n - rotation) % n, // from place to bin
                 now.density.first + column * bins / columns,
                 now.density.first + (column + 1) * bins / columns,
                 [&](std::size_t, std::size_t bin, std::size_t count) {
                     runs.push_back({ bin, bin + count, column * now.density.levels });
                 });
    return runs;
}

void density_counts::count(const float* power, std::size_t thread)
{
    const level_table& level_of = *d_table;
    for (const run& each : d_runs) {
        std::uint64_t* const counts = d_threads[thread].data() + each.cell;
        for (std::size_t k = each.first; k < each.last; ++k)
            counts[level_of(power[k])] += power[k] == power[k]; // unless NaN
    }
}

void density_counts::reset()
{
    std::fill(d_carried.begin(), d_carried.end(), 0.0);
    for (cells& each : d_threads)
        std::fill(each.begin(), each.end(), 0);
}

double density_counts::total(std::size_t cell) const
{
    double sum = d_carried[cell];
    for (const cells& each : d_threads)
        sum += static_cast<double>(each[cell]);
    return sum;
}

void density_counts::finish(float* row)
{
    for (std::size_t cell = 0; cell < d_carried.size(); ++cell)
        row[cell] = static_cast<float>(total(cell));
    reset();
}

} // namespace gpufft
} // namespace gr
