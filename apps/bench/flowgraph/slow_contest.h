// SPDX-License-Identifier: GPL-3.0-or-later
//
// The contest of slow streams.

#ifndef INCLUDED_GPUFFT_BENCH_SLOW_CONTEST_H
#define INCLUDED_GPUFFT_BENCH_SLOW_CONTEST_H

#include "contests.h"

namespace gr {
namespace gpufft {

void run_slow(bench& with);

} // namespace gpufft
} // namespace gr

#endif
