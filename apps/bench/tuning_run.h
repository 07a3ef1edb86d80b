// SPDX-License-Identifier: GPL-3.0-or-later
//
// gpufft-bench --tune: which way to compute each problem is the fastest on this card.

#ifndef INCLUDED_GPUFFT_BENCH_TUNING_RUN_H
#define INCLUDED_GPUFFT_BENCH_TUNING_RUN_H

#include "problem_lists.h"

namespace gr {
namespace gpufft {

// Keeps the fastest recipe of every problem as wisdom, and prints its line, which can
// also ship with the library. What is not such a line begins with #: the times of all
// candidates if `shows_all`, problems that failed. Throws cuda_error if all failed.
void run_tuning(const std::vector<bench_case>& cases,
                int device,
                std::size_t candidates,
                bool shows_all);

} // namespace gpufft
} // namespace gr

#endif
