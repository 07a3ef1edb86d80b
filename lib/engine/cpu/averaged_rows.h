// SPDX-License-Identifier: GPL-3.0-or-later
//
// Rows that are means over frames, or what another detector takes of them, with threads.
// Frames are cut into parts, the groups of plan/frame_groups.h as far as they are there.
// A wave of parts is transformed and summed, the parts shared out among the threads; then
// the parts are added to the running rows, the bins shared out among the threads.

#ifndef INCLUDED_GPUFFT_AVERAGED_ROWS_H
#define INCLUDED_GPUFFT_AVERAGED_ROWS_H

#include "aligned_buffer.h"
#include "density_counts.h"
#include "frame_bins.h"
#include "row_average.h"
#include "store_step.h"
#include "thread_pool.h"
#include <gnuradio/gpufft/problem.h>
#include <vector>

namespace gr {
namespace gpufft {

class averaged_rows
{
public:
    averaged_rows(frame_bins& transform, const store_step& store)
        : d_transform(transform),
          d_store(store)
    {
    }

    // Memory for the problem's rows and for this many threads; keeps the running row.
    void allocate(const problem& what, std::size_t threads);
    bool is_allocated() const { return !d_power.empty(); }

    // Forgets the running row and the smoothing.
    void reset();

    // The next row starts the smoothing or the hold.
    void reset_smoothing() { d_is_smoothing = false; }

    // To save the running row and the smoothing, and to go on from what was saved: the
    // traces, of which the first one is smoothed, and the density.
    std::size_t group() const { return d_group; } // frames, see plan/frame_groups.h
    row_average& mean(std::size_t trace = 0) { return d_traces[trace].average; }
    density_counts& density() { return d_density; }
    bool is_smoothing() const { return d_is_smoothing; }
    void set_smoothing(bool is_smoothing) { d_is_smoothing = is_smoothing; }

    // Adds `frames` frames to a row that has frames_in_row, and writes the rows that
    // become full to `output`.
    void execute(const problem& what,
                 const char* input,
                 float* output,
                 std::size_t frames,
                 std::size_t frames_in_row,
                 thread_pool& pool);

private:
    struct part {
        std::size_t first_frame, frames;
        bool goes_on; // with a group that an earlier call left
        bool ends_group;
        bool ends_row;
        bool is_first; // the row that ends here: no earlier one counts
    };

    std::size_t plan_wave(const problem& what,
                          std::size_t first_frame,
                          std::size_t last_frame,
                          std::size_t frames_in_row);
    void take_kept(std::size_t n);
    void sum_parts(const problem& what,
                   const char* input,
                   std::size_t first,
                   std::size_t last,
                   std::size_t thread);
    void add_frame(const problem& what,
                   std::size_t index,
                   bool is_first,
                   const std::complex<float>* bins,
                   std::size_t thread);
    void
    finish_slice(const problem& what, float* output, std::size_t first, std::size_t last);
    void finish_trace(const problem& what,
                      std::size_t trace,
                      bool is_first,
                      float* output,
                      std::size_t first,
                      std::size_t last);
    void finish_density(const problem& what, float* row);

    // Of a row's values for each bin, see problem::row_traces().
    struct trace {
        detector_kind detector;
        row_average average;
        aligned_buffer<float> parts; // a row for each part

        float* part(std::size_t index, std::size_t n) { return parts.data() + index * n; }
    };

    void join(std::size_t index, const float* power, bool is_first, std::size_t n);
    double* squares_of(std::size_t index, std::size_t n)
    {
        return d_squares.size() == 0 ? nullptr : d_squares.data() + index * n;
    }

    frame_bins& d_transform;
    const store_step& d_store;
    std::vector<trace> d_traces;
    density_counts d_density;
    bool d_is_smoothing = false;                // earlier rows count in the next one
    std::size_t d_group = 1;                    // frames
    std::size_t d_most_parts = 0;               // in a wave
    std::vector<part> d_wave;                   // the parts of now, in their order
    aligned_buffer<double> d_squares;           // a row for each part, for kurtosis
    std::vector<aligned_buffer<float>> d_power; // a row for each thread
};

} // namespace gpufft
} // namespace gr

#endif
