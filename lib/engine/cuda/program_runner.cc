// SPDX-License-Identifier: GPL-3.0-or-later
//
// Uploads a program's tables and queues its launches, for a limited number of frames at a
// time if the program has a limit.

#include "program_runner.h"
#include <gnuradio/gpufft/engine.h>

#include <algorithm>
#include <future>
#include <memory>

namespace gr {
namespace gpufft {

namespace {

// Compiles all kernels into the cache, in parallel; the constructors find them there.
// This thread compiles the first one.
void build_kernels(const device_context& context, const program& steps)
{
    std::vector<std::future<void>> builds;
    for (std::size_t i = 1; i < steps.steps.size(); ++i)
        builds.push_back(std::async(std::launch::async, [&, i] {
            build_kernel(steps.steps[i].kernel, context.architecture());
        }));
    build_kernel(steps.steps.front().kernel, context.architecture());
    for (std::future<void>& build : builds)
        build.wait();
    for (std::future<void>& build : builds)
        build.get();
}

} // namespace

void upload(const device_context& context,
            memory_buffer& buffer,
            const void* values,
            std::size_t bytes)
{
    buffer.reserve(bytes);
    const char* const first = static_cast<const char*>(values);
    const auto copy = std::make_shared<std::vector<char>>(first, first + bytes);
    context.watch().call([&context, to = buffer.device(), copy] {
        const device_context::scope scope(context);
        GPUFFT_CUDA(cuCtxSynchronize());
        GPUFFT_CUDA(cuMemcpyHtoD(to, copy->data(), copy->size()));
        GPUFFT_CUDA(cuCtxSynchronize()); // the copy may return before it has ended
    });
}

program_runner::program_runner(const device_context& context, const program& steps)
    : d_context(context),
      d_steps(steps.steps),
      d_need(scratch_of(steps)),
      d_point_bytes(steps.point_bytes()),
      d_works_in_place(steps.works_in_place),
      d_most_frames(steps.frames_at_once)
{
    std::copy_n(steps.scratch_points, SCRATCH_PLACES, d_scratch_points);
    for (int i = 0; i < SCRATCH_PLACES; ++i)
        d_scratch.emplace_back(context, memory_kind::device);
    build_kernels(context, steps);
    for (const launch_step& step : d_steps)
        d_kernels.emplace_back(context, step.kernel);
    for (const table& values : steps.tables) {
        d_tables.emplace_back(context, memory_kind::device);
        upload(context, d_tables.back(), values.data(), values.bytes());
        d_memory.tables.push_back(d_tables.back().as<const void>());
    }
}

void program_runner::reserve(std::size_t frames, std::size_t data_bytes)
{
    if (frames <= d_asked_frames)
        return;
    std::size_t wanted = d_most_frames == 0 ? frames : std::min(frames, d_most_frames);
    if (d_need.group_bytes > 0) {
        const std::size_t free = memory_of(d_context).free + scratch_bytes();
        wanted = frames_within(d_need, wanted, scratch_limit(data_bytes, free));
    }
    d_asked_frames = 0;
    d_frames = frames_that_fit(wanted, [this](std::size_t at_once) {
        try {
            allocate(at_once);
            return true;
        } catch (const cuda_error& error) {
            if (error.code() != CUDA_ERROR_OUT_OF_MEMORY)
                throw;
            for (memory_buffer& scratch : d_scratch)
                scratch.release();
            return false;
        }
    });
    if (d_frames == 0)
        throw cuda_error(
            CUDA_ERROR_OUT_OF_MEMORY,
            "out of memory: " + std::to_string(d_need.bytes(1)) +
                " bytes of scratch were requested for one frame at a time; " +
                describe_memory(d_context));
    d_asked_frames = frames;
}

void program_runner::allocate(std::size_t frames)
{
    for (int i = 0; i < SCRATCH_PLACES; ++i)
        if (d_scratch_points[i] > 0)
            d_scratch[i].reserve(d_scratch_points[i] * d_need.allocated_groups(frames) *
                                 d_point_bytes);
}

void program_runner::launch(const kernels::transform_arguments& common,
                            std::size_t hop_bytes,
                            std::size_t row_bytes,
                            CUstream stream)
{
    const std::size_t fitting =
        std::min(d_frames, frames_allowed_by_hop(d_steps, common.frames, common.hop));
    const std::size_t together = d_need.together;
    const std::size_t at_once = std::max(fitting / together * together, together);
    for (std::size_t first = 0; first < common.frames; first += at_once) {
        const std::size_t frames = std::min<std::size_t>(at_once, common.frames - first);
        const void* const input =
            static_cast<const char*>(common.input) + first * hop_bytes;
        void* const output = static_cast<char*>(common.output) + first * row_bytes;
        d_memory.places = { const_cast<void*>(input), output };
        for (const memory_buffer& scratch : d_scratch)
            d_memory.places.push_back(scratch.as());
        for (std::size_t i = 0; i < d_steps.size(); ++i) {
            const kernels::transform_arguments arguments =
                step_arguments_of(d_steps[i], common, d_memory, first, frames);
            d_kernels[i].launch(
                blocks_of(d_steps[i].kernel, arguments.frames), 1, arguments, stream);
        }
    }
}

void program_runner::set_parameters(const std::vector<float>& values)
{
    for (kernel& each : d_kernels)
        each.set_parameters(d_context, values);
}

std::size_t program_runner::scratch_bytes() const
{
    std::size_t bytes = 0;
    for (const memory_buffer& scratch : d_scratch)
        bytes += scratch.bytes();
    return bytes;
}

const kernels::complex* program_runner::twiddles() const
{
    const int table = d_steps.front().twiddles;
    return table < 0 ? nullptr
                     : static_cast<const kernels::complex*>(d_memory.tables[table]);
}

} // namespace gpufft
} // namespace gr
