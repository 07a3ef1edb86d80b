// SPDX-License-Identifier: GPL-3.0-or-later
//
// The reference in double precision, as plain as problem.h states it.

#include "reference_dft.h"

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <fftw3.h>
#include <mutex>
#include <ostream>
#include <random>

namespace gr {
namespace gpufft {

namespace {

std::mutex planner_mutex; // FFTW plans in one thread at a time

std::complex<double>
sample_at(const problem& what, const std::uint8_t* samples, std::size_t i)
{
    switch (what.input) {
    case sample_format::cf32:
        return reinterpret_cast<const std::complex<float>*>(samples)[i];
    case sample_format::f32:
        return reinterpret_cast<const float*>(samples)[i];
    case sample_format::cs16: {
        const auto* parts = reinterpret_cast<const std::int16_t*>(samples) + 2 * i;
        return { parts[0] / 32768.0, parts[1] / 32768.0 };
    }
    case sample_format::cs8: {
        const auto* parts = reinterpret_cast<const std::int8_t*>(samples) + 2 * i;
        return { parts[0] / 128.0, parts[1] / 128.0 };
    }
    }
    return 0;
}

spectrum dft(const spectrum& input, direction dir)
{
    spectrum output(input.size());
    auto* in =
        reinterpret_cast<fftw_complex*>(const_cast<std::complex<double>*>(input.data()));
    auto* out = reinterpret_cast<fftw_complex*>(output.data());
    fftw_plan plan;
    {
        std::lock_guard<std::mutex> lock(planner_mutex);
        plan = fftw_plan_dft_1d(int(input.size()),
                                in,
                                out,
                                dir == direction::forward ? FFTW_FORWARD : FFTW_BACKWARD,
                                FFTW_ESTIMATE);
    }
    fftw_execute(plan);
    std::lock_guard<std::mutex> lock(planner_mutex);
    fftw_destroy_plan(plan);
    return output;
}

// The value of bin k in row r, as a spectrum holds it.
std::complex<double>
stored_value(const problem& what, const void* rows, std::size_t r, std::size_t k)
{
    const std::size_t i = r * what.n + k;
    if (what.is_power())
        return static_cast<const float*>(rows)[i];
    return static_cast<const std::complex<float>*>(rows)[i];
}

} // namespace

std::vector<std::uint8_t>
random_samples(const problem& what, std::size_t samples, unsigned seed)
{
    std::mt19937 generator(seed);
    std::vector<std::uint8_t> bytes(samples * what.input_item_bytes());
    if (what.input == sample_format::cs16 || what.input == sample_format::cs8) {
        for (std::uint8_t& byte : bytes)
            byte = std::uint8_t(generator());
        return bytes;
    }
    std::uniform_real_distribution<float> uniform(-1, 1);
    auto* floats = reinterpret_cast<float*>(bytes.data());
    std::generate(floats, floats + bytes.size() / 4, [&] { return uniform(generator); });
    return bytes;
}

std::vector<float> random_window(std::size_t n, unsigned seed)
{
    std::mt19937 generator(seed);
    std::uniform_real_distribution<float> uniform(0.5, 1.5);
    std::vector<float> window(n);
    std::generate(window.begin(), window.end(), [&] { return uniform(generator); });
    return window;
}

spectrum reference_frame(const problem& what,
                         const std::uint8_t* frame,
                         const std::vector<float>& window)
{
    const std::size_t n = what.n, half = n / 2;
    spectrum y(n);
    for (std::size_t m = 0; m < n; ++m) {
        const std::size_t i = what.shift_input ? (m + half) % n : m;
        y[m] = sample_at(what, frame, i) * (what.window ? double(window[i]) : 1.0);
    }
    const spectrum x = dft(y, what.dir);
    if (!what.shift_output)
        return x;
    spectrum shifted(n);
    for (std::size_t k = 0; k < n; ++k)
        shifted[(k + half) % n] = x[k];
    return shifted;
}

std::vector<spectrum> reference_rows(const problem& what,
                                     const std::vector<std::uint8_t>& input,
                                     const std::vector<float>& window,
                                     std::size_t frames)
{
    std::vector<spectrum> rows;
    std::vector<double> sum(what.n), smoothed;
    for (std::size_t f = 0; f < frames; ++f) {
        const std::size_t start = f * what.effective_hop() * what.input_item_bytes();
        spectrum x = reference_frame(what, input.data() + start, window);
        if (!what.is_power()) {
            for (auto& value : x)
                value *= what.scale;
            rows.push_back(x);
            continue;
        }
        for (std::size_t k = 0; k < what.n; ++k)
            sum[k] += std::norm(x[k]);
        if ((f + 1) % what.average != 0)
            continue;
        spectrum row(what.n);
        const bool first = smoothed.empty();
        smoothed.resize(what.n);
        for (std::size_t k = 0; k < what.n; ++k) {
            const double mean = what.scale * sum[k] / double(what.average);
            smoothed[k] =
                first ? mean : smoothed[k] + what.smoothing * (mean - smoothed[k]);
            row[k] = what.output == output_kind::power
                         ? smoothed[k]
                         : 10 * std::log10(std::max(smoothed[k], double(FLT_MIN)));
        }
        rows.push_back(row);
        std::fill(sum.begin(), sum.end(), 0.0);
    }
    return rows;
}

double relative_error(const problem& what,
                      const void* actual,
                      const std::vector<spectrum>& expected)
{
    double difference = 0, total = 0;
    for (std::size_t r = 0; r < expected.size(); ++r) {
        for (std::size_t k = 0; k < what.n; ++k) {
            std::complex<double> a = stored_value(what, actual, r, k), e = expected[r][k];
            if (what.output == output_kind::decibel) {
                a = std::pow(10, a.real() / 10);
                e = std::pow(10, e.real() / 10);
            }
            difference += std::norm(a - e);
            total += std::norm(e);
        }
    }
    return total == 0 ? std::sqrt(difference) : std::sqrt(difference / total);
}

double error_bound(const problem& what, double factor)
{
    const double epsilon = std::ldexp(1.0, -24);
    double bound = factor * std::sqrt(std::max(1.0, std::log2(double(what.n))));
    bound += what.window + (what.scale != 1.0);
    if (what.is_power())
        bound = 2 * (bound + 1);
    if (what.output == output_kind::decibel)
        bound += 16 * std::log(10) / 10; // 1 ulp of values up to 128 is 2^-17
    return bound * epsilon;
}

double kernel_error_factor(const problem& what)
{
    std::size_t rest = what.n;
    for (std::size_t prime : { 2, 3, 5, 7, 11, 13 })
        while (rest % prime == 0)
            rest /= prime;
    const bool is_convolution = rest > 1 || what.algorithm == "rader" ||
                                what.algorithm.rfind("bluestein", 0) == 0;
    return is_convolution ? 1.6 : 1.0;
}

void PrintTo(const problem& what, std::ostream* stream) { *stream << what.to_string(); }

} // namespace gpufft
} // namespace gr
