// SPDX-License-Identifier: GPL-3.0-or-later
//
// Problems drawn at random: what users' lengths are like, for which nobody has measured
// recipes beforehand.

#ifndef INCLUDED_GPUFFT_BENCH_RANDOM_PROBLEMS_H
#define INCLUDED_GPUFFT_BENCH_RANDOM_PROBLEMS_H

#include "problem_lists.h"
#include <cstdint>
#include <vector>

namespace gr {
namespace gpufft {

// `rows` problems, each family in turn, the same ones for the same seed everywhere.
// Batches fill: n * batch is about `elements`, except in the family small_batches.
std::vector<bench_case>
random_problems(std::uint64_t seed, std::size_t rows, std::size_t elements);

} // namespace gpufft
} // namespace gr

#endif
