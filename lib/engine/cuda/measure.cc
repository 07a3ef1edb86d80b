// SPDX-License-Identifier: GPL-3.0-or-later
//
// Times recipes on the card with events, each on the same frames.

#include "measure.h"
#include "cuda_plan.h"
#include "engine/wisdom_file.h"
#include "plan/planner.h"

#include <algorithm>
#include <atomic>
#include <thread>

namespace gr {
namespace gpufft {

namespace {

constexpr std::size_t CANDIDATES = 24;
constexpr int RUNS = 9;
constexpr std::size_t MOST_BYTES = std::size_t(1) << 30; // of the frames that are timed

// Compiles the kernels of all candidates into the cache, one thread a core.
void build_all(const device_context& context,
               const problem& what,
               const std::vector<recipe>& candidates)
{
    std::vector<kernel_instance> kernels;
    for (const recipe& how : candidates)
        for (const launch_step& step : build_program(what, how).steps)
            kernels.push_back(step.kernel);
    std::atomic<std::size_t> next{ 0 };
    const auto work = [&] {
        for (std::size_t i; (i = next++) < kernels.size();) {
            try {
                build_kernel(kernels[i], context.architecture());
            } catch (const std::exception&) { // the plan will say it again
            }
        }
    };
    std::vector<std::thread> threads;
    for (unsigned i = 0; i < std::max(1u, std::thread::hardware_concurrency()); ++i)
        threads.emplace_back(work);
    for (std::thread& thread : threads)
        thread.join();
}

double median_milliseconds(plan& plan,
                           const memory_buffer& input,
                           const memory_buffer& output,
                           std::size_t frames,
                           CUstream stream)
{
    CUevent begin = nullptr, end = nullptr;
    GPUFFT_CUDA(cuEventCreate(&begin, CU_EVENT_DEFAULT));
    GPUFFT_CUDA(cuEventCreate(&end, CU_EVENT_DEFAULT));
    std::vector<float> times;
    for (int run = -2; run < RUNS; ++run) { // two to warm up
        GPUFFT_CUDA(cuEventRecord(begin, stream));
        plan.enqueue(input.as(), output.as(), frames, stream);
        GPUFFT_CUDA(cuEventRecord(end, stream));
        GPUFFT_CUDA(cuEventSynchronize(end));
        float milliseconds = 0;
        GPUFFT_CUDA(cuEventElapsedTime(&milliseconds, begin, end));
        if (run >= 0)
            times.push_back(milliseconds);
    }
    GPUFFT_CUDA(cuEventDestroy(begin));
    GPUFFT_CUDA(cuEventDestroy(end));
    std::nth_element(times.begin(), times.begin() + RUNS / 2, times.end());
    return times[RUNS / 2];
}

} // namespace

std::vector<measured_recipe> measure_recipes(const device_context& context,
                                             const problem& what,
                                             const std::vector<recipe>& candidates)
{
    build_all(context, what, candidates);
    const std::size_t frame_bytes =
        std::max(what.effective_hop() * what.input_item_bytes(),
                 what.n * what.output_item_bytes());
    const std::size_t frames =
        std::max<std::size_t>(std::min(what.batch, MOST_BYTES / frame_bytes), 1);
    const device_context::scope scope(context);
    const stream_uptr stream = make_stream(context);
    memory_buffer input(context, memory_kind::device);
    memory_buffer output(context, memory_kind::device);
    input.reserve(((frames - 1) * what.effective_hop() + what.n) *
                  what.input_item_bytes());
    output.reserve(frames * what.n * what.output_item_bytes());
    GPUFFT_CUDA(cuMemsetD8(input.device(), 0x3c, input.bytes())); // about 0.01

    std::vector<measured_recipe> measured;
    std::string failure;
    for (const recipe& how : candidates) {
        try {
            cuda_plan plan(what, context.index(), how);
            measured.push_back(
                { how, median_milliseconds(plan, input, output, frames, stream.get()) });
        } catch (const cuda_error& error) {
            failure = error.what();
        }
    }
    if (measured.empty())
        throw cuda_error(CUDA_ERROR_LAUNCH_FAILED,
                         "no recipe runs for " + what.to_string() + ": " + failure);
    std::stable_sort(measured.begin(), measured.end(), [](const auto& a, const auto& b) {
        return a.milliseconds < b.milliseconds;
    });
    return measured;
}

recipe choose_recipe(const device_context& context, const problem& what, bool measure)
{
    const device_traits card = traits_of(context);
    if (const std::optional<recipe> known = find_wisdom(context.name(), what))
        if (find_algorithm(known->algorithm).obstacle(what, card).empty())
            return *known;
    if (!measure)
        return make_recipe(what, card);
    const recipe best =
        measure_recipes(context, what, recipe_candidates(what, card, CANDIDATES))
            .front()
            .how;
    add_wisdom(context.name(), what, best);
    return best;
}

} // namespace gpufft
} // namespace gr
