// SPDX-License-Identifier: GPL-3.0-or-later
//
// Correlations with templates at several frequency shifts: see
// kernels/filters/correlation.cuh.

#ifndef INCLUDED_GPUFFT_CORRELATION_H
#define INCLUDED_GPUFFT_CORRELATION_H

#include "planner/algorithm.h"

namespace gr {
namespace gpufft {

algorithm correlation_algorithm();

// The frequency shifts of a correlation in bins of 1 / n: `bin` whole ones, 0 ... n-1,
// and fractions[fraction] of one; without whole bins the fraction is all of them. Shifts
// with the same fraction follow one another.
struct shift_places {
    struct place {
        std::size_t shift, fraction, bin;
    };
    std::vector<place> places;
    std::vector<long double> fractions; // 0 <= fraction < 1, or < n

    explicit shift_places(const problem& what, bool has_whole_bins = true);

    // turns[fraction][m] = exp(-2 pi j fraction m / n) for the samples m of a block.
    std::vector<std::complex<long double>> turns(const problem& what) const;
    bool is_mixed() const { return fractions.size() > 1 || fractions.front() != 0; }
};

// The conjugate spectra of n points of the templates in the window, divided by n unless
// the problem has an expression for the product. With more points than a template has,
// samples are followed by zeros, and templates go on in front of their first sample.
std::vector<std::complex<double>>
template_spectra(const problem& what, std::size_t n, const std::vector<double>& window);

} // namespace gpufft
} // namespace gr

#endif
