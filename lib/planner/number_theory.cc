// SPDX-License-Identifier: GPL-3.0-or-later
//
// Trial division suffices: the numbers are transform lengths.

#include "number_theory.h"

namespace gr {
namespace gpufft {

std::uint64_t power_mod(std::uint64_t a, std::uint64_t e, std::uint64_t n)
{
    std::uint64_t result = 1 % n;
    for (a %= n; e > 0; e >>= 1) {
        if (e & 1)
            result = result * a % n;
        a = a * a % n;
    }
    return result;
}

std::uint64_t inverse_mod(std::uint64_t a, std::uint64_t n)
{
    std::int64_t r = std::int64_t(n), next_r = std::int64_t(a % n);
    std::int64_t x = 0, next_x = 1; // r = x a mod n (Euclid)
    while (next_r != 0) {
        const std::int64_t quotient = r / next_r;
        const std::int64_t old_r = r, old_x = x;
        r = next_r;
        next_r = old_r - quotient * next_r;
        x = next_x;
        next_x = old_x - quotient * next_x;
    }
    return std::uint64_t((x % std::int64_t(n) + std::int64_t(n)) % std::int64_t(n));
}

std::vector<std::uint64_t> prime_factors(std::uint64_t n)
{
    std::vector<std::uint64_t> factors;
    for (std::uint64_t p = 2; p * p <= n; ++p) {
        if (n % p != 0)
            continue;
        factors.push_back(p);
        while (n % p == 0)
            n /= p;
    }
    if (n > 1)
        factors.push_back(n);
    return factors;
}

bool is_prime(std::uint64_t n)
{
    return n > 1 && prime_factors(n) == std::vector<std::uint64_t>{ n };
}

std::uint64_t primitive_root(std::uint64_t prime)
{
    const std::vector<std::uint64_t> factors = prime_factors(prime - 1);
    for (std::uint64_t g = 1;; ++g) {
        bool generates = true;
        for (std::uint64_t p : factors)
            generates = generates && power_mod(g, (prime - 1) / p, prime) != 1;
        if (generates)
            return g;
    }
}

bool is_smooth_to(std::uint64_t n, std::uint64_t largest)
{
    for (std::uint64_t p = 2; p <= largest; ++p)
        while (n % p == 0)
            n /= p;
    return n == 1;
}

std::uint64_t next_smooth(std::uint64_t n, std::uint64_t largest)
{
    while (!is_smooth_to(n, largest))
        ++n;
    return n;
}

} // namespace gpufft
} // namespace gr
