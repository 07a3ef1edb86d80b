// SPDX-License-Identifier: GPL-3.0-or-later
//
// Fills in the kernels' arguments and launches them.

#include "frame_kernels.h"
#include "planner/filters/channels.h"
#include "planner/filters/polyphase_bank.h"
#include "planner/registry.h"
#include "problem/density_row.h"
#include "problem/expression.h"
#include "problem/saturation.h"
#include "unit_split.h"
#include <algorithm>

namespace gr {
namespace gpufft {

frame_kernels::frame_kernels(const device_context& context,
                             const problem& what,
                             const recipe& how)
    : d_context(context),
      d_window(context, memory_kind::device),
      d_slots(context, memory_kind::device),
      d_partial(context, memory_kind::device),
      d_sums(context, memory_kind::device),
      d_smoothed(context, memory_kind::device),
      d_saturated(context, memory_kind::device),
      d_host_saturated(context, memory_kind::pinned),
      d_input(context, memory_kind::device)
{
    if (what.window)
        d_taps.assign(what.window_numbers(), 1.0);
    if (what.is_channel_bank() && what.running)
        d_rotations.resize(what.row_bins());
    if (what.is_power()) { // because of set_average() and set_smoothing()
        d_average = std::make_unique<kernel>(context, average_kernel(what));
        if (what.has_density())
            d_density = std::make_unique<density_kernels>(context, what);
        d_sums.reserve(2 * what.mean_sums() * sizeof(double));
        d_smoothed.reserve(what.row_bins() * sizeof(float));
    }
    if (counts_saturated(what)) {
        constexpr std::uint64_t none = 0;
        upload(context, d_saturated, &none, sizeof(none));
        d_host_saturated.reserve(sizeof(none));
        *d_host_saturated.as<std::uint64_t>() = none;
    }
    d_parameters.assign(parameters_of(what).size(), 1.0f);
    set_recipe(what, how);
}

std::uint64_t frame_kernels::saturated() const
{
    const volatile auto* count = d_host_saturated.as<std::uint64_t>(); // the card writes
    return count == nullptr ? 0 : *count;
}

void frame_kernels::set_recipe(const problem& what, const recipe& how)
{
    auto direct = std::make_unique<program_runner>(d_context, build_program(what, how));
    std::unique_ptr<kernel> power;
    std::unique_ptr<program_runner> powers;
    if (what.is_power()) {
        if (sums_powers(find_algorithm(how.algorithm), what))
            power = std::make_unique<kernel>(d_context, power_kernel(what, how));
        else
            powers = std::make_unique<program_runner>(
                d_context, build_program(powers_of_frames(what), how));
    }
    d_recipe = how;
    if (what.window)
        set_window(
            what, std::vector<double>(d_taps), std::vector<plan::rotation>(d_rotations));
    direct->set_parameters(d_parameters);
    d_direct = std::move(direct);
    d_power = std::move(power);
    d_powers = std::move(powers);
}

void frame_kernels::set_window(const problem& what,
                               const std::vector<double>& taps,
                               const std::vector<plan::rotation>& rotations)
{
    std::vector<unsigned char> bytes = window_of(what, d_recipe, taps, rotations);
    upload(d_context, d_window, bytes.data(), bytes.size());
    d_taps = taps;
    d_rotations = rotations;
    if (!rotations.empty())
        d_window_bytes = std::move(bytes);
}

void frame_kernels::set_rotations(const problem& what,
                                  const std::vector<plan::rotation>& rotations)
{
    turn_window(what, d_recipe, d_taps, d_rotations, rotations, d_window_bytes);
    d_rotations = rotations;
    upload(d_context, d_window, d_window_bytes.data(), d_window_bytes.size());
}

// Problems with expressions have no means.
void frame_kernels::set_parameters(const std::vector<float>& values)
{
    d_direct->set_parameters(values);
    d_parameters = values;
}

void frame_kernels::set_map(const problem& what, const std::vector<int>& map)
{
    const std::vector<int> slots = slots_of(what, map);
    upload(d_context, d_slots, slots.data(), slots.size() * sizeof(int));
}

std::vector<const kernel*> frame_kernels::kernels_for(const problem& now) const
{
    const bool averaged = now.has_mean();
    std::vector<const kernel*> run;
    if (averaged && d_power)
        run.push_back(&*d_power);
    else
        for (const kernel& each : (averaged ? *d_powers : *d_direct).kernels())
            run.push_back(&each);
    return run;
}

std::size_t frame_kernels::scratch_bytes() const
{
    return d_direct->scratch_bytes() + (d_powers ? d_powers->scratch_bytes() : 0) +
           d_partial.bytes() + (d_density ? d_density->scratch_bytes() : 0);
}

std::size_t frame_kernels::group_for(const problem& now) const
{
    return group_of(now.batch, now.average, units_that_fill(d_context, *d_power));
}

void frame_kernels::reserve(const problem& now, std::size_t frames)
{
    const std::size_t data_bytes =
        frames * (now.input_bytes(std::min(now.effective_hop(), now.input_span())) +
                  now.row_bins() * now.output_item_bytes());
    if (!now.has_mean()) {
        d_direct->reserve(frames, data_bytes);
        return;
    }
    if (d_powers)
        d_powers->reserve(frames, data_bytes);
    const std::size_t rows =
        d_power ? most_units(frames, now.average, group_for(now)) : frames;
    d_partial.reserve(rows * now.row_bins() * sizeof(float));
    if (d_density)
        d_density->reserve(now, frames);
}

// Computes partial sums of powers and returns the parts per row; or, if the algorithm has
// no kernel for sums, computes every frame's powers and returns 0.
std::size_t frame_kernels::launch_powers(const problem& now,
                                         kernels::transform_arguments transform,
                                         std::size_t frames_in_row,
                                         const double* kept,
                                         CUstream stream)
{
    transform.output = d_partial.as();
    if (d_powers) {
        transform.scale = 1.0f;
        d_powers->launch(transform,
                         now.input_bytes(transform.hop),
                         now.row_bins() * sizeof(float),
                         stream);
        return 0;
    }
    const std::size_t group = group_for(now);
    const unit_split units =
        split_frames(transform.frames, now.average, frames_in_row, group);
    transform.kept = kept;
    transform.twiddles = d_direct->twiddles();
    transform.average = now.average;
    transform.frames_in_row = frames_in_row;
    transform.units = { static_cast<unsigned>(group),
                        static_cast<unsigned>(units.parts) };
    d_power->launch(blocks_of(d_power->instance(), units.units()), 1, transform, stream);
    return units.parts;
}

static std::size_t input_bytes(const problem& now, std::size_t frames, std::size_t hop)
{
    return now.input_bytes((frames - 1) * hop + now.input_span());
}

const void*
frame_kernels::copy_of(const void* dev_input, std::size_t bytes, CUstream stream)
{
    d_input.reserve(bytes);
    GPUFFT_CUDA(cuMemcpyAsync(
        d_input.device(), reinterpret_cast<CUdeviceptr>(dev_input), bytes, stream));
    return d_input.as();
}

void frame_kernels::launch(const problem& now,
                           const void* dev_input,
                           void* dev_output,
                           std::size_t frames,
                           std::size_t hop,
                           std::size_t frames_in_row,
                           std::uint64_t position,
                           CUstream stream)
{
    kernels::transform_arguments transform = transform_arguments_of(now, frames, hop);
    transform.input = dev_input;
    transform.output = dev_output;
    transform.window = d_window.as<const kernels::real>();
    if (!now.has_mean()) {
        if (dev_input == dev_output && !d_direct->works_in_place())
            transform.input = copy_of(dev_input, input_bytes(now, frames, hop), stream);
        transform.position = position;
        transform.slots = d_slots.as<const int>();
        if (counts_saturated(now))
            transform.saturated = d_saturated.as<unsigned long long>();
        d_direct->launch(transform,
                         now.input_bytes(hop),
                         now.effective_output_distance() * now.output_item_bytes(),
                         stream);
        if (counts_saturated(now))
            GPUFFT_CUDA(cuMemcpyDtoHAsync(d_host_saturated.as(),
                                          d_saturated.device(),
                                          sizeof(std::uint64_t),
                                          stream));
        d_smoothed_started = false;
        return;
    }

    const bool keeps_rows = now.keeps_rows();
    double* const sums = d_sums.as<double>();
    kernels::average_arguments average =
        average_arguments_of(now,
                             frames,
                             frames_in_row,
                             sums + d_sum * now.mean_sums(),
                             sums + (1 - d_sum) * now.mean_sums());
    average.parts = launch_powers(now, transform, frames_in_row, average.kept, stream);
    average.group = average.parts > 0 ? group_for(now) : 1;
    average.partial = d_partial.as<const float>();
    average.output = static_cast<float*>(dev_output);
    average.smoothed = keeps_rows ? d_smoothed.as<float>() : nullptr;
    average.first = !d_smoothed_started;
    if (d_density)
        d_density->launch(now, average, stream);
    else
        launch_average(average, stream);
    d_sum = 1 - d_sum;
    if (frames_in_row + frames >= now.average)
        d_smoothed_started = keeps_rows;
}

void frame_kernels::launch_average(const kernels::average_arguments& average,
                                   CUstream stream)
{
    // Smoothed or held rows depend on each other, so a thread computes all rows of a bin.
    const std::size_t rows =
        divide_up(average.frames_in_row + average.frames, average.average);
    const std::size_t row_blocks =
        average.smoothed != nullptr ? 1 : std::min<std::size_t>(rows, 65535);
    d_average->launch(divide_up(average.n, d_average->instance().block_threads),
                      row_blocks,
                      average,
                      stream);
}

bool frame_kernels::save_mean(const problem& now,
                              double* sums,
                              float* smoothed,
                              CUstream stream)
{
    const std::size_t bytes = now.mean_sums() * sizeof(double);
    GPUFFT_CUDA(cuMemcpyDtoHAsync(sums, d_sums.device() + d_sum * bytes, bytes, stream));
    if (d_smoothed_started)
        GPUFFT_CUDA(cuMemcpyDtoHAsync(
            smoothed, d_smoothed.device(), now.row_bins() * sizeof(float), stream));
    return d_smoothed_started;
}

void frame_kernels::restore_mean(const problem& now,
                                 const double* sums,
                                 const float* smoothed,
                                 bool is_smoothing)
{
    const std::size_t bytes = now.mean_sums() * sizeof(double);
    GPUFFT_CUDA(cuMemcpyHtoD(d_sums.device() + d_sum * bytes, sums, bytes));
    if (is_smoothing)
        GPUFFT_CUDA(
            cuMemcpyHtoD(d_smoothed.device(), smoothed, now.row_bins() * sizeof(float)));
    GPUFFT_CUDA(cuCtxSynchronize()); // the copies may return before they have ended
    d_smoothed_started = is_smoothing;
}

} // namespace gpufft
} // namespace gr
