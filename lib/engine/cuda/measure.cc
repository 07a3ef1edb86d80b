// SPDX-License-Identifier: GPL-3.0-or-later
//
// Times recipes on the card with events, on the same frames. Short ones run many times in
// succession.

#include "measure.h"
#include "cuda_plan.h"
#include "planner/planner.h"

#include <algorithm>
#include <atomic>
#include <random>
#include <thread>

namespace gr {
namespace gpufft {

namespace {

constexpr std::size_t FINALISTS = 6; // recipes that are timed again, for longer
constexpr int QUICK_RUNS = 7;
constexpr int FINAL_RUNS = 31;
constexpr float LEAST_RUN_MS = 0.5f; // shorter work is queued many times in a run
constexpr float MOST_CALLS = 200;
constexpr float WARM_MS = 50; // an idle card's clocks rise under load only
constexpr std::size_t MOST_BYTES = std::size_t(1) << 30; // limit for the frames timed
constexpr std::size_t RANDOM_FLOATS = std::size_t(1) << 20;

// Compiles the kernels of all candidates into the cache, with one thread per core.
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
            } catch (const std::exception&) { // the plan reports it again
            }
        }
    };
    std::vector<std::thread> threads;
    for (unsigned i = 0; i < std::max(1u, std::thread::hardware_concurrency()); ++i)
        threads.emplace_back(work);
    for (std::thread& thread : threads)
        thread.join();
}

// Fills with random numbers: on constant ones a card draws less power, and can be faster.
void fill(const memory_buffer& buffer)
{
    std::minstd_rand random(1);
    std::uniform_real_distribution<float> uniform(-1, 1);
    std::vector<float> block(RANDOM_FLOATS);
    for (float& number : block)
        number = uniform(random);
    const std::size_t block_bytes = RANDOM_FLOATS * sizeof(float);
    for (std::size_t done = 0; done < buffer.bytes(); done += block_bytes)
        GPUFFT_CUDA(cuMemcpyHtoD(buffer.device() + done,
                                 block.data(),
                                 std::min(block_bytes, buffer.bytes() - done)));
}

// Device memory with the frames of a problem, and the clock for work on them.
class stopwatch
{
public:
    stopwatch(const device_context& context, const problem& what)
        : d_stream(make_stream(context)),
          d_input(context, memory_kind::device),
          d_output(context, memory_kind::device)
    {
        const std::size_t frame_bytes =
            std::max(what.input_bytes(what.effective_hop()),
                     what.row_bins() * what.output_item_bytes());
        d_frames =
            std::max<std::size_t>(std::min(what.batch, MOST_BYTES / frame_bytes), 1);
        d_input.reserve(
            what.input_bytes((d_frames - 1) * what.effective_hop() + what.input_span()));
        d_output.reserve(
            ((d_frames - 1) * what.effective_output_distance() + what.output_span()) *
            what.output_item_bytes());
        fill(d_input);
        GPUFFT_CUDA(cuEventCreate(&d_begin, CU_EVENT_DEFAULT));
        GPUFFT_CUDA(cuEventCreate(&d_end, CU_EVENT_DEFAULT));
    }
    ~stopwatch()
    {
        cuda().cuEventDestroy(d_begin);
        cuda().cuEventDestroy(d_end);
    }
    stopwatch(const stopwatch&) = delete;
    stopwatch& operator=(const stopwatch&) = delete;

    // Milliseconds of one call, the median of `runs` runs.
    double milliseconds(plan& plan, int runs)
    {
        run(plan, 1); // its tables come into the cache
        const float once = run(plan, 2);
        const int calls =
            static_cast<int>(std::clamp(LEAST_RUN_MS / once, 1.0f, MOST_CALLS));
        for (; d_warm_ms < WARM_MS; d_warm_ms += calls * once)
            run(plan, calls);
        std::vector<float> times;
        for (int i = 0; i < runs; ++i)
            times.push_back(run(plan, calls));
        std::nth_element(times.begin(), times.begin() + runs / 2, times.end());
        return times[runs / 2];
    }

private:
    float run(plan& plan, int calls)
    {
        GPUFFT_CUDA(cuEventRecord(d_begin, d_stream.get()));
        for (int call = 0; call < calls; ++call)
            plan.enqueue(d_input.as(), d_output.as(), d_frames, d_stream.get());
        GPUFFT_CUDA(cuEventRecord(d_end, d_stream.get()));
        GPUFFT_CUDA(cuEventSynchronize(d_end));
        float milliseconds = 0;
        GPUFFT_CUDA(cuEventElapsedTime(&milliseconds, d_begin, d_end));
        return milliseconds / calls;
    }

    stream_uptr d_stream;
    memory_buffer d_input, d_output;
    std::size_t d_frames;
    CUevent d_begin = nullptr, d_end = nullptr;
    float d_warm_ms = 0; // since the clock exists
};

} // namespace

std::vector<measured_recipe> measure_recipes(const device_context& context,
                                             const problem& what,
                                             const std::vector<recipe>& candidates)
{
    build_all(context, what, candidates);
    const device_context::scope scope(context);
    stopwatch clock(context, what);
    std::vector<measured_recipe> measured;
    std::string failure;
    for (const recipe& how : candidates) {
        try {
            cuda_plan plan(what, context.index(), how);
            measured.push_back({ how, clock.milliseconds(plan, QUICK_RUNS) });
        } catch (const std::exception& error) { // too little memory, too many blocks
            failure = error.what();
        }
    }
    if (measured.empty())
        throw cuda_error(CUDA_ERROR_LAUNCH_FAILED,
                         "no recipe runs for " + what.to_string() + ": " + failure);
    const auto is_faster = [](const auto& a, const auto& b) {
        return a.milliseconds < b.milliseconds;
    };
    std::stable_sort(measured.begin(), measured.end(), is_faster);
    const auto last = measured.begin() + std::min(FINALISTS, measured.size());
    for (auto each = measured.begin(); each != last; ++each) {
        cuda_plan plan(what, context.index(), each->how);
        each->milliseconds = clock.milliseconds(plan, FINAL_RUNS);
    }
    std::stable_sort(measured.begin(), last, is_faster);
    return measured;
}

} // namespace gpufft
} // namespace gr
