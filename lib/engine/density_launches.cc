// SPDX-License-Identifier: GPL-3.0-or-later
//
// Derives kernel arguments from a problem and its frames.

#include "density_launches.h"
#include "problem/density_row.h"
#include <algorithm>
#include <cmath>

namespace gr {
namespace gpufft {

static kernels::counted_grid grid_of(const problem& now)
{
    const double octave = 10 * std::log10(2.0); // in dB
    const density_grid& grid = now.density;
    const double levels_per_decibel = double(grid.levels) / (grid.high - grid.low);
    kernels::counted_grid counted = {};
    counted.first = grid.first;
    counted.bins = now.counted_bins();
    counted.columns = columns_in_use(now);
    counted.levels = unsigned(grid.levels);
    counted.scale = float(now.scale);
    counted.slope = float(octave * levels_per_decibel);
    counted.offset = float(-grid.low * levels_per_decibel);
    return counted;
}

kernels::density_arguments
density_arguments_of(const problem& now, std::size_t frames, std::size_t frames_in_row)
{
    kernels::density_arguments counted = {};
    counted.n = now.row_bins();
    counted.cells = now.density.cells();
    counted.frames = frames;
    counted.average = now.average;
    counted.frames_in_row = frames_in_row;
    counted.grid = grid_of(now);
    return counted;
}

kernels::density_rows_arguments
density_rows_arguments_of(const problem& now,
                          const kernels::density_arguments& counted,
                          const kernels::average_arguments& means)
{
    const std::size_t begin = cells_begin(now);
    kernels::density_rows_arguments rows = {};
    rows.counts = counted.counts;
    rows.output = means.output + begin;
    rows.sum = means.sum + begin;
    rows.next_sum = means.next_sum + begin;
    rows.cells = counted.cells;
    rows.filled = now.row_items() - begin;
    rows.row_items = now.row_items();
    rows.frames = counted.frames;
    rows.average = counted.average;
    rows.frames_in_row = counted.frames_in_row;
    std::copy_n(density_facts(now).begin(), 4, rows.facts);
    return rows;
}

kernels::average_arguments trace_arguments_of(const kernels::average_arguments& means,
                                              const kernels::density_arguments& counted,
                                              std::size_t trace)
{
    kernels::average_arguments one = means;
    one.partial = counted.partial + trace * counted.unit_count * counted.n;
    one.parts = counted.units.parts;
    one.group = counted.units.group;
    one.output += trace * counted.n;
    one.sum += trace * counted.n;
    one.next_sum += trace * counted.n;
    one.kept += trace * counted.n;
    one.next_kept += trace * counted.n;
    if (trace > 0)
        one.smoothed = nullptr;
    return one;
}

} // namespace gpufft
} // namespace gr
