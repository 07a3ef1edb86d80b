// SPDX-License-Identifier: GPL-3.0-or-later
//
// Turns frames into rows of bins by a pass along each axis. The first pass loads, the
// last one stores. Between passes the points are in the rows themselves, or in scratch if
// rows cannot hold them.

#ifndef INCLUDED_GPUFFT_FRAME_TRANSFORM_H
#define INCLUDED_GPUFFT_FRAME_TRANSFORM_H

#include "axis_pass.h"
#include "bank_load.h"
#include <gnuradio/gpufft/problem.h>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace gr {
namespace gpufft {

// FFTW's part of a description, e.g. "fftw(c2c 256x256 axis by axis)".
std::string transform_text(const problem& what);

// T is float, or double for problems in double precision.
template <class T>
class frame_transform
{
public:
    // Problems with rows of powers get complex rows.
    explicit frame_transform(const problem& what);

    // True if these rows have the output shift. Only for powers, the store of the powers
    // may shift instead.
    bool shifts_output() const { return d_shifts_output; }

    // Makes scratch for threads 0 ... threads-1.
    void allocate(std::size_t threads);

    // Sets one tap for each sample of a frame.
    template <class Tap>
    void set_window(const std::vector<Tap>& taps);

    // For problems that pick bins: rows get bin map[i] at place i.
    void set_map(const std::vector<int>& map) { d_map = map; }

    // Integers of the rows so far that were beyond their range.
    std::uint64_t saturated() const { return d_saturated; }

    std::size_t passes() const { return d_passes.size(); }

    // Lines of one frame in a pass, and the fewest worth a task for another thread.
    std::size_t lines_per_frame(std::size_t pass) const
    {
        return d_passes[pass].lines_per_frame();
    }
    std::size_t lines_per_task(std::size_t pass) const
    {
        return d_passes[pass].lines_per_task();
    }

    // Frames that a thread takes through all passes together; 1 unless frames are short.
    std::size_t frames_per_block() const { return d_frames_per_block; }

    // Computes frames in one thread. Rows may lie where their frames do.
    void run(const frames_in_memory& data,
             std::size_t frames,
             double scale,
             std::size_t thread);

    // Computes lines first ... last-1 of a pass over one frame, or over all frames if
    // there is only one pass. Any thread may compute any lines, after prepare_lines() and
    // all lines of the previous pass.
    void prepare_lines(const frames_in_memory& data);
    void run_lines(std::size_t pass,
                   const frames_in_memory& data,
                   std::size_t first,
                   std::size_t last,
                   double scale,
                   std::size_t thread);

    // Limit of frames for bins_of(), 1 unless they are very short, and the fewest frames
    // worth a task for another thread.
    std::size_t group() const { return d_group; }
    std::size_t frames_per_task() const;

    // Computes up to group() frames into this thread's own memory, row after row.
    const std::complex<T>*
    bins_of(const void* samples, std::size_t hop, std::size_t frames, std::size_t thread);

private:
    typedef std::vector<axis_pass<T>> pass_list;
    pass_list make_passes(const std::vector<std::size_t>& middle_strides);
    pass_steps steps_of(std::size_t pass,
                        std::size_t axis,
                        const std::vector<std::size_t>& middle_strides);
    std::size_t group_for(const pass_steps& steps) const;
    std::shared_ptr<const line_plans<T>> plans_for(const pass_steps& steps);
    const pass_list& passes_for(const frames_in_memory& data) const;
    void run_pass(std::size_t pass,
                  const frames_in_memory& data,
                  const aligned_buffer<T>& middle,
                  std::size_t first,
                  std::size_t last,
                  double scale,
                  std::size_t thread);

    problem d_what;
    bool d_is_plain;   // see is_plain()
    bool d_alternates; // the window shifts the output
    bool d_shifts_output;
    std::vector<std::size_t> d_frame_lengths, d_row_lengths; // samples, bins
    std::vector<std::size_t> d_middle_lengths;               // lengths between passes
    std::size_t d_row_points, d_middle_points;               // products of these
    std::size_t d_middle_parts;                              // real values of a point
    std::size_t d_frames_per_block;
    std::unique_ptr<bank_load> d_bank; // null unless a polyphase bank
    std::vector<int> d_map;
    saturation_count d_saturated{ 0 };
    std::map<std::pair<transform_kind, std::size_t>, std::shared_ptr<const line_plans<T>>>
        d_plans;                            // plans of lines, by kind and length
    pass_list d_passes;                     // passes with points between them in d_middle
    pass_list d_row_passes;                 // with these points in the rows; or none
    std::size_t d_group;                    // frames
    aligned_buffer<T> d_taps;               // empty if there is no window
    std::vector<pass_scratch<T>> d_scratch; // one for each thread
    std::vector<aligned_buffer<T>> d_middle; // points of each thread's block of frames
    std::vector<aligned_buffer<T>> d_bins;   // bins of each thread's group of frames
};

} // namespace gpufft
} // namespace gr

#endif
