// SPDX-License-Identifier: GPL-3.0-or-later
//
// Filters and polyphase banks by their defining sums in double precision: what comes out
// of a whole stream, with its tags and with what each float may deviate by. Filters that
// work by transforms of long parts of a stream deviate by as much as the part's loudest
// place asks for, wherever it is.

#ifndef INCLUDED_GPUFFT_FILTER_REFERENCE_H
#define INCLUDED_GPUFFT_FILTER_REFERENCE_H

#include "stages.h"
#include <complex>
#include <vector>

namespace gr {
namespace gpufft {

typedef std::vector<std::complex<double>> complex_taps;

// y[m] = sum_k h[k] x[m D - k], of complex or real samples.
stream_data filtered(const stream_data& input,
                     sample_format format,
                     const complex_taps& taps,
                     std::size_t decimation);

// Vectors of y_c[m] = sum_k h[k] x[m D - k] exp(-j 2 pi f_c (m D - k)).
stream_data filtered_channels(const stream_data& input,
                              sample_format format,
                              const complex_taps& taps,
                              std::size_t decimation,
                              const std::vector<double>& centers);

// Vectors of the channels of `map`, or of all M (of real samples 0 ... M / 2) if it is
// empty:
// X_c[f] = sum_k h[k] x[t - k] exp(-j 2 pi c (t - k + R + 1) / M), t = f R + R - 1.
stream_data channelized(const stream_data& input,
                        sample_format format,
                        const std::vector<float>& taps,
                        std::size_t channels,
                        std::size_t hop,
                        const std::vector<int>& map);

// Of vectors of M channels: y[t] = sum_f sum_c X_c[f] h[t - f R] exp(j 2 pi c (t + R) /
// M).
stream_data synthesized(const stream_data& input,
                        const std::vector<float>& taps,
                        std::size_t channels,
                        std::size_t hop);

} // namespace gpufft
} // namespace gr

#endif
