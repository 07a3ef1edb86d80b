// SPDX-License-Identifier: GPL-3.0-or-later
//
// Lays out the kernels' arguments for host memory and launches them by fibers.

#include "host_plan.h"
#include "host_kernels.h"

#include <algorithm>

namespace gr {
namespace gpufft {

namespace {

// Frames that one unit sums; small, so that short tests use several parts a row.
constexpr std::size_t GROUP = 3;

unsigned ceil_divide(std::size_t a, std::size_t b) { return unsigned((a + b - 1) / b); }

} // namespace

host_plan::host_plan(const problem& what, const recipe& how)
    : plan(what, engine_kind::host),
      d_recipe(how),
      d_twiddles(stockham_twiddles(how.shape)),
      d_window(what.n, 1.0f),
      d_sum(what.n),
      d_next_sum(what.n),
      d_smoothed(what.n)
{
}

std::string host_plan::describe() const { return "host: " + d_recipe.to_string(); }

void host_plan::do_execute(const void* input, void* output, std::size_t frames)
{
    if (d_problem.average > 1 || d_problem.smoothing < 1.0) {
        execute_averaged(input, output, frames);
        return;
    }
    const kernel_instance kernel = transform_kernel(d_problem, d_recipe);
    const transform_function function = find_transform_kernel(kernel.expression);
    kernels::transform_arguments arguments = {};
    arguments.input = input;
    arguments.output = output;
    arguments.window = d_window.data();
    arguments.twiddles = reinterpret_cast<const kernels::complex32*>(d_twiddles.data());
    arguments.frames = frames;
    arguments.hop = d_problem.effective_hop();
    arguments.scale = float(d_problem.scale);
    const host_grid grid = { ceil_divide(frames, kernel.frames_per_block),
                             1,
                             unsigned(kernel.block_threads),
                             kernel.shared_bytes,
                             d_order };
    launch_on_host(grid, [&] { function(arguments); });
}

void host_plan::execute_averaged(const void* input, void* output, std::size_t frames)
{
    const std::size_t average = d_problem.average;
    const std::size_t parts = ceil_divide(average, GROUP);
    const std::size_t rows = ceil_divide(d_frames_in_row + frames, average);
    std::vector<float> partial(rows * parts * d_problem.n, NAN);

    const kernel_instance first = power_kernel(d_problem, d_recipe);
    const transform_function sum = find_transform_kernel(first.expression);
    kernels::transform_arguments sums = {};
    sums.input = input;
    sums.output = partial.data();
    sums.window = d_window.data();
    sums.twiddles = reinterpret_cast<const kernels::complex32*>(d_twiddles.data());
    sums.frames = frames;
    sums.hop = d_problem.effective_hop();
    sums.average = average;
    sums.frames_in_row = d_frames_in_row;
    sums.group = GROUP;
    sums.parts = parts;
    sums.units = rows * parts;
    const host_grid grid = { ceil_divide(rows * parts, first.frames_per_block),
                             1,
                             unsigned(first.block_threads),
                             first.shared_bytes,
                             d_order };
    launch_on_host(grid, [&] { sum(sums); });

    const kernel_instance second = average_kernel(d_problem);
    const average_function finish = find_average_kernel(second.expression);
    const bool smooth = d_problem.smoothing < 1.0;
    kernels::average_arguments means = {};
    means.partial = partial.data();
    means.output = static_cast<float*>(output);
    means.sum = d_sum.data();
    means.next_sum = d_next_sum.data();
    means.smoothed = smooth ? d_smoothed.data() : nullptr;
    means.n = d_problem.n;
    means.frames = frames;
    means.average = average;
    means.frames_in_row = d_frames_in_row;
    means.parts = parts;
    means.scale = float(d_problem.scale);
    means.smoothing = float(d_problem.smoothing);
    means.first = d_first;
    const host_grid bins = { ceil_divide(d_problem.n, second.block_threads),
                             smooth ? 1 : unsigned(std::min<std::size_t>(rows, 4)),
                             unsigned(second.block_threads),
                             0,
                             d_order };
    launch_on_host(bins, [&] { finish(means); });
    std::swap(d_sum, d_next_sum);
    if (d_frames_in_row + frames >= average)
        d_first = false;
}

} // namespace gpufft
} // namespace gr
