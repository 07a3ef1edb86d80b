// SPDX-License-Identifier: GPL-3.0-or-later
//
// Stores bins as a row of powers: scale, output shift, decibels.

#ifndef INCLUDED_GPUFFT_POWER_STORE_H
#define INCLUDED_GPUFFT_POWER_STORE_H

#include "rotation.h"
#include <complex>
#include <gnuradio/gpufft/problem.h>

namespace gr {
namespace gpufft {

// values[k] = 10 log10(max(values[k], FLT_MIN)) to 1e-4 dB; NaN and infinity stay as they
// are.
void decibels(float* values, std::size_t count);

class power_store
{
public:
    // `is_shifted`: the bins are shifted already.
    power_store(const problem& what, bool is_shifted);

    // A bin's place in the row.
    std::size_t place_of(std::size_t bin) const { return (bin + d_rotation) % d_n; }

    // Stores one row from one frame's bins.
    void store(const std::complex<float>* bins, float scale, float* row) const;

    // Stores bins first ... last-1 of a row. compute(from, count, target) writes the
    // powers of contiguous bins.
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
    std::size_t d_rotation; // rotation of the bins, see for_each_run()
};

} // namespace gpufft
} // namespace gr

#endif
