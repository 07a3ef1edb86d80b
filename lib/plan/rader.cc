// SPDX-License-Identifier: GPL-3.0-or-later
//
// Rader's algorithm, fused into the one kernel of kernels/rader.cuh.

#include "rader.h"
#include "convolution.h"
#include "double_fft.h"
#include "number_theory.h"

#include <algorithm>

namespace gr {
namespace gpufft {

namespace {

constexpr std::size_t CANDIDATES = 16;
constexpr convolution_work WORK = { 2, 6, 14, 1 };

// Samples that one block holds, with some padding.
std::size_t longest(const device_traits& card) { return card.shared_bytes / 9; }

std::string obstacle(const problem& what, const device_traits& card)
{
    const std::string size = "FFT size " + std::to_string(what.n);
    if (what.n < 3 || !is_prime(what.n))
        return size + " is not an odd prime, which Rader's algorithm needs";
    if (what.n > longest(card))
        return size + " does not fit the " + std::to_string(card.shared_bytes) +
               " bytes of shared memory of a block: at most " +
               std::to_string(longest(card));
    if (!is_smooth_to(what.n - 1, MAX_AXIS_PRIME))
        return size + " minus 1 has a prime factor above " +
               std::to_string(MAX_AXIS_PRIME) + ", which no radix has";
    return "";
}

// g^q mod n for q = 0 ... n-2.
std::vector<int> powers_of(std::uint64_t g, std::uint64_t n)
{
    std::vector<int> powers;
    std::uint64_t power = 1;
    for (std::uint64_t q = 0; q + 1 < n; ++q, power = power * g % n)
        powers.push_back(int(power));
    return powers;
}

// Sample of every point of the grid, then bin of every point.
std::vector<int> order_of(std::uint64_t n, const std::vector<int>& radices)
{
    const std::uint64_t root = primitive_root(n);
    const std::vector<long> times = times_of_points(radices, false);
    std::vector<int> order;
    for (std::uint64_t generator : { root, inverse_mod(root, n) }) {
        const std::vector<int> powers = powers_of(generator, n);
        for (long time : times)
            order.push_back(powers[time]);
    }
    return order;
}

convolution_use use_of(std::size_t n, const std::vector<int>& order)
{
    convolution_use use;
    use.samples = int(n);
    use.overlaid = true;
    use.order = order;
    return use;
}

std::vector<recipe> candidates(const problem& what, const device_traits& card)
{
    std::vector<recipe> found;
    for (const stockham_shape& shape : convolution_candidates(
             int(what.n) - 1, what, use_of(what.n, {}), WORK, card, CANDIDATES)) {
        recipe how;
        how.algorithm = "rader";
        how.n = what.n;
        how.shapes = { shape };
        found.push_back(how);
    }
    return found;
}

double cost(const problem& what, const recipe& how, const device_traits&)
{
    const convolution_shape shape = make_convolution(
        how.shape(), use_of(what.n, order_of(what.n, how.shape().radices)));
    return convolution_cost(
        how.shape(), what, WORK, shape.conflicts, shape.shared_bytes());
}

program build(const problem& what, const recipe& how)
{
    const std::uint64_t n = what.n;
    const std::vector<int>& radices = how.shape().radices;
    const std::vector<int> order = order_of(n, radices);
    const convolution_shape shape = make_convolution(how.shape(), use_of(what.n, order));

    std::vector<std::complex<double>> filter; // w^(g^-q)
    for (int power : powers_of(inverse_mod(primitive_root(n), n), n))
        filter.push_back(root_of_unity(power, long(n)));

    program made;
    launch_step step;
    step.kernel.header = "rader.cuh";
    step.kernel.expression = "rader_kernel<" + shape.to_text() + ", " + load_text(what) +
                             ", " + store_text(what) + ">";
    step.kernel.block_threads = shape.block_threads();
    step.kernel.frames_per_block = shape.frames;
    step.kernel.shared_bytes = shape.shared_bytes();
    step.order = made.add(order);
    step.twiddles = made.add(convolution_twiddles(radices, false));
    step.spectrum =
        made.add(convolution_spectrum(radices, false, filter, 1.0 / double(n - 1)));
    made.steps.push_back(step);
    return made;
}

} // namespace

algorithm rader_algorithm()
{
    return { "rader", obstacle, candidates, cost, build, true, 1.2 };
}

} // namespace gpufft
} // namespace gr
