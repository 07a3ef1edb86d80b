// SPDX-License-Identifier: GPL-3.0-or-later
//
// The contests of channelizers and filters.

#ifndef INCLUDED_GPUFFT_BENCH_FILTER_CONTESTS_H
#define INCLUDED_GPUFFT_BENCH_FILTER_CONTESTS_H

#include "contests.h"

namespace gr {
namespace gpufft {

// One stream of vectors of all channels, and a stream for each beside gr-filter's.
void run_channelizer(bench& with);
void run_channelizer_streams(bench& with);
void run_some_channels(bench& with);

// The other way, from a stream for each channel.
void run_synthesizer_streams(bench& with);

// fft_filter_ccc beside gr-filter's; N is the number of taps.
void run_fft_filter(bench& with);

} // namespace gpufft
} // namespace gr

#endif
