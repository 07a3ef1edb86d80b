// SPDX-License-Identifier: GPL-3.0-or-later
//
// Assigns frames to threads, and runs their steps.

#include "cpu_plan.h"
#include "channel_plan.h"
#include "cpu_threads.h"
#include "engine/engines.h"
#include "filter_plan.h"
#include "frame_transform.h"
#include "general_bins.h"
#include "general_plan.h"
#include "problem/density_row.h"
#include "problem/frame_groups.h"
#include "synthesis_plan.h"

#include <algorithm>
#include <optional>
#include <sstream>

namespace gr {
namespace gpufft {

namespace {

std::unique_ptr<frame_bins> make_bins(const problem& what)
{
    if (frame_transform::takes(what))
        return std::make_unique<frame_transform>(what);
    return std::make_unique<general_bins>(what);
}

} // namespace

plan::uptr make_cpu_plan(const problem& what, const plan_options& options)
{
    std::optional<quick_planning> quick;
    if (options.effort == planning_effort::quick)
        quick.emplace(0);
    if (what.is_channel_bank())
        return std::make_unique<channel_plan>(what, options.threads);
    if (what.kind == transform_kind::filter)
        return std::make_unique<filter_plan>(what, options.threads);
    if (what.kind == transform_kind::synthesis)
        return std::make_unique<synthesis_plan>(what, options.threads);
    if (what.is_power() || frame_transform::takes(what))
        return std::make_unique<cpu_plan>(what, options.threads);
    if (what.is_double())
        return std::make_unique<general_plan<double>>(what, options.threads);
    return std::make_unique<general_plan<float>>(what, options.threads);
}

cpu_plan::cpu_plan(const problem& what, int threads)
    : plan(what, engine_kind::cpu),
      d_transform(make_bins(what)),
      d_store(what, d_transform->shifts_output()),
      d_averaged(*d_transform, d_store)
{
    d_store.set_map(d_map);
    cpu_plan::set_threads(threads);
}

void cpu_plan::set_threads(int threads)
{
    plan::set_threads(threads); // checks the range
    const std::size_t count = count_threads(threads);
    if (d_pool && d_pool->threads() == count)
        return;
    auto pool = std::make_unique<thread_pool>(count);
    d_transform->allocate(count);
    if (d_problem.has_mean() || d_averaged.is_allocated())
        d_averaged.allocate(d_problem, count);
    d_pool = std::move(pool);
}

void cpu_plan::do_set_window(const std::vector<float>& taps)
{
    d_transform->set_window(taps);
}

void cpu_plan::do_reset_average() { d_averaged.reset(); }

bool cpu_plan::do_save_mean(double* sums, float* smoothed, void*)
{
    if (!d_averaged.is_allocated())
        d_averaged.allocate(d_problem, d_pool->threads());
    const row_average& mean = d_averaged.mean();
    const std::size_t n = d_problem.row_bins();
    const bool has_squares = d_problem.detector == detector_kind::kurtosis;
    double* const kept = sums + kept_begin(d_problem);
    const auto save = [&](std::size_t at, const row_average::joined& value) {
        sums[at] = value.closed;
        kept[at] = value.kept;
    };
    for (std::size_t k = 0; k < n; ++k) {
        const std::size_t j = d_store.place_of(k);
        smoothed[j] = static_cast<float>(mean.smoothed(k));
        for (std::size_t i = 0; i < d_problem.row_traces(); ++i)
            save(i * n + j, d_averaged.mean(i).sum(k));
        if (has_squares)
            save(n + j, mean.squares(k));
    }
    for (std::size_t cell = 0; cell < d_problem.density.cells(); ++cell)
        sums[cells_begin(d_problem) + cell] = d_averaged.density().total(cell);
    return d_averaged.is_smoothing();
}

void cpu_plan::do_restore_mean(const double* sums,
                               const float* smoothed,
                               bool is_smoothing)
{
    if (!d_averaged.is_allocated())
        d_averaged.allocate(d_problem, d_pool->threads());
    d_averaged.reset();
    row_average& mean = d_averaged.mean();
    const std::size_t n = d_problem.row_bins();
    const bool has_squares = d_problem.detector == detector_kind::kurtosis;
    const bool in_group = is_in_group(d_frames_in_row, d_averaged.group());
    const double* const kept = sums + kept_begin(d_problem);
    for (std::size_t k = 0; k < n; ++k) {
        const std::size_t j = d_store.place_of(k);
        if (is_smoothing)
            mean.restore_smoothed(k, smoothed[j]);
        if (d_frames_in_row == 0)
            continue;
        for (std::size_t i = 0; i < d_problem.row_traces(); ++i)
            d_averaged.mean(i).restore_sum(
                k, { sums[i * n + j], kept[i * n + j] }, in_group);
        if (has_squares)
            mean.restore_squares(k, { sums[n + j], kept[n + j] }, in_group);
    }
    if (d_frames_in_row > 0)
        for (std::size_t cell = 0; cell < d_problem.density.cells(); ++cell)
            d_averaged.density().restore(cell, sums[cells_begin(d_problem) + cell]);
    d_averaged.set_smoothing(is_smoothing);
}

void cpu_plan::do_execute(const void* input, void* output, std::size_t frames)
{
    const char* in = static_cast<const char*>(input);
    if (!d_problem.has_mean()) {
        d_averaged.reset_smoothing();
        execute_rows(in, static_cast<char*>(output), frames);
        return;
    }
    if (!d_averaged.is_allocated()) // a setter has just switched averaging on
        d_averaged.allocate(d_problem, d_pool->threads());
    d_averaged.execute(
        d_problem, in, static_cast<float*>(output), frames, d_frames_in_row, *d_pool);
}

void cpu_plan::execute_rows(const char* input, char* output, std::size_t frames)
{
    const std::size_t hop_bytes =
        d_problem.effective_hop() * d_problem.input_item_bytes();
    const std::size_t row_bytes = d_problem.row_bins() * d_problem.output_item_bytes();
    const std::size_t frames_per_task =
        share_of(frames, d_transform->frames_per_task(), d_pool->threads());
    const std::size_t tasks = (frames + frames_per_task - 1) / frames_per_task;
    d_pool->run(tasks, [&](std::size_t task, std::size_t thread) {
        const std::size_t first = task * frames_per_task;
        const std::size_t last = std::min(first + frames_per_task, frames);
        for (std::size_t f = first; f < last;) {
            const std::size_t count = d_transform->together(last - f);
            execute_group(input + f * hop_bytes,
                          output + f * row_bytes,
                          position_after(f),
                          count,
                          thread);
            f += count;
        }
    });
}

void cpu_plan::execute_group(const char* input,
                             char* rows,
                             std::size_t position,
                             std::size_t frames,
                             std::size_t thread)
{
    typedef std::complex<float> complex;
    const std::size_t row = d_problem.row_bins();
    const std::size_t n = d_problem.picks_bins() ? d_problem.n : row;
    const float scale = static_cast<float>(d_problem.scale);
    complex* target = d_store.is_identity(scale) && rows != input
                          ? reinterpret_cast<complex*>(rows)
                          : nullptr;
    const complex* bins = d_transform->transform(
        input, d_problem.effective_hop(), frames, position, target, thread);
    if (bins == target)
        return;
    for (std::size_t f = 0; f < frames; ++f) {
        if (d_problem.is_power())
            d_store.store_power(
                bins + f * n, scale, reinterpret_cast<float*>(rows) + f * row);
        else
            d_store.store_bins(
                bins + f * n, scale, reinterpret_cast<complex*>(rows) + f * row);
    }
}

std::string cpu_plan::describe() const
{
    std::ostringstream text;
    text << "cpu: fftw(" << d_transform->describe_transform() << "), "
         << d_pool->threads() << (d_pool->threads() == 1 ? " thread" : " threads")
         << ", load " << d_transform->describe_load();
    if (d_problem.effective_hop() != d_problem.input_span())
        text << " hop(" << d_problem.effective_hop() << ")";
    text << ", store " << (d_problem.is_power() ? "power" : "complex");
    if (d_problem.picks_bins())
        text << " bins(" << d_problem.bins << ")";
    if (d_problem.average > 1)
        text << " " << to_string(d_problem.detector) << "(" << d_problem.average << ")";
    if (d_problem.hold != hold_kind::none)
        text << " hold(" << to_string(d_problem.hold) << ")";
    else if (d_problem.smoothing < 1.0)
        text << " smooth(" << d_problem.smoothing << ")";
    if (d_problem.scale != 1.0)
        text << " scale(" << d_problem.scale << ")";
    if (d_problem.output == output_kind::decibel)
        text << " decibel";
    if (d_problem.shift_output)
        text << " shift";
    if (d_problem.has_density())
        text << ", " << describe_density(d_problem);
    return text.str();
}

} // namespace gpufft
} // namespace gr
