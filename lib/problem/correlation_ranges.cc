// SPDX-License-Identifier: GPL-3.0-or-later
//
// The ranges of the fields that only correlations have.

#include "range_check.h"

#include <algorithm>

namespace gr {
namespace gpufft {

using ranges::check;

// A correlation of complex samples in single precision has its templates in the window.
// Only it has shifts, delays, blocks and peaks.
void check_correlation(const problem& what)
{
    check(what.is_correlation() ||
              (what.shifts == 1 && what.delays == 0 && what.blocks == 1 &&
               what.peaks == peak_rows::templates),
          "kind",
          what.kind,
          "correlation where shifts, delays, blocks, best or grid are given");
    if (!what.is_correlation())
        return;
    check(!what.is_double(),
          "input of correlation",
          what.input,
          "complex in single precision");
    check(what.stored == number_format::working,
          "stored of correlation",
          what.stored,
          "working");
    check(what.window && !what.running && what.input_strides.empty() &&
              what.has_plain_rows(),
          "problem",
          what,
          "of one axis with a window, without running, strides and distance");
    const std::size_t templates = std::max<std::size_t>(what.bins, 1);
    check(templates <= MAX_FFT_SIZE / what.n,
          "bins of correlation",
          what.bins,
          "at most 2^30 / n = " + std::to_string(MAX_FFT_SIZE / what.n));
    check(what.shifts >= 1 && what.shifts <= MAX_SHIFTS &&
              what.shifts <= MAX_FFT_SIZE / templates,
          "shifts",
          what.shifts,
          "1 ... " + std::to_string(std::min(MAX_SHIFTS, MAX_FFT_SIZE / templates)));
    check(what.delays <= what.n,
          "delays",
          what.delays,
          "1 ... n = " + std::to_string(what.n));
    const std::size_t most = MAX_FFT_SIZE / what.n / what.taps;
    check(what.blocks >= 1 && what.blocks <= most,
          "blocks",
          what.blocks,
          "1 ... 2^30 / (n taps) = " + std::to_string(most));
}

} // namespace gpufft
} // namespace gr
