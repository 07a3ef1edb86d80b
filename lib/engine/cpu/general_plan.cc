// SPDX-License-Identifier: GPL-3.0-or-later
//
// Shares frames and lines out among threads.

#include "general_plan.h"
#include "cpu_threads.h"
#include "general_text.h"

#include <algorithm>
#include <sstream>

namespace gr {
namespace gpufft {

namespace {

// Longer frames exceed one thread's caches; all threads then work on one frame.
constexpr std::size_t LONGEST_OF_ONE_THREAD = std::size_t(1) << 18;

} // namespace

template <class T>
general_plan<T>::general_plan(const problem& what, int threads)
    : plan(what, engine_kind::cpu),
      d_transform(what)
{
    general_plan::set_threads(threads);
}

template <class T>
void general_plan<T>::set_threads(int threads)
{
    plan::set_threads(threads); // checks the range
    const std::size_t count = count_threads(threads);
    if (d_pool && d_pool->threads() == count)
        return;
    auto pool = std::make_unique<thread_pool>(count);
    d_transform.allocate(count);
    d_pool = std::move(pool);
}

template <class T>
void general_plan<T>::do_set_window(const std::vector<float>& taps)
{
    d_transform.set_window(std::vector<double>(taps.begin(), taps.end()));
}

template <class T>
void general_plan<T>::do_set_double_window(const std::vector<double>& taps)
{
    d_transform.set_window(taps);
}

template <class T>
void general_plan<T>::do_execute(const void* input, void* output, std::size_t frames)
{
    const frames_in_memory data = {
        input, output, d_problem.effective_hop(), d_problem.effective_output_distance()
    };
    if (shares_out_frames(frames))
        execute_blocks(data, frames);
    else
        execute_lines(data, frames);
}

// If false, threads share the lines of each pass.
template <class T>
bool general_plan<T>::shares_out_frames(std::size_t frames) const
{
    if (d_transform.passes() == 1)
        return false;
    return d_pool->threads() == 1 ||
           (d_problem.n <= LONGEST_OF_ONE_THREAD &&
            frames / d_transform.frames_per_block() >= d_pool->threads());
}

template <class T>
void general_plan<T>::execute_blocks(const frames_in_memory& data, std::size_t frames)
{
    const std::size_t block = d_transform.frames_per_block();
    const std::size_t tasks = (frames + block - 1) / block;
    d_pool->run(tasks, [&](std::size_t task, std::size_t thread) {
        const std::size_t first = task * block;
        d_transform.run(from_frame(first, data),
                        std::min(block, frames - first),
                        d_problem.scale,
                        thread);
    });
}

// With one pass, runs the lines of all frames at once, else frame by frame.
template <class T>
void general_plan<T>::execute_lines(const frames_in_memory& data, std::size_t frames)
{
    const std::size_t together = d_transform.passes() == 1 ? frames : 1;
    d_transform.prepare_lines(data);
    for (std::size_t frame = 0; frame < frames; frame += together) {
        const frames_in_memory now = from_frame(frame, data);
        for (std::size_t pass = 0; pass < d_transform.passes(); ++pass) {
            const std::size_t lines = together * d_transform.lines_per_frame(pass);
            const std::size_t per_task =
                share_of(lines, d_transform.lines_per_task(pass), d_pool->threads());
            d_pool->run((lines + per_task - 1) / per_task,
                        [&](std::size_t task, std::size_t thread) {
                            const std::size_t first = task * per_task;
                            d_transform.run_lines(pass,
                                                  now,
                                                  first,
                                                  std::min(first + per_task, lines),
                                                  d_problem.scale,
                                                  thread);
                        });
        }
    }
}

template <class T>
frames_in_memory general_plan<T>::from_frame(std::size_t frame,
                                             const frames_in_memory& data) const
{
    frames_in_memory moved = data;
    moved.samples = static_cast<const char*>(data.samples) +
                    frame * data.hop * d_problem.input_item_bytes();
    moved.bins = static_cast<char*>(data.bins) +
                 frame * data.distance * d_problem.output_item_bytes();
    return moved;
}

template <class T>
std::string general_plan<T>::describe() const
{
    std::ostringstream text;
    text << "cpu: fftw(" << general_transform_text(d_problem) << "), "
         << d_pool->threads() << (d_pool->threads() == 1 ? " thread" : " threads")
         << ", load " << general_load_text(d_problem);
    if (d_problem.effective_hop() != d_problem.input_span())
        text << " hop(" << d_problem.effective_hop() << ")";
    text << ", store " << general_store_text(d_problem);
    return text.str();
}

template class general_plan<float>;
template class general_plan<double>;

} // namespace gpufft
} // namespace gr
