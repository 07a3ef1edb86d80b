// SPDX-License-Identifier: GPL-3.0-or-later
//
// Stores bins as a row: scale, output shift, power, decibels, or picked bins. (The
// running mean over frames is row_average's job.)

#ifndef INCLUDED_GPUFFT_STORE_STEP_H
#define INCLUDED_GPUFFT_STORE_STEP_H

#include "rotation.h"
#include <complex>
#include <gnuradio/gpufft/problem.h>
#include <vector>

namespace gr {
namespace gpufft {

// values[k] = 10 log10(max(values[k], FLT_MIN)) to 1e-4 dB; NaN and infinity stay as they
// are.
void decibels(float* values, std::size_t count);

class store_step
{
public:
    // `is_shifted`: the bins are shifted already.
    store_step(const problem& what, bool is_shifted);

    // From now on rows have bin map[i] at place i; an empty map is all bins.
    void set_map(const std::vector<int>& map) { d_map = map; }

    // True if bins are stored as the transform makes them.
    bool is_identity(float scale) const;

    // A bin's place in the row.
    std::size_t place_of(std::size_t bin) const { return (bin + d_rotation) % d_n; }

    // Complex output: one row of the bins times scale. `row` must not overlap `bins`.
    void store_bins(const std::complex<float>* bins,
                    float scale,
                    std::complex<float>* row) const;

    // Power or decibel output: one row from one frame's bins.
    void store_power(const std::complex<float>* bins, float scale, float* row) const;

    // Power or decibel output: bins first ... last-1 of a row. compute(from, count,
    // target) is called for contiguous bins, to write their powers.
    template <class Compute>
    void store_range(std::size_t first,
                     std::size_t last,
                     float* row,
                     const Compute& compute) const
    {
        for_each_run(d_n,
                     d_rotation,
                     first,
                     last,
                     [&](std::size_t from, std::size_t to, std::size_t count) {
                         compute(from, count, row + to);
                         if (d_kind == output_kind::decibel)
                             decibels(row + to, count);
                     });
    }

private:
    output_kind d_kind;
    std::size_t d_n;
    std::size_t d_rotation; // of the bins, see for_each_run()
    std::vector<int> d_map;
};

} // namespace gpufft
} // namespace gr

#endif
