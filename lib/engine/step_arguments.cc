// SPDX-License-Identifier: GPL-3.0-or-later
//
// The single mapping from steps to arguments.

#include "step_arguments.h"
#include "planner/kernel_instance.h"
#include "problem/density_row.h"

namespace gr {
namespace gpufft {

kernels::transform_arguments
transform_arguments_of(const problem& now, std::size_t frames, std::size_t hop)
{
    kernels::transform_arguments common = {};
    common.frames = frames;
    common.hop = hop;
    if (now.is_double())
        common.double_scale = now.scale;
    else
        common.scale = static_cast<float>(now.scale);
    return common;
}

kernels::average_arguments average_arguments_of(const problem& now,
                                                std::size_t frames,
                                                std::size_t frames_in_row,
                                                const double* sum,
                                                double* next_sum)
{
    kernels::average_arguments means = {};
    means.sum = sum;
    means.next_sum = next_sum;
    means.kept = sum + kept_begin(now);
    means.next_kept = next_sum + kept_begin(now);
    means.n = now.row_bins();
    means.row_items = now.row_items();
    means.frames = frames;
    means.average = now.average;
    means.frames_in_row = frames_in_row;
    means.scale = static_cast<float>(now.scale);
    means.smoothing = static_cast<float>(now.smoothing);
    means.hold = hold_argument(now.hold);
    return means;
}

kernels::transform_arguments step_arguments_of(const launch_step& step,
                                               const kernels::transform_arguments& common,
                                               const program_memory& memory,
                                               std::size_t first,
                                               std::size_t frames)
{
    const auto points = [&](int table) {
        return table < 0 ? nullptr
                         : static_cast<const kernels::complex*>(memory.tables[table]);
    };
    kernels::transform_arguments arguments = common;
    if (!step.is_scaled && step.kernel.is_double)
        arguments.double_scale = 1.0;
    else if (!step.is_scaled)
        arguments.scale = 1.0f;
    arguments.input = memory.places[int(step.from)];
    arguments.output = memory.places[int(step.to)];
    arguments.twiddles = points(step.twiddles);
    arguments.more_twiddles = points(step.more_twiddles);
    arguments.chirp = points(step.chirp);
    arguments.spectrum = step.spectrum == OF_WINDOW
                             ? reinterpret_cast<const kernels::complex*>(common.window)
                             : points(step.spectrum);
    if (step.order >= 0)
        arguments.order = static_cast<const int*>(memory.tables[step.order]);
    arguments.frames = step.kernel_frames(frames);
    arguments.average = step.all_lines(frames);
    arguments.position = common.position + first * common.hop;
    arguments.hop = step.row_points > 0 ? step.row_points : common.hop;
    return arguments;
}

kernels::streams_arguments streams_arguments_of(const async_device::stream_move& how)
{
    static_assert(sizeof(stream_place) == sizeof(kernels::stream_place));
    kernels::streams_arguments arguments = {};
    arguments.items = how.rows;
    arguments.places = reinterpret_cast<const kernels::stream_place*>(how.places);
    arguments.vectors = how.count;
    arguments.begin = how.begin;
    arguments.vector_items = static_cast<unsigned>(how.row_items);
    arguments.streams = static_cast<unsigned>(how.streams);
    arguments.lead = static_cast<unsigned>(how.lead);
    return arguments;
}

kernels::slab_twiddles_arguments twiddles_arguments_of(const slab_twiddles& by,
                                                       void* points)
{
    return { points,   by.rows,       by.row_points, by.n,      by.first,
             by.inner, by.outer_step, by.inner_step, by.inverse };
}

kernels::slab_pairs_arguments
pairs_arguments_of(const slab_pairs& how, void* to, const void* from)
{
    return { from,    to,       how.rows,    how.pitch,    how.columns,
             how.own, how.owns, how.mirrors, how.mirrored, how.second };
}

} // namespace gpufft
} // namespace gr
