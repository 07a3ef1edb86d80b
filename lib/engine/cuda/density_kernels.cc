// SPDX-License-Identifier: GPL-3.0-or-later
//
// Launches in this order the kernels that count, join parts and write cells.

#include "density_kernels.h"
#include "engine/density_launches.h"
#include "problem/density_row.h"
#include "unit_split.h"
#include <algorithm>

namespace gr {
namespace gpufft {

namespace {

constexpr std::size_t MOST_GRID_ROWS = 65535; // of any card

} // namespace

density_kernels::density_kernels(const device_context& context, const problem& what)
    : d_context(context),
      d_count(context, density_kernel(what)),
      d_rows(context, density_rows_kernel()),
      d_partial(context, memory_kind::device),
      d_counts(context, memory_kind::device)
{
    for (const detector_kind detector : trace_detectors(what))
        d_joins.emplace_back(context, average_kernel(what, detector));
}

// Number of units; the blocks side by side already fill part of the card.
std::size_t density_kernels::wanted_units(const problem& now) const
{
    const std::size_t blocks = units_that_fill(d_context, d_count);
    const std::size_t tiles = divide_up(now.row_bins(), d_count.instance().block_threads);
    return std::max<std::size_t>(blocks / tiles, 1);
}

std::size_t density_kernels::group_for(const problem& now) const
{
    return group_of(now.batch, now.average, wanted_units(now));
}

void density_kernels::reserve(const problem& now, std::size_t frames)
{
    const std::size_t units = most_units(frames, now.average, group_for(now));
    const std::size_t rows = divide_up(now.average - 1 + frames, now.average);
    d_partial.reserve(now.row_traces() * units * now.row_bins() * sizeof(float));
    d_counts.reserve(rows * now.density.cells() * sizeof(unsigned));
}

// Clearing a block's counts takes as long as counting one frame per level. So a block
// takes at least a frame per level; if there are too few, blocks count in global memory.
void density_kernels::share_out(kernels::density_arguments& counted,
                                const problem& now) const
{
    const std::size_t wanted = wanted_units(now), group = group_for(now);
    const unit_split units =
        split_frames(counted.frames, counted.average, counted.frames_in_row, group);
    counted.units = { static_cast<unsigned>(group), static_cast<unsigned>(units.parts) };
    counted.unit_count = units.units();
    const std::size_t even = divide_up(units.units(), std::min(wanted, MOST_GRID_ROWS));
    const std::size_t worth_it = divide_up(counted.grid.levels, group);
    const std::size_t of_block = std::min(std::max(even, worth_it), units.parts);
    counted.in_memory = of_block * group < counted.grid.levels / 2;
    counted.units_of_block =
        static_cast<unsigned>(counted.in_memory ? even : std::max(even, of_block));
}

void density_kernels::launch(const problem& now,
                             const kernels::average_arguments& means,
                             CUstream stream)
{
    kernels::density_arguments counted =
        density_arguments_of(now, means.frames, means.frames_in_row);
    counted.powers = means.partial;
    counted.kept = means.kept;
    counted.partial = d_partial.as<float>();
    counted.counts = d_counts.as<unsigned>();
    share_out(counted, now);
    const std::size_t rows = divide_up(means.frames_in_row + means.frames, means.average);
    GPUFFT_CUDA(
        cuMemsetD32Async(d_counts.device(), 0, rows * now.density.cells(), stream));
    d_count.launch(divide_up(means.n, d_count.instance().block_threads),
                   divide_up(counted.unit_count, counted.units_of_block),
                   counted,
                   stream);
    const std::size_t row_blocks = std::min(rows, MOST_GRID_ROWS);
    for (std::size_t trace = 0; trace < d_joins.size(); ++trace) {
        const kernels::average_arguments join = trace_arguments_of(means, counted, trace);
        d_joins[trace].launch(divide_up(means.n, d_joins[trace].instance().block_threads),
                              join.smoothed == nullptr ? row_blocks : 1,
                              join,
                              stream);
    }
    const kernels::density_rows_arguments last =
        density_rows_arguments_of(now, counted, means);
    d_rows.launch(divide_up(last.filled, d_rows.instance().block_threads),
                  row_blocks,
                  last,
                  stream);
}

} // namespace gpufft
} // namespace gr
