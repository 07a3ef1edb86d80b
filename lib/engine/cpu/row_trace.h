// SPDX-License-Identifier: GPL-3.0-or-later
//
// One value of each bin in rows of powers: the running mean over frames, or another
// detector's result, and its smoothing or hold. The frames of a group are joined in a
// part in single precision, the parts in double precision, so that a mean over 10^5
// frames keeps single precision.

#ifndef INCLUDED_GPUFFT_ROW_TRACE_H
#define INCLUDED_GPUFFT_ROW_TRACE_H

#include "aligned_buffer.h"
#include <cstddef>
#include <gnuradio/gpufft/problem.h>

namespace gr {
namespace gpufft {

class row_trace
{
public:
    // A trace for rows of n bins.
    row_trace(detector_kind detector, std::size_t n);

    // Allocates memory for parts 0 ... parts-1; keeps part 0.
    void allocate(std::size_t parts);

    // Forgets the unfinished row.
    void reset();

    // A part's n powers.
    float* part(std::size_t index) const { return d_parts.data() + index * d_n; }

    // Joins a frame's powers to a part. The first frame begins the part; its powers may
    // already be in the part's memory.
    void join(std::size_t index, const float* power, bool is_first);

    // add() joins bins first ... last-1 of a part to the unfinished row. keep() makes
    // them part 0 instead, which continues an unfinished group.
    void add(std::size_t index, std::size_t first, std::size_t last);
    void keep(std::size_t index, std::size_t first, std::size_t last);

    // How a row ends: value = the detector's result for `average` frames, then weight *
    // value + (1 - weight) * previous row, or the larger or smaller of the two.
    struct ending {
        double scale;
        double average;
        double weight; // weight of the value if there is no hold
        hold_kind hold;
        bool is_first; // the row depends on no previous row
    };

    // Finishes `count` bins of the row, from `first` on, and restarts them for the next
    // row.
    void finish(float* row, const ending& how, std::size_t first, std::size_t count);

    // One bin of the unfinished row: what add() has joined, and the part of an unfinished
    // group. squares(): the same for the powers' squares, for the kurtosis. smoothed():
    // the bin in the previous row.
    struct joined {
        double closed, kept;
    };
    joined sum(std::size_t bin, bool is_in_group) const;
    joined squares(std::size_t bin, bool is_in_group) const;
    double smoothed(std::size_t bin) const { return d_smoothed[bin]; }
    void restore_sum(std::size_t bin, const joined& sum, bool is_in_group);
    void restore_squares(std::size_t bin, const joined& sum, bool is_in_group);
    void restore_smoothed(std::size_t bin, double row) { d_smoothed[bin] = row; }

private:
    bool has_squares() const { return d_squares.size() > 0; }

    detector_kind d_detector;
    std::size_t d_n;
    aligned_buffer<double> d_sum, d_smoothed;
    aligned_buffer<double> d_squares; // kurtosis only
    aligned_buffer<float> d_parts;
    aligned_buffer<double> d_part_squares; // kurtosis only
};

} // namespace gpufft
} // namespace gr

#endif
