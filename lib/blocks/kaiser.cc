// SPDX-License-Identifier: GPL-3.0-or-later
//
// The modified Bessel function I0 without its exponential growth: its power series
// (Abramowitz and Stegun 9.6.12), and its asymptotic one (9.7.1) for large arguments.

#include "kaiser.h"

#include <algorithm>
#include <cmath>

namespace gr {
namespace gpufft {

namespace {

// From here on 17 terms of the asymptotic series reach a double's precision.
constexpr double LARGE = 40;
constexpr double PRECISION = 1e-17;

// exp(-x) I0(x)
double scaled_bessel(double x)
{
    const bool is_large = x >= LARGE;
    double term = 1, sum = 1;
    for (int k = 1; term > PRECISION * sum; ++k) {
        const double odd = 2 * k - 1;
        term *= is_large ? odd * odd / (8 * k) / x : x * x / (4.0 * k * k);
        sum += term;
    }
    return is_large ? sum / std::sqrt(2 * std::acos(-1.0) * x) : std::exp(-x) * sum;
}

} // namespace

kaiser::kaiser(double beta) : d_beta(beta), d_divisor(scaled_bessel(beta)) {}

double kaiser::operator()(double x) const
{
    const double root = std::sqrt(std::max((1 - x) * (1 + x), 0.0));
    // beta (root - 1), without the cancellation of the difference
    const double growth = -d_beta * (x * x / (1 + root));
    return std::exp(growth) * scaled_bessel(d_beta * root) / d_divisor;
}

} // namespace gpufft
} // namespace gr
