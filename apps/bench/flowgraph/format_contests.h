// SPDX-License-Identifier: GPL-3.0-or-later
//
// The contest of sample formats.

#ifndef INCLUDED_GPUFFT_BENCH_FORMAT_CONTESTS_H
#define INCLUDED_GPUFFT_BENCH_FORMAT_CONTESTS_H

#include "contests.h"

namespace gr {
namespace gpufft {

// fft_vcc, channelizers to vectors and a filter from and to complex64, int16 and int8.
void run_formats(bench& with);

} // namespace gpufft
} // namespace gr

#endif
