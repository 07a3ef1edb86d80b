// SPDX-License-Identifier: GPL-3.0-or-later
//
// Combines a problem's kernels with the chunks that bring their frames.

#include "cuda_plan.h"
#include "choose_recipe.h"
#include "engine/engines.h"
#include "engine/steps_text.h"
#include "planner/axes/strided.h"
#include "planner/filters/filter.h"
#include "planner/planner.h"
#include "unit_split.h"
#include <algorithm>
#include <sstream>

namespace gr {
namespace gpufft {

plan::uptr make_cuda_plan(const problem& what, const plan_options& options)
{
    const device_context& context = device_context::get(options.device);
    const bool measure = options.effort == planning_effort::measure;
    const std::optional<recipe> known = measured_recipe_for(context, what, measure);
    auto made = std::make_unique<cuda_plan>(
        what, options.device, known ? *known : make_recipe(what, context.traits()));
    if (!known)
        made->avoid_spills();
    return made;
}

cuda_plan::cuda_plan(const problem& what, int device, const recipe& how)
    : plan(what, engine_kind::cuda),
      d_context(device_context::get(device)),
      d_recipe(how),
      d_kernels(d_context, what, how),
      d_pipeline(make_cuda_device(device))
{
    if (what.picks_bins())
        cuda_plan::do_set_map();
    const problem plain = with_plain_rows(what);
    if (!what.has_plain_rows())
        d_plain_kernels = std::make_unique<frame_kernels>(
            d_context, plain, choose_recipe(d_context, plain));
}

int cuda_plan::spilled_bytes() const
{
    int most = 0;
    for (const kernel* runs : kernels())
        most = std::max(most, runs->local_bytes());
    return most;
}

void cuda_plan::avoid_spills()
{
    constexpr int FEW_BYTES = 32;     // of a thread, which cost no time
    constexpr double MOST_COST = 1.1; // relative to the lowest estimate
    constexpr std::size_t TRIED = 5;
    if (spilled_bytes() <= FEW_BYTES)
        return;
    const auto cost_of = [this](const recipe& how) {
        return find_algorithm(how.algorithm).cost(d_problem, how, d_context.traits());
    };
    const double most_cost = MOST_COST * cost_of(d_recipe);
    const std::string tried = d_recipe.to_text();
    for (const recipe& next : recipe_candidates(d_problem, d_context.traits(), TRIED)) {
        if (cost_of(next) > most_cost)
            break;
        if (next.to_text() == tried)
            continue;
        d_kernels.set_recipe(d_problem, next);
        if (spilled_bytes() <= FEW_BYTES) {
            d_recipe = next;
            return;
        }
    }
    d_kernels.set_recipe(d_problem, d_recipe);
}

std::string cuda_plan::describe() const
{
    std::ostringstream text;
    text << "cuda: " << d_recipe.to_string();
    const std::vector<const kernel*> kernels = d_kernels.kernels_for(d_problem);
    if (!d_recipe.of<parts_fields>().parts.empty())
        text << ", " << kernels.size() << " passes over memory";
    for (const kernel* runs : kernels) {
        const kernel_instance& instance = runs->instance();
        text << ", [" << instance.block_threads << " threads";
        if (instance.cluster > 1)
            text << " x " << instance.cluster;
        text << ", " << runs->registers() << " registers, " << instance.shared_bytes
             << " bytes shared, ";
        if (instance.blocks_per_frame > 1)
            text << instance.blocks_per_frame << " blocks a transform]";
        else
            text << instance.frames_per_block
                 << (instance.frames_per_block == 1 ? " transform" : " transforms")
                 << " a block]";
    }
    if (d_recipe.frames_at_once() > 0)
        text << ", " << d_recipe.frames_at_once() << " transforms a launch";
    const std::string decimation = decimation_text(d_problem, d_recipe);
    text << (decimation.empty() ? "" : ", ") << decimation;
    text << ", " << describe_steps(d_problem);
    if (d_problem.has_expressions())
        text << ", " << describe_expressions(d_problem);
    text << ", " << d_context.name() << " sm_" << d_context.architecture();
    return text.str();
}

std::size_t cuda_plan::scratch_bytes() const
{
    return d_kernels.scratch_bytes() +
           (d_plain_kernels ? d_plain_kernels->scratch_bytes() : 0);
}

// Reserves the kernels' memory for `frames` frames. If the scratch for one frame is too
// large, changes to the next recipe that needs less.
void cuda_plan::reserve_for_kernels(std::size_t frames)
{
    for (;;) {
        try {
            d_kernels.reserve(d_problem, frames);
            return;
        } catch (const cuda_error& error) {
            if (error.code() != CUDA_ERROR_OUT_OF_MEMORY)
                throw;
            const std::optional<recipe> next = recipe_with_less_scratch(
                d_problem, d_kernels.need().bytes(1), d_context.traits());
            if (!next)
                throw;
            d_kernels.set_recipe(d_problem, *next);
            d_recipe = *next;
        }
    }
}

// Reserves memory for a run and chooses the frames of a chunk: fewer if memory is short,
// but always whole parts of a filter.
void cuda_plan::reserve(chunked_run& run)
{
    const std::size_t together = frames_together();
    std::string reason;
    for (std::size_t parts = divide_up(choose_chunk(run.layout, run.frames), together);
         parts > 0;
         parts /= 2) {
        run.chunk = parts * together;
        const std::size_t most = std::min(run.chunk, run.frames);
        try {
            reserve_chunks(run, d_pipeline);
            if (d_plain_kernels)
                d_plain_kernels->reserve(with_plain_rows(d_problem), most);
            else if (parts == 1)
                reserve_for_kernels(most);
            else
                d_kernels.reserve(d_problem, most);
            return;
        } catch (const cuda_error& error) {
            if (error.code() != CUDA_ERROR_OUT_OF_MEMORY)
                throw;
            d_pipeline.release();
            reason = error.what();
        }
    }
    run.chunk = 1;
    throw cuda_error(
        CUDA_ERROR_OUT_OF_MEMORY,
        reason + "; " + d_problem.to_string() + " needs " +
            std::to_string(run.needed_bytes()) +
            " bytes of device memory and as many of pinned host memory for one frame at "
            "a time, and " +
            std::to_string(d_kernels.need().bytes(1)) + " bytes of scratch");
}

void cuda_plan::do_execute(const void* input, void* output, std::size_t frames)
{
    const device_context::scope scope(d_context);
    chunked_run run{ frame_layout(d_problem), {}, 0, frames, d_frames_in_row };
    if (d_plain_kernels) {
        run.places = places_of_bins(d_problem);
        run.distance = d_problem.effective_output_distance();
    }
    frame_kernels& kernels = d_plain_kernels ? *d_plain_kernels : d_kernels;
    const problem now = with_plain_rows(d_problem);
    reserve(run);
    std::size_t done = 0;
    const auto compute = [&](const void* dev_input,
                             void* dev_output,
                             std::size_t count,
                             std::size_t frames_in_row,
                             void* queue) {
        kernels.launch(now,
                       dev_input,
                       dev_output,
                       count,
                       run.layout.kernel_hop(),
                       frames_in_row,
                       position_after(done),
                       static_cast<CUstream>(queue));
        done += count;
    };
    try {
        execute_chunks(run, d_pipeline, input, output, compute);
    } catch (...) {
        reset_average(); // the mean includes an unknown part of these frames
        throw;
    }
}

void cuda_plan::do_enqueue(const void* dev_input,
                           void* dev_output,
                           std::size_t frames,
                           void* stream,
                           std::size_t hop)
{
    const device_context::scope scope(d_context);
    reserve_for_kernels(frames);
    d_kernels.launch(d_problem,
                     dev_input,
                     dev_output,
                     frames,
                     hop,
                     d_frames_in_row,
                     d_position,
                     static_cast<CUstream>(stream));
}

void cuda_plan::do_set_window(const std::vector<float>& taps)
{
    do_set_double_window({ taps.begin(), taps.end() });
}

void cuda_plan::do_set_double_window(const std::vector<double>& taps)
{
    d_kernels.set_window(d_problem, taps, d_rotations);
    if (d_plain_kernels)
        d_plain_kernels->set_window(d_problem, taps, d_rotations);
}

void cuda_plan::do_set_rotations() { d_kernels.set_rotations(d_problem, d_rotations); }

void cuda_plan::do_set_map() { d_kernels.set_map(d_problem, d_map); }

void cuda_plan::do_reset_average() { d_kernels.reset_average(); }

bool cuda_plan::do_save_mean(double* sums, float* smoothed, void* stream)
{
    const device_context::scope scope(d_context);
    return d_kernels.save_mean(d_problem, sums, smoothed, static_cast<CUstream>(stream));
}

void cuda_plan::do_restore_mean(const double* sums,
                                const float* smoothed,
                                bool is_smoothing)
{
    const device_context::scope scope(d_context);
    d_kernels.restore_mean(d_problem, sums, smoothed, is_smoothing);
}

} // namespace gpufft
} // namespace gr
