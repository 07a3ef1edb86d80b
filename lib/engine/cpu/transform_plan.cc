// SPDX-License-Identifier: GPL-3.0-or-later
//
// Divides frames and lines among threads.

#include "transform_plan.h"

namespace gr {
namespace gpufft {

namespace {

// Longer frames exceed one thread's caches; all threads then work on one frame.
constexpr std::size_t LONGEST_OF_ONE_THREAD = std::size_t(1) << 18;

} // namespace

template <class T>
transform_plan<T>::transform_plan(const problem& what, int threads)
    : cpu_plan(what),
      d_transform(what)
{
    d_transform.set_map(d_map);
    set_threads(threads);
}

template <class T>
void transform_plan<T>::do_execute(const void* input, void* output, std::size_t frames)
{
    const frames_in_memory data = { input,
                                    output,
                                    d_problem.effective_hop(),
                                    d_problem.effective_output_distance(),
                                    d_position };
    if (shares_out_frames(frames))
        execute_blocks(data, frames);
    else
        execute_lines(data, frames);
}

// True if threads share frames; else they share the lines of each pass.
template <class T>
bool transform_plan<T>::shares_out_frames(std::size_t frames) const
{
    if (d_transform.passes() == 1)
        return false;
    return threads() == 1 || (d_problem.n <= LONGEST_OF_ONE_THREAD &&
                              frames / d_transform.frames_per_block() >= threads());
}

template <class T>
void transform_plan<T>::execute_blocks(const frames_in_memory& data, std::size_t frames)
{
    share_evenly(frames,
                 d_transform.frames_per_block(),
                 [&](std::size_t first, std::size_t last, std::size_t thread) {
                     d_transform.run(
                         from_frame(first, data), last - first, d_problem.scale, thread);
                 });
}

// Runs the lines of all frames at once if there is one pass, else frame by frame.
template <class T>
void transform_plan<T>::execute_lines(const frames_in_memory& data, std::size_t frames)
{
    const std::size_t together = d_transform.passes() == 1 ? frames : 1;
    d_transform.prepare_lines(data);
    for (std::size_t frame = 0; frame < frames; frame += together) {
        const frames_in_memory now = from_frame(frame, data);
        for (std::size_t pass = 0; pass < d_transform.passes(); ++pass)
            share_out(together * d_transform.lines_per_frame(pass),
                      d_transform.lines_per_task(pass),
                      [&](std::size_t first, std::size_t last, std::size_t thread) {
                          d_transform.run_lines(
                              pass, now, first, last, d_problem.scale, thread);
                      });
    }
}

template <class T>
frames_in_memory transform_plan<T>::from_frame(std::size_t frame,
                                               const frames_in_memory& data) const
{
    frames_in_memory moved = data;
    moved.samples =
        static_cast<const char*>(data.samples) + d_problem.input_bytes(frame * data.hop);
    moved.bins = static_cast<char*>(data.bins) +
                 frame * data.distance * d_problem.output_item_bytes();
    return moved;
}

template class transform_plan<float>;
template class transform_plan<double>;

} // namespace gpufft
} // namespace gr
