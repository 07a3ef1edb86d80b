// SPDX-License-Identifier: GPL-3.0-or-later
//
// Rows that are means over frames, or another detector's result, in several threads.
// Frames are cut into parts: the groups of problem/frame_groups.h, or pieces of groups at
// the ends of a call. Threads share the parts of a wave to transform and sum them, then
// the bins to add the parts to the running rows.

#ifndef INCLUDED_GPUFFT_AVERAGED_ROWS_H
#define INCLUDED_GPUFFT_AVERAGED_ROWS_H

#include "aligned_buffer.h"
#include "density_counts.h"
#include "frame_transform.h"
#include "power_store.h"
#include "row_trace.h"
#include "thread_pool.h"
#include <gnuradio/gpufft/problem.h>
#include <vector>

namespace gr {
namespace gpufft {

class averaged_rows
{
public:
    // `now` is the problem with its current run-time values.
    averaged_rows(const problem& now,
                  frame_transform<float>& transform,
                  const power_store& store)
        : d_now(now),
          d_n(now.row_bins()),
          d_transform(transform),
          d_store(store)
    {
    }

    // Allocates memory for the problem's rows and this many threads; keeps the running
    // row.
    void allocate(std::size_t threads);
    bool is_allocated() const { return !d_power.empty(); }

    // Forgets the running row and the smoothing.
    void reset();

    // The next row starts the smoothing or the hold.
    void reset_smoothing() { d_is_smoothing = false; }

    // Save and restore the running row, which has frames_in_row frames, and the smoothing
    // in the form of plan::mean_state. save() returns whether the next row depends on a
    // previous one; if not, restore() takes null for `smoothed`.
    bool save(double* sums, float* smoothed, std::size_t frames_in_row) const;
    void restore(const double* sums, const float* smoothed, std::size_t frames_in_row);

    // Adds `frames` frames to a row that has frames_in_row, and writes finished rows to
    // `output`.
    void execute(const char* input,
                 float* output,
                 std::size_t frames,
                 std::size_t frames_in_row,
                 thread_pool& pool);

private:
    struct part {
        std::size_t first_frame, frames;
        bool goes_on; // continues a group that an earlier call began
        bool ends_group;
        bool ends_row;
        bool is_first; // the row that ends here depends on no earlier row
    };

    std::size_t
    plan_wave(std::size_t first_frame, std::size_t last_frame, std::size_t frames_in_row);
    void
    sum_parts(const char* input, std::size_t first, std::size_t last, std::size_t thread);
    void add_frame(std::size_t index,
                   bool is_first,
                   const std::complex<float>* bins,
                   std::size_t thread);
    void finish_slice(float* output, std::size_t first, std::size_t last);
    void finish_trace(std::size_t trace,
                      bool is_first,
                      float* output,
                      std::size_t first,
                      std::size_t last);
    void finish_density(float* row);

    const problem& d_now;
    const std::size_t d_n; // bins of a row
    frame_transform<float>& d_transform;
    const power_store& d_store;
    std::vector<row_trace> d_traces; // see problem::row_traces()
    density_counts d_density;
    bool d_is_smoothing = false;                // the next row depends on earlier ones
    std::size_t d_group = 1;                    // frames, see problem/frame_groups.h
    std::size_t d_most_parts = 0;               // limit of parts in a wave
    std::vector<part> d_wave;                   // the current parts, in order
    std::vector<aligned_buffer<float>> d_power; // a row for each thread
};

} // namespace gpufft
} // namespace gr

#endif
