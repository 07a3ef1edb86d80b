// SPDX-License-Identifier: GPL-3.0-or-later
//
// The running mean over frames, or another detector's result, and its smoothing or hold:
// from parts of a row to the finished row. Sums are in double precision, so that a mean
// over 10^5 frames keeps single precision.

#ifndef INCLUDED_GPUFFT_ROW_AVERAGE_H
#define INCLUDED_GPUFFT_ROW_AVERAGE_H

#include "aligned_buffer.h"
#include <cstddef>
#include <gnuradio/gpufft/problem.h>

namespace gr {
namespace gpufft {

// joined[k] = the detector's result for joined[k] and power[k]: their sum, the larger or
// the smaller one.
void join_powers(detector_kind detector,
                 float* joined,
                 const float* power,
                 std::size_t count);

class row_average
{
public:
    // Allocates memory for rows of n bins.
    void allocate(std::size_t n, detector_kind detector);
    bool is_allocated() const { return d_sum.size() != 0; }

    // Forgets the unfinished row and the smoothing.
    void reset();

    // One bin of the unfinished row's sum, or of its squares (kurtosis): what add() has
    // joined and what keep() has kept. Also the bin in the previous row.
    struct joined {
        double closed, kept;
    };
    joined sum(std::size_t bin) const { return { d_sum[bin], d_kept[bin] }; }
    joined squares(std::size_t bin) const
    {
        return { d_squares[bin], d_kept_squares[bin] };
    }
    double smoothed(std::size_t bin) const { return d_smoothed.data()[bin]; }
    void restore_sum(std::size_t bin, const joined& sum, bool is_in_group);
    void restore_squares(std::size_t bin, const joined& sum, bool is_in_group);
    void restore_smoothed(std::size_t bin, double row) { d_smoothed.data()[bin] = row; }

    // Bins first ... last-1 of the unfinished row: joins a part's powers, and for the
    // kurtosis the sums of their squares (else null).
    void
    add(const float* part, const double* squares, std::size_t first, std::size_t last);

    // The same for an unfinished group (see frame_groups.h): keeps it apart.
    void
    keep(const float* part, const double* squares, std::size_t first, std::size_t last);

    // Writes what keep() has kept, to continue the group, and forgets it.
    void take_kept(float* part, double* squares);

    // How a row ends: value = the detector's result for `average` frames, then weight *
    // value + (1 - weight) * previous row, or the larger or smaller of the two.
    struct ending {
        double scale;
        double average;
        double weight; // of the value, without a hold
        hold_kind hold;
        bool is_first; // no previous row counts
    };

    // Finishes `count` bins of the row, from `first` on, and restarts them for the next
    // row.
    void finish(float* row, const ending& how, std::size_t first, std::size_t count);

private:
    detector_kind d_detector = detector_kind::mean;
    aligned_buffer<double> d_sum;
    aligned_buffer<double> d_squares; // kurtosis only
    aligned_buffer<double> d_smoothed;
    aligned_buffer<float> d_kept;
    aligned_buffer<double> d_kept_squares;
};

} // namespace gpufft
} // namespace gr

#endif
