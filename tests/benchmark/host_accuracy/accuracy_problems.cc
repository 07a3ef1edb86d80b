// SPDX-License-Identifier: GPL-3.0-or-later
//
// The lists.

#include "accuracy_problems.h"
#include <algorithm>

namespace gr {
namespace gpufft {

std::vector<std::size_t> accuracy_lengths()
{
    std::vector<std::size_t> lengths;
    for (std::size_t n = 1; n <= 4096; n += 1 + n / 17)
        lengths.push_back(n);
    for (std::size_t n : { 839,
                           1009,
                           1024,
                           4093,
                           4096,
                           8191,
                           8192,
                           10000,
                           10007,
                           16384,
                           20011,
                           32768,
                           48000,
                           65536,
                           65537 })
        lengths.push_back(n);
    std::sort(lengths.begin(), lengths.end());
    lengths.erase(std::unique(lengths.begin(), lengths.end()), lengths.end());
    return lengths;
}

std::vector<std::size_t> chirp_primes()
{
    return { 31, 61, 127, 251, 509, 1021, 2039, 4093, 8191, 16381, 32749, 65521, 131071 };
}

problem accuracy_problem(std::size_t n, direction dir, const std::string& algorithm)
{
    problem what;
    what.n = n;
    what.dir = dir;
    what.batch = std::max<std::size_t>(1, 2048 / n);
    what.algorithm = algorithm;
    return what;
}

} // namespace gpufft
} // namespace gr
