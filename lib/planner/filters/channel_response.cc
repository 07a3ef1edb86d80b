// SPDX-License-Identifier: GPL-3.0-or-later
//
// The estimate: transforms of L points cost L log2 L, the product with a response L
// points.

#include "channel_response.h"
#include "planner/cost_constants.h"
#include "planner/number_theory.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace gr {
namespace gpufft {

namespace {

constexpr double LEFT_OUT = 0x1p-54;     // share of a response's energy
constexpr int MAX_PRIME = 7;             // FFTW is fast up to this prime
constexpr std::size_t SHORTEST = 1024;   // parts; shorter ones are mostly overhead
constexpr std::size_t VECTOR = 4;        // points that SIMD code takes at a time
constexpr std::size_t MOST_STRETCH = 32; // length of a part, divided by the taps
using namespace fitted::cpu_channels;

double cost_of(double length, double points, double channels)
{
    const double beyond = std::max(0.0, std::log2(length / IN_CACHE));
    return length * (std::log2(length) + channels * PRODUCT) *
               (1 + BEYOND_CACHE * std::min(beyond, 4.0)) +
           channels * points * (std::log2(points) + STORE);
}

} // namespace

std::complex<double> turned_back(std::uint64_t phase)
{
    constexpr double turn = 6.283185307179586476925286766559;
    return std::polar(1.0, -turn * 0x1p-64 * double(static_cast<std::int64_t>(phase)));
}

std::vector<std::complex<double>> cyclic_channel(const problem& what,
                                                 const std::vector<double>& window,
                                                 std::size_t channel,
                                                 std::uint64_t step,
                                                 std::size_t length)
{
    const std::size_t first = what.running ? 0 : channel * what.n;
    std::vector<std::complex<double>> filter(length);
    for (std::size_t k = 0; k < what.n; ++k) {
        const std::size_t tap = first + k;
        filter[(length + k + 1 - what.n) % length] =
            (what.complex_taps
                 ? std::complex<double>(window[2 * tap], window[2 * tap + 1])
                 : std::complex<double>(window[tap])) *
            std::conj(turned_back(step * k));
    }
    return filter;
}

std::vector<std::size_t>
zones_that_matter(const std::vector<std::complex<double>>& response, std::size_t points)
{
    std::vector<double> energy(response.size() / points);
    for (std::size_t k = 0; k < response.size(); ++k)
        energy[k / points] += std::norm(response[k]);
    std::vector<std::size_t> zones(energy.size());
    std::iota(zones.begin(), zones.end(), 0);
    std::sort(zones.begin(), zones.end(), [&](std::size_t a, std::size_t b) {
        return energy[a] < energy[b];
    });
    double allowed = LEFT_OUT * std::accumulate(energy.begin(), energy.end(), 0.0);
    auto first = zones.begin();
    while (first + 1 != zones.end() && energy[*first] <= allowed)
        allowed -= energy[*first++];
    zones.erase(zones.begin(), first);
    std::sort(zones.begin(), zones.end());
    return zones;
}

std::size_t channel_length(const problem& what)
{
    const std::size_t hop = what.effective_hop();
    const double channels = double(what.row_bins());
    const std::size_t least = std::max(what.n + what.n / 8 + hop, SHORTEST);
    std::size_t best = 0;
    double least_cost = std::numeric_limits<double>::infinity();
    for (double wanted = double(least); wanted <= double(least * MOST_STRETCH);
         wanted *= 1.25) {
        const std::size_t points =
            VECTOR * next_smooth(std::size_t(wanted) / (VECTOR * hop) + 1, MAX_PRIME);
        const std::size_t length = hop * points;
        const double cost = cost_of(double(length), double(points), channels) /
                            double((length - what.n) / hop + 1);
        if (cost < least_cost) {
            least_cost = cost;
            best = length;
        }
    }
    return best;
}

} // namespace gpufft
} // namespace gr
