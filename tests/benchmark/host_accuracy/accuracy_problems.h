// SPDX-License-Identifier: GPL-3.0-or-later
//
// What host_accuracy computes: lengths from 1 to 65537, and primes for the chirp's index.

#ifndef INCLUDED_GPUFFT_ACCURACY_PROBLEMS_H
#define INCLUDED_GPUFFT_ACCURACY_PROBLEMS_H

#include <gnuradio/gpufft/problem.h>
#include <string>
#include <vector>

namespace gr {
namespace gpufft {

// Every length, then about twelve an octave to 4096, then some larger ones.
std::vector<std::size_t> accuracy_lengths();
std::vector<std::size_t> chirp_primes(); // the largest below each power of two

// One frame, or some where it is short.
problem accuracy_problem(std::size_t n, direction dir, const std::string& algorithm = "");

} // namespace gpufft
} // namespace gr

#endif
