// SPDX-License-Identifier: GPL-3.0-or-later
//
// FIR filters by overlap-save.

#ifndef INCLUDED_GPUFFT_FILTER_H
#define INCLUDED_GPUFFT_FILTER_H

#include "planner/algorithm.h"
#include <complex>

namespace gr {
namespace gpufft {

algorithm filter_algorithm();

// Outputs of a part of `length` samples of the stream.
inline std::size_t outputs_of_part(const problem& what, std::size_t length)
{
    return (length - what.n) / what.effective_hop() + 1;
}

// Whether two parts of real samples have one complex forward transform, though rows are
// complex: in banks of filters.
bool pairs_parts(const problem& what);

// The load step of parts that begin `step` samples apart.
std::string filter_load_text(const problem& what, std::size_t step);

// For describe(): the decimation, and how much of it is done by folding the spectrum; ""
// if all outputs are wanted.
std::string decimation_text(std::size_t decimation, std::size_t folded);

// The same for a recipe; "" if it is not a filter's.
std::string decimation_text(const problem& what, const recipe& how);

// The window's taps as the filter of a cyclic convolution of `length` points: tap k is at
// time k - (taps - 1), so that output j of a part is at time j hop.
std::vector<std::complex<double>>
cyclic_filter(const problem& what, const std::vector<double>& window, std::size_t length);

} // namespace gpufft
} // namespace gr

#endif
