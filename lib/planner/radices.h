// SPDX-License-Identifier: GPL-3.0-or-later
//
// The radices of passes, and the lengths that are products of them.

#ifndef INCLUDED_GPUFFT_RADICES_H
#define INCLUDED_GPUFFT_RADICES_H

#include <cstddef>
#include <string>
#include <vector>

namespace gr {
namespace gpufft {

// Radices of one pass, largest first. A butterfly of more than 32 points is a prime's:
// lengths with such a factor have no other pass.
constexpr int RADICES[] = { 61, 59, 53, 47, 43, 41, 37, 32, 31, 30, 29, 28, 27,
                            26, 25, 24, 23, 22, 21, 20, 19, 18, 17, 16, 15, 14,
                            13, 12, 11, 10, 9,  8,  7,  6,  5,  4,  3,  2 };

// The largest prime factor of a length in single precision; in double precision larger
// butterflies do not fit the registers.
constexpr int LARGEST_PRIME = 61, LARGEST_PRIME_OF_DOUBLES = 31;

// Complex values that a thread may hold if its radices are these: those of one butterfly
// in any case.
int most_points(const std::vector<int>& radices);

// True if n is a product of radices.
bool is_smooth(std::size_t n, bool is_double = false);

// Why a length, which `size` names, is no product of radices: "FFT size 134 has a prime
// factor above 61, which no radix has"; "" if it is one.
std::string
radix_obstacle(const std::string& size, std::size_t n, bool is_double = false);

} // namespace gpufft
} // namespace gr

#endif
