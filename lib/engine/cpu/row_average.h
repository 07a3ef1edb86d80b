// SPDX-License-Identifier: GPL-3.0-or-later
//
// The running mean over frames and its exponential smoothing: from sums over parts of a
// row to the finished row. Sums are carried in double, so that a mean over 10^5 frames
// keeps single precision.

#ifndef INCLUDED_GPUFFT_ROW_AVERAGE_H
#define INCLUDED_GPUFFT_ROW_AVERAGE_H

#include "aligned_buffer.h"
#include <cstddef>

namespace gr {
namespace gpufft {

class row_average
{
public:
    // Memory for rows of n bins.
    void allocate(std::size_t n);
    bool is_allocated() const { return d_sum.size() != 0; }

    // Forgets the unfinished row and the smoothing.
    void reset();

    // One bin of the unfinished row and of the smoothed one.
    double sum(std::size_t bin) const { return d_sum.data()[bin]; }
    double smoothed(std::size_t bin) const { return d_smoothed.data()[bin]; }
    void restore(std::size_t bin, double sum, double smoothed)
    {
        d_sum.data()[bin] = sum;
        d_smoothed.data()[bin] = smoothed;
    }

    // Bins first ... last-1 of the unfinished row: adds a part's sum of powers.
    void add(const float* part, std::size_t first, std::size_t last);

    // `count` bins from `first` on of the unfinished row: it is finished, and
    // mean[i] = sum[first + i] factor weight + (1 - weight) mean of before. Weight 1
    // means that no earlier row counts. The next row begins at 0.
    void finish(float* mean,
                double factor,
                double weight,
                std::size_t first,
                std::size_t count);

private:
    aligned_buffer<double> d_sum;
    aligned_buffer<double> d_smoothed;
};

} // namespace gpufft
} // namespace gr

#endif
