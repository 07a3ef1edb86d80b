// SPDX-License-Identifier: GPL-3.0-or-later
//
// Bluestein's algorithm, fused into the one kernel of kernels/bluestein.cuh while a frame
// fits a block, else through global memory (bluestein_levels.cc).

#include "bluestein.h"
#include "bluestein_levels.h"
#include "convolution.h"
#include "double_fft.h"
#include "number_theory.h"

#include <algorithm>
#include <cmath>

namespace gr {
namespace gpufft {

namespace {

constexpr std::size_t CANDIDATES = 16;
constexpr int MAX_PRIME = 13;           // of the convolution's length
constexpr double MAX_STRETCH = 1.3;     // of the convolution's length over N
constexpr std::size_t MAX_LENGTHS = 24; // tried
constexpr convolution_work WORK = { 4, 7, 30, 0 };

// Longest frame of one block.
std::size_t longest_fused(const device_traits& card) { return card.shared_bytes / 17; }
constexpr std::size_t LONGEST = MAX_FFT_SIZE / 2; // the convolution is twice as long

std::string obstacle(const problem& what, const device_traits&)
{
    if (what.n < 2 || what.n > LONGEST)
        return "FFT size is " + std::to_string(what.n) +
               ", but Bluestein's algorithm is for 2 ... " + std::to_string(LONGEST);
    return "";
}

// exp(-pi j m^2 / n), m = 0 ... n-1, with m^2 mod 2n in integers.
std::vector<std::complex<double>> exact_chirp(long n)
{
    std::vector<std::complex<double>> chirp;
    for (long m = 0; m < n; ++m)
        chirp.push_back(root_of_unity(m * m % (2 * n), 2 * n));
    return chirp;
}

// The same with the angle in single precision.
std::vector<std::complex<double>> inexact_chirp(long n)
{
    std::vector<std::complex<double>> chirp;
    for (long m = 0; m < n; ++m) {
        const float angle = float(M_PI) * float(m) * float(m) / float(n);
        chirp.emplace_back(std::cos(angle), -std::sin(angle));
    }
    return chirp;
}

convolution_use use_of(std::size_t n)
{
    convolution_use use;
    use.samples = int(n);
    use.linear = true;
    return use;
}

std::vector<recipe>
candidates_named(const char* name, const problem& what, const device_traits& card)
{
    if (what.n > longest_fused(card))
        return bluestein_levels_candidates(name, what, card);
    std::vector<std::pair<double, recipe>> found;
    std::uint64_t length = std::max<std::uint64_t>(4, what.n);
    for (std::size_t i = 0; i < MAX_LENGTHS; ++i, ++length) {
        length = next_smooth(length, MAX_PRIME);
        if (i > 3 && double(length) > MAX_STRETCH * double(what.n))
            break;
        for (const stockham_shape& shape : convolution_candidates(
                 int(length), what, use_of(what.n), WORK, card, CANDIDATES)) {
            recipe how;
            how.algorithm = name;
            how.n = what.n;
            how.shapes = { shape };
            found.emplace_back(
                convolution_cost(shape,
                                 what,
                                 WORK,
                                 1.0,
                                 std::size_t(length + what.n) * 8 * shape.transforms),
                how);
        }
    }
    std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) {
        return a.first < b.first;
    });
    std::vector<recipe> recipes;
    for (std::size_t i = 0; i < std::min(found.size(), CANDIDATES); ++i)
        recipes.push_back(found[i].second);
    return recipes;
}

std::vector<recipe> candidates(const problem& what, const device_traits& card)
{
    return candidates_named("bluestein", what, card);
}

std::vector<recipe> inexact_candidates(const problem& what, const device_traits& card)
{
    return candidates_named("bluestein-inexact", what, card);
}

double cost(const problem& what, const recipe& how, const device_traits&)
{
    if (how.shapes.size() > 1)
        return bluestein_levels_cost(what, how);
    const convolution_shape shape = make_convolution(how.shape(), use_of(what.n));
    return convolution_cost(
        how.shape(), what, WORK, shape.conflicts, shape.shared_bytes());
}

// c[m], c[m] v^m, c[m] v^-m with v = exp(-pi j / length).
std::vector<std::complex<float>>
chirp_table(const std::vector<std::complex<double>>& chirp, long length)
{
    std::vector<std::complex<float>> table;
    for (int power : { 0, 1, -1 }) {
        for (long m = 0; m < long(chirp.size()); ++m) {
            const long turn = power * m + (power < 0 ? 2 * length : 0);
            table.emplace_back(chirp[m] * root_of_unity(turn % (2 * length), 2 * length));
        }
    }
    return table;
}

// Spectra of the filter conj(c), of its even bins and of its odd ones.
std::vector<std::complex<float>> spectra(const std::vector<std::complex<double>>& chirp,
                                         const std::vector<int>& radices,
                                         long length)
{
    std::vector<std::complex<double>> even(length), odd(length);
    for (long m = 0; m < long(chirp.size()); ++m) {
        const std::complex<double> value = std::conj(chirp[m]);
        even[m] += value;
        odd[m] += value * root_of_unity(m, 2 * length);
        if (m > 0) { // at 2 length - m
            even[length - m] += value;
            odd[length - m] -= value * root_of_unity(length - m, 2 * length);
        }
    }
    const double scale = 0.5 / double(length);
    std::vector<std::complex<float>> table =
        convolution_spectrum(radices, true, even, scale);
    for (const std::complex<float>& value :
         convolution_spectrum(radices, true, odd, scale))
        table.push_back(value);
    return table;
}

program build_with(const problem& what,
                   const recipe& how,
                   const std::vector<std::complex<double>>& chirp)
{
    if (how.shapes.size() > 1)
        return bluestein_levels_program(what, how, chirp);
    const convolution_shape shape = make_convolution(how.shape(), use_of(what.n));
    program made;
    launch_step step;
    step.kernel.header = "bluestein.cuh";
    step.kernel.expression = "bluestein_kernel<" + shape.to_text() + ", " +
                             std::to_string(what.n) + ", " + load_text(what) + ", " +
                             store_text(what) + ">";
    step.kernel.block_threads = shape.block_threads();
    step.kernel.frames_per_block = shape.frames;
    step.kernel.shared_bytes = shape.shared_bytes();
    step.twiddles = made.add(convolution_twiddles(shape.radices, true));
    step.chirp = made.add(chirp_table(chirp, shape.length));
    step.spectrum = made.add(spectra(chirp, shape.radices, shape.length));
    made.steps.push_back(step);
    return made;
}

program build(const problem& what, const recipe& how)
{
    return build_with(what, how, exact_chirp(long(what.n)));
}

program build_inexact(const problem& what, const recipe& how)
{
    return build_with(what, how, inexact_chirp(long(what.n)));
}

} // namespace

algorithm bluestein_algorithm()
{
    return { "bluestein", obstacle, candidates, cost, build, true, 1.5 };
}

algorithm bluestein_inexact_algorithm()
{
    return {
        "bluestein-inexact", obstacle, inexact_candidates, cost, build_inexact, false
    };
}

} // namespace gpufft
} // namespace gr
