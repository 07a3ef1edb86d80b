// SPDX-License-Identifier: GPL-3.0-or-later
//
// Rows that are means over frames, or another detector's result, with threads. Frames are
// cut into parts: the groups of problem/frame_groups.h, or pieces of them at the ends of a
// call. Threads share the parts of a wave to transform and sum them, then the bins to add
// the parts to the running rows.

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

    // Allocates memory for the problem's rows and this many threads; keeps the running
    // row.
    void allocate(const problem& what, std::size_t threads);
    bool is_allocated() const { return !d_power.empty(); }

    // Forgets the running row and the smoothing.
    void reset();

    // The next row starts the smoothing or the hold.
    void reset_smoothing() { d_is_smoothing = false; }

    // For saving and restoring the running row and the smoothing: the traces (only the
    // first is smoothed) and the density.
    std::size_t group() const { return d_group; } // frames, see problem/frame_groups.h
    row_average& mean(std::size_t trace = 0) { return d_traces[trace].average; }
    density_counts& density() { return d_density; }
    bool is_smoothing() const { return d_is_smoothing; }
    void set_smoothing(bool is_smoothing) { d_is_smoothing = is_smoothing; }

    // Adds `frames` frames to a row that has frames_in_row, and writes finished rows to
    // `output`.
    void execute(const problem& what,
                 const char* input,
                 float* output,
                 std::size_t frames,
                 std::size_t frames_in_row,
                 thread_pool& pool);

private:
    struct part {
        std::size_t first_frame, frames;
        bool goes_on; // continues a group that an earlier call left
        bool ends_group;
        bool ends_row;
        bool is_first; // no earlier row counts in the row that ends here
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

    // One of a row's values per bin, see problem::row_traces().
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
    std::vector<part> d_wave;                   // the current parts, in order
    aligned_buffer<double> d_squares;           // a row for each part, for kurtosis
    std::vector<aligned_buffer<float>> d_power; // a row for each thread
};

} // namespace gpufft
} // namespace gr

#endif
