// SPDX-License-Identifier: GPL-3.0-or-later
//
// The estimate: both transforms cost L log2 L, the steps around them L, and transforms
// that leave a core's cache cost more.

#include "filter_length.h"
#include "planner/cost_constants.h"
#include "planner/number_theory.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace gr {
namespace gpufft {

namespace {

constexpr int MAX_PRIME = 7;             // FFTW is fast up to this prime
constexpr std::size_t SHORTEST = 64;     // shorter ones are mostly overhead
constexpr std::size_t MOST_STRETCH = 32; // length of a part, divided by the taps
using namespace fitted::cpu_filter;

// Cost of a transform of L points and the steps around it.
double cost_of_transform(double length)
{
    const double beyond = std::max(0.0, std::log2(length / IN_CACHE));
    return OVERHEAD +
           length * (std::log2(length) + STEPS) * (1 + BEYOND_CACHE * beyond) *
               (length > MEASURED ? ESTIMATED : 1) *
               (std::exp2(std::round(std::log2(length))) != length ? OTHER_PRIMES : 1);
}

} // namespace

std::size_t filter_length(std::size_t taps, std::size_t decimation, std::size_t outputs)
{
    const std::size_t unit =
        is_smooth_to(decimation, MAX_PRIME) && decimation <= taps ? decimation : 1;
    const std::size_t least = std::max(taps + taps / 8 + decimation, SHORTEST);
    std::size_t best = 0;
    double least_cost = std::numeric_limits<double>::infinity();
    const auto consider = [&](std::size_t length) {
        const std::size_t inverse =
            folds(length, decimation) ? length / decimation : length;
        const std::size_t part = (length - taps) / decimation + 1;
        const double parts =
            outputs > part ? double(outputs) / double(part) : 1; // mean of many calls
        const double cost =
            (cost_of_transform(double(length)) + cost_of_transform(double(inverse))) *
            parts;
        if (cost < least_cost) {
            least_cost = cost;
            best = length;
        }
    };
    for (double wanted = double(least); wanted <= double(least * MOST_STRETCH);
         wanted *= 1.25) {
        // a multiple of 16 points for SIMD code
        const std::size_t units = std::size_t(wanted) / (16 * unit) + 1;
        consider(16 * unit * next_smooth(units, MAX_PRIME));
    }
    for (std::size_t length = 64; unit == 1 && length <= least * MOST_STRETCH;
         length *= 2)
        if (length >= least)
            consider(length);
    return best;
}

} // namespace gpufft
} // namespace gr
