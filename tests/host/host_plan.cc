// SPDX-License-Identifier: GPL-3.0-or-later
//
// Lays out the kernels' arguments for host memory and launches them by fibers.

#include "host_plan.h"
#include "engine/density_launches.h"
#include "host_kernels.h"
#include "on_host/cuda_on_host.h"
#include "planner/filters/channels.h"
#include "planner/filters/polyphase_bank.h"
#include "planner/registry.h"
#include "planner/scratch.h"
#include "problem/density_row.h"
#include "problem/saturation.h"

#include <algorithm>
#include <stdexcept>

namespace gr {
namespace gpufft {

namespace {

// Frames of a group (see problem/frame_groups.h); small, so that short tests use several
// parts a row.
constexpr std::size_t GROUP = 3;

// Units that a block of density_kernel takes: not always those of one row.
constexpr std::size_t UNITS_OF_BLOCK = 5;

// Clusters of a persistent kernel; few, so that each takes several frames.
constexpr std::size_t PERSISTENT_CLUSTERS = 2;

unsigned ceil_divide(std::size_t a, std::size_t b) { return unsigned((a + b - 1) / b); }

} // namespace

host_plan::host_plan(const problem& what, const recipe& how)
    : plan(what, engine_kind::host),
      d_recipe(how),
      d_program(build_program(what, how)),
      d_sum(what.mean_sums()),
      d_next_sum(what.mean_sums()),
      d_smoothed(what.row_bins())
{
    for (const table& values : d_program.tables) {
        const auto* const first = static_cast<const unsigned char*>(values.data());
        d_tables.emplace_back(first, first + values.bytes());
    }
    host_plan::do_set_double_window(std::vector<double>(what.window_numbers(), 1.0));
    if (what.picks_bins())
        host_plan::do_set_map();
}

void host_plan::do_set_window(const std::vector<float>& taps)
{
    do_set_double_window({ taps.begin(), taps.end() });
}

void host_plan::do_set_double_window(const std::vector<double>& taps)
{
    d_taps = taps;
    d_made_for = d_rotations;
    d_window = window_of(d_problem, d_recipe, taps, d_rotations);
    guard_window();
}

void host_plan::guard_window()
{
    d_guarded_window.assign(d_window.begin(), d_window.end());
    d_guarded_window.shrink_to_fit();
}

void host_plan::do_set_rotations()
{
    turn_window(d_problem, d_recipe, d_taps, d_made_for, d_rotations, d_window);
    d_made_for = d_rotations;
    guard_window();
}

void host_plan::do_set_map()
{
    const std::vector<int> slots = slots_of(d_problem, d_map);
    d_slots.assign(slots.begin(), slots.end());
}

std::string host_plan::describe() const { return "host: " + d_recipe.to_string(); }

void host_plan::launch(const kernel_instance& kernel,
                       const kernels::transform_arguments& arguments,
                       std::size_t frames) const
{
    const host_kernel& function = find_host_kernel(kernel);
    std::size_t blocks = blocks_of(kernel, frames);
    if (kernel.persistent)
        blocks = std::min(blocks, PERSISTENT_CLUSTERS * kernel.cluster);
    const host_grid grid = { unsigned(blocks),    1,       unsigned(kernel.block_threads),
                             kernel.shared_bytes, d_order, unsigned(kernel.cluster),
                             kernel.expression() };
    std::copy(parameters().begin(), parameters().end(), host_device::gpufft_parameters);
    launch_on_host(grid, [&] { function(&arguments); });
}

// A row for each frame.
void host_plan::transform(const problem& what,
                          const program& steps,
                          const void* input,
                          void* output,
                          std::size_t frames)
{
    const std::size_t hop_bytes = what.input_bytes(what.effective_hop());
    const std::size_t row_bytes =
        what.effective_output_distance() * what.output_item_bytes();
    std::size_t at_once =
        frames_allowed_by_hop(steps.steps, frames, what.effective_hop());
    if (steps.frames_at_once > 0)
        at_once = std::min(at_once, steps.frames_at_once);
    kernels::transform_arguments common =
        transform_arguments_of(what, frames, what.effective_hop());
    common.window = reinterpret_cast<const kernels::real*>(d_guarded_window.data());
    common.position = d_position;
    common.slots = d_slots.data();
    if (counts_saturated(what))
        common.saturated = &d_saturated;
    for (std::size_t first = 0; first < frames; first += at_once)
        launch_all(steps,
                   common,
                   static_cast<const char*>(input) + first * hop_bytes,
                   static_cast<char*>(output) + first * row_bytes,
                   first,
                   std::min(at_once, frames - first));
}

void host_plan::launch_all(const program& steps,
                           const kernels::transform_arguments& common,
                           const void* input,
                           void* output,
                           std::size_t first,
                           std::size_t frames) const
{
    constexpr unsigned char UNWRITTEN = 0xff; // NaNs
    guarded_vector<unsigned char> scratch[SCRATCH_PLACES];
    program_memory memory = { {}, { const_cast<void*>(input), output } };
    for (const guarded_vector<unsigned char>& values : d_tables)
        memory.tables.push_back(values.data());
    for (int i = 0; i < SCRATCH_PLACES; ++i) {
        scratch[i].assign(steps.scratch_points[i] *
                              scratch_of(steps).allocated_groups(frames) *
                              steps.point_bytes(),
                          UNWRITTEN);
        memory.places.push_back(scratch[i].data());
    }
    for (const launch_step& step : steps.steps) {
        const kernels::transform_arguments arguments =
            step_arguments_of(step, common, memory, first, frames);
        launch(step.kernel, arguments, arguments.frames);
    }
}

// On copies of the caller's memory that have guards.
void host_plan::do_execute(const void* input, void* output, std::size_t frames)
{
    const std::size_t rows = output_rows(frames);
    const std::size_t in_bytes = d_problem.input_bytes(input_samples(frames));
    const std::size_t out_bytes =
        rows == 0 ? 0
                  : ((rows - 1) * d_problem.effective_output_distance() +
                     d_problem.output_span()) *
                        d_problem.output_item_bytes();
    const bool in_place = input == output;
    guarded_copy from(input, in_place ? std::max(in_bytes, out_bytes) : in_bytes);
    guarded_copy to(output, in_place ? 0 : out_bytes);
    unsigned char* const results = in_place ? from.data() : to.data();
    execute_guarded(from.data(), results, frames);
    if (rows > 0)
        std::copy_n(results, out_bytes, static_cast<unsigned char*>(output));
}

void host_plan::execute_guarded(const void* input, void* output, std::size_t frames)
{
    if (d_problem.has_mean())
        execute_averaged(input, output, frames);
    else
        transform(d_problem, d_program, input, output, frames);
}

// Partial sums of several frames by the power kernel where the algorithm has one, else
// every frame's powers, then average_kernel.
void host_plan::execute_averaged(const void* input, void* output, std::size_t frames)
{
    const std::size_t average = d_problem.average;
    const bool groups = sums_powers(find_algorithm(d_recipe.algorithm), d_problem);
    const std::size_t parts = groups ? ceil_divide(average, GROUP) : 0;
    const std::size_t rows = ceil_divide(d_frames_in_row + frames, average);
    guarded_vector<float> partial((groups ? rows * parts : frames) * d_problem.row_bins(),
                                  NAN);

    if (groups) {
        const int twiddles = d_program.steps.front().twiddles;
        kernels::transform_arguments sums =
            transform_arguments_of(d_problem, frames, d_problem.effective_hop());
        sums.input = input;
        sums.output = partial.data();
        sums.window = reinterpret_cast<const kernels::real*>(d_guarded_window.data());
        if (twiddles >= 0)
            sums.twiddles =
                reinterpret_cast<const kernels::complex*>(d_tables[twiddles].data());
        sums.average = average;
        sums.frames_in_row = d_frames_in_row;
        sums.units = { unsigned(GROUP), unsigned(parts) };
        sums.kept = d_sum.data() + kept_begin(d_problem);
        launch(power_kernel(d_problem, d_recipe), sums, rows * parts);
    } else {
        const problem powers = powers_of_frames(d_problem);
        transform(powers, build_program(powers, d_recipe), input, partial.data(), frames);
    }

    kernels::average_arguments means = average_arguments_of(
        d_problem, frames, d_frames_in_row, d_sum.data(), d_next_sum.data());
    means.partial = partial.data();
    means.output = static_cast<float*>(output);
    means.smoothed = d_problem.keeps_rows() ? d_smoothed.data() : nullptr;
    means.parts = parts;
    means.group = GROUP;
    means.first = d_first;
    if (d_problem.has_density())
        count(means);
    else
        join(average_kernel(d_problem), means);
    std::swap(d_sum, d_next_sum);
    if (d_frames_in_row + frames >= average)
        d_first = false;
}

// Parts of rows to rows: average_kernel.
void host_plan::join(const kernel_instance& kernel,
                     const kernels::average_arguments& means) const
{
    const host_kernel& finish = find_host_kernel(kernel);
    const std::size_t rows =
        ceil_divide(means.frames_in_row + means.frames, means.average);
    const host_grid bins = { ceil_divide(means.n, kernel.block_threads),
                             means.smoothed ? 1
                                            : unsigned(std::min<std::size_t>(rows, 4)),
                             unsigned(kernel.block_threads),
                             0,
                             d_order,
                             1,
                             kernel.expression() };
    launch_on_host(bins, [&] { finish(&means); });
}

// Every frame's powers, which are means.partial, to rows with a density.
void host_plan::count(const kernels::average_arguments& means) const
{
    const std::size_t rows =
        ceil_divide(means.frames_in_row + means.frames, means.average);
    const std::size_t parts = ceil_divide(means.average, GROUP);
    guarded_vector<unsigned> counts(rows * d_problem.density.cells());
    guarded_vector<float> partial(3 * rows * parts * means.n, NAN);
    kernels::density_arguments counted =
        density_arguments_of(d_problem, means.frames, means.frames_in_row);
    counted.powers = means.partial;
    counted.kept = means.kept;
    counted.partial = partial.data();
    counted.counts = counts.data();
    counted.units = { unsigned(GROUP), unsigned(parts) };
    counted.unit_count = rows * parts;
    counted.units_of_block = UNITS_OF_BLOCK;
    counted.in_memory = means.frames % 2; // one way or the other
    const kernel_instance kernel = density_kernel(d_problem);
    const host_kernel& first = find_host_kernel(kernel);
    const host_grid bins = { ceil_divide(means.n, kernel.block_threads),
                             ceil_divide(counted.unit_count, UNITS_OF_BLOCK),
                             unsigned(kernel.block_threads),
                             kernel.shared_bytes,
                             d_order,
                             1,
                             kernel.expression() };
    launch_on_host(bins, [&] { first(&counted); });

    const auto detectors = trace_detectors(d_problem);
    for (std::size_t trace = 0; trace < detectors.size(); ++trace)
        join(average_kernel(d_problem, detectors[trace]),
             trace_arguments_of(means, counted, trace));

    const kernels::density_rows_arguments last =
        density_rows_arguments_of(d_problem, counted, means);
    const kernel_instance rows_kernel = density_rows_kernel();
    const host_kernel& finish = find_host_kernel(rows_kernel);
    const host_grid cells = { ceil_divide(last.filled, rows_kernel.block_threads),
                              unsigned(std::min<std::size_t>(rows, 4)),
                              unsigned(rows_kernel.block_threads),
                              0,
                              d_order,
                              1,
                              rows_kernel.expression() };
    launch_on_host(cells, [&] { finish(&last); });
}

} // namespace gpufft
} // namespace gr
