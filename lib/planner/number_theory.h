// SPDX-License-Identifier: GPL-3.0-or-later
//
// The integers behind Rader's and Bluestein's algorithms. Everything is exact for numbers
// to 2^31.

#ifndef INCLUDED_GPUFFT_NUMBER_THEORY_H
#define INCLUDED_GPUFFT_NUMBER_THEORY_H

#include <cstdint>
#include <vector>

namespace gr {
namespace gpufft {

// a^e mod n, 0 < n < 2^32.
std::uint64_t power_mod(std::uint64_t a, std::uint64_t e, std::uint64_t n);

// x with a x = 1 mod n, for a prime to n. inverse_mod(a, 1) is 0.
std::uint64_t inverse_mod(std::uint64_t a, std::uint64_t n);

// The distinct prime factors of n >= 1, in rising order.
std::vector<std::uint64_t> prime_factors(std::uint64_t n);

bool is_prime(std::uint64_t n);

// Smallest primitive root of a prime.
std::uint64_t primitive_root(std::uint64_t prime);

// True if no prime factor of n is above `largest`.
bool is_smooth_to(std::uint64_t n, std::uint64_t largest);

// The smallest number >= n without a prime factor above `largest`.
std::uint64_t next_smooth(std::uint64_t n, std::uint64_t largest);

} // namespace gpufft
} // namespace gr

#endif
