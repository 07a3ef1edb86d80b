// SPDX-License-Identifier: GPL-3.0-or-later
//
// Problems of any kind, format and layout on a real GPU, held against the reference: from
// host memory, and in device memory, there also in place.

#ifndef INCLUDED_GPUFFT_GPU_RUNS_H
#define INCLUDED_GPUFFT_GPU_RUNS_H

#ifdef GPUFFT_HAVE_CUDA
#include "engine/async_device.h"
#include "engine/cuda/cuda_plan.h"
#include "placed_bytes.h"
#include "planner/planner.h"
#include "recipe_checks.h"
#include "reference_dft.h"
#include <gnuradio/gpufft/engine.h>

#include <cstring>
#include <gtest/gtest.h>

namespace gr {
namespace gpufft {

inline std::size_t bytes_of_rows(const problem& what, std::size_t rows)
{
    return ((rows - 1) * what.effective_output_distance() + what.output_span()) *
           what.output_item_bytes();
}

// Rows by enqueue(); with `in_place` they lie where their frames do. Samples and rows lie
// at these offsets from a multiple of 16 bytes.
inline std::vector<std::uint8_t> run_on_device(plan& with,
                                               const std::vector<std::uint8_t>& input,
                                               std::size_t frames,
                                               bool in_place,
                                               run_offsets offsets = {})
{
    const device_context& context = device_context::get(0);
    const device_context::scope scope(context);
    const std::size_t bytes = bytes_of_rows(with.what(), with.output_rows(frames));
    memory_buffer from(context, memory_kind::device), to(context, memory_kind::device);
    from.reserve(std::max(input.size(), bytes) + 16);
    to.reserve(bytes + 16);
    const CUdeviceptr first = from.device() + offsets.input;
    const CUdeviceptr row = in_place ? first : to.device() + offsets.output;
    std::vector<std::uint8_t> output(bytes, 0xff);
    GPUFFT_CUDA(cuMemcpyHtoD(row, output.data(), bytes));
    GPUFFT_CUDA(cuMemcpyHtoD(first, input.data(), input.size()));
    with.enqueue(reinterpret_cast<const void*>(first),
                 reinterpret_cast<void*>(row),
                 frames,
                 nullptr);
    GPUFFT_CUDA(cuCtxSynchronize());
    GPUFFT_CUDA(cuMemcpyDtoH(output.data(), row, bytes));
    return output;
}

// The same by kernels that read and store host memory, which is registered.
inline std::vector<std::uint8_t>
run_in_host_memory(plan& with,
                   const std::vector<std::uint8_t>& input,
                   std::size_t frames,
                   run_offsets offsets = {})
{
    const device_context::scope scope(device_context::get(0));
    const std::size_t bytes = bytes_of_rows(with.what(), with.output_rows(frames));
    const std::size_t between = (input.size() + 31) / 16 * 16;
    placed_bytes memory(between + bytes + 16, 0); // one: pages are registered once
    std::uint8_t* const first = memory.data() + offsets.input;
    std::uint8_t* const row = memory.data() + between + offsets.output;
    std::memset(memory.data(), 0xff, between + bytes + 16);
    std::copy(input.begin(), input.end(), first);
    const auto registered =
        make_cuda_device(0)->register_host(memory.data(), between + bytes + 16);
    with.enqueue(first, row, frames, nullptr);
    GPUFFT_CUDA(cuCtxSynchronize());
    return { row, row + bytes };
}

// Each problem in a plan of its own: from host memory, on the device, and in place where
// rows and frames are alike.
inline void expect_right_on_gpu(const std::vector<problem>& problems)
{
    if (!query_cuda().usable)
        GTEST_SKIP() << query_cuda().reason;
    for (const problem& what : problems) {
        const bool is_plain = what.input_strides.empty() && what.has_plain_rows();
        const std::size_t frames = is_plain ? 45 : what.batch;
        const std::vector<std::uint8_t> input =
            random_samples(what, (frames - 1) * what.effective_hop() + what.input_span());
        const std::vector<float> window = random_window(what.n);
        const std::vector<spectrum> expected =
            reference_rows(what, input, window, frames);
        const double bound = error_bound(what, kernel_error_factor(what));
        cuda_plan plan(what, 0, make_recipe(what, device_context::get(0).traits()));
        if (what.window)
            plan.set_window(window);
        const auto check = [&](const std::vector<std::uint8_t>& rows, const char* where) {
            plan.reset_average(); // the next rows are the first again
            plan.set_position(0);
            EXPECT_LT(relative_error(what, rows.data(), expected), bound)
                << what.to_string() << " " << where << ", " << plan.describe();
        };
        std::vector<std::uint8_t> rows(bytes_of_rows(what, frames), 0xff);
        plan.execute(input.data(), rows.data(), frames);
        check(rows, "from host memory");
        check(run_on_device(plan, input, frames, false), "in device memory");
        if (is_plain && what.effective_hop() * what.input_item_bytes() ==
                            what.effective_output_distance() * what.output_item_bytes())
            check(run_on_device(plan, input, frames, true), "in place");
    }
}

// The same bits wherever samples and rows lie in device memory, or in host memory.
inline void expect_same_at_any_offset_on_gpu(const std::vector<recipe_case>& cases,
                                             bool in_host_memory)
{
    if (!query_cuda().usable)
        GTEST_SKIP() << query_cuda().reason;
    if (in_host_memory && !make_cuda_device(0)->computes_in_host_memory())
        GTEST_SKIP() << "this card needs other addresses for host memory";
    for (const recipe_case& each : cases) {
        constexpr std::size_t frames = 19;
        const problem& what = each.what;
        const std::vector<std::uint8_t> input =
            random_samples(what, (frames - 1) * what.effective_hop() + what.input_span());
        cuda_plan plan(what, 0, each.how);
        if (what.window)
            plan.set_window(random_window(what.window_numbers()));
        const auto rows_at = [&](run_offsets offsets) {
            plan.reset_average();
            plan.set_position(0);
            return in_host_memory ? run_in_host_memory(plan, input, frames, offsets)
                                  : run_on_device(plan, input, frames, false, offsets);
        };
        const std::vector<std::uint8_t> expected =
            run_on_device(plan, input, frames, false);
        for (const run_offsets& there : all_offsets(what))
            EXPECT_EQ(rows_at(there), expected)
                << what.to_string() << ", input + " << there.input << " bytes, output + "
                << there.output << (in_host_memory ? " in host memory, " : ", ")
                << plan.describe();
    }
}

} // namespace gpufft
} // namespace gr
#endif

#endif
