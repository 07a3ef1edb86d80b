// SPDX-License-Identifier: GPL-3.0-or-later
//
// The layout of a row with a density: see problem.

#ifndef INCLUDED_GPUFFT_DENSITY_ROW_H
#define INCLUDED_GPUFFT_DENSITY_ROW_H

#include <array>
#include <gnuradio/gpufft/problem.h>
#include <string>

namespace gr {
namespace gpufft {

// The detectors of a row's traces, the first problem::row_traces() of these.
inline std::array<detector_kind, 3> trace_detectors(const problem& what)
{
    return { what.detector, detector_kind::max, detector_kind::min };
}

// The first cell, after the traces.
inline std::size_t cells_begin(const problem& what)
{
    return what.row_traces() * what.row_bins();
}

// The first value of the current group in an unfinished row's state, after the cells.
inline std::size_t kept_begin(const problem& what)
{
    return what.joined_values() + what.density.cells();
}

// The values after the cells: first bin, bins, low, high.
inline std::array<float, 4> density_facts(const problem& what)
{
    return { float(what.density.first),
             float(what.counted_bins()),
             float(what.density.low),
             float(what.density.high) };
}

// Columns that have bins.
inline std::size_t columns_in_use(const problem& what)
{
    return what.density.columns < what.counted_bins() ? what.density.columns
                                                      : what.counted_bins();
}

// "density of bins 0 ... 4095 in 1024 columns x 128 levels, -120 ... 0 dB"
std::string describe_density(const problem& what);

} // namespace gpufft
} // namespace gr

#endif
