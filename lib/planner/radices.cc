// SPDX-License-Identifier: GPL-3.0-or-later

#include "radices.h"
#include "number_theory.h"

#include <algorithm>

namespace gr {
namespace gpufft {

namespace {

constexpr int MAX_POINTS = 32; // of several butterflies together

int largest_prime_of(bool is_double)
{
    return is_double ? LARGEST_PRIME_OF_DOUBLES : LARGEST_PRIME;
}

} // namespace

int most_points(const std::vector<int>& radices)
{
    return std::max(MAX_POINTS, *std::max_element(radices.begin(), radices.end()));
}

bool is_smooth(std::size_t n, bool is_double)
{
    return n > 0 && is_smooth_to(n, largest_prime_of(is_double));
}

std::string radix_obstacle(const std::string& size, std::size_t n, bool is_double)
{
    return is_smooth(n, is_double)
               ? ""
               : size + " has a prime factor above " +
                     std::to_string(largest_prime_of(is_double)) + ", which no radix has";
}

} // namespace gpufft
} // namespace gr
