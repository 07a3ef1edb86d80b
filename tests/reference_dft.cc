// SPDX-License-Identifier: GPL-3.0-or-later
//
// The reference, as plain as problem.h states it: window, shifts, strides, means.

#include "reference_dft.h"
#include "reference_correlation.h"
#include "reference_formats.h"

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <ostream>
#include <random>

namespace gr {
namespace gpufft {

namespace {

typedef std::complex<long double> complex;

// The lengths of frames and rows: the last axis is halved on r2c's and c2r's complex
// side.
std::vector<std::size_t> halved_axes(const problem& what, transform_kind halving)
{
    std::vector<std::size_t> lengths = what.axes();
    if (what.kind == halving)
        lengths.back() = lengths.back() / 2 + 1;
    return lengths;
}

std::vector<std::size_t> row_axes(const problem& what)
{
    if (what.kind == transform_kind::zoom || what.kind == transform_kind::filter ||
        what.kind == transform_kind::synthesis || what.is_correlation() ||
        what.picks_bins())
        return { what.row_bins() };
    return halved_axes(what, transform_kind::r2c);
}

// Distance in memory of point i in C order.
std::size_t place_of(std::size_t i,
                     const std::vector<std::size_t>& lengths,
                     const std::vector<std::size_t>& strides)
{
    if (strides.empty())
        return i;
    std::size_t place = 0;
    for (std::size_t axis = lengths.size(); axis-- > 0; i /= lengths[axis])
        place += i % lengths[axis] * strides[axis];
    return place;
}

// Index in C order of the point that is floor(length / 2) further along every axis.
std::size_t shifted(std::size_t i, const std::vector<std::size_t>& lengths)
{
    std::size_t result = 0, stride = 1;
    for (std::size_t axis = lengths.size(); axis-- > 0;) {
        const std::size_t length = lengths[axis];
        result += (i + length / 2) % length * stride;
        stride *= length;
        i /= length;
    }
    return result;
}

} // namespace

std::vector<std::uint8_t>
random_samples(const problem& what, std::size_t samples, unsigned seed)
{
    std::mt19937 generator(seed);
    std::vector<std::uint8_t> bytes(what.input_bytes(samples));
    const auto fill = [&](auto zero, const auto& next) {
        auto* values = reinterpret_cast<decltype(zero)*>(bytes.data());
        std::generate(values, values + bytes.size() / sizeof(zero), next);
    };
    switch (what.input) {
    case sample_format::cf64:
    case sample_format::f64:
        fill(0.0,
             [&] { return std::uniform_real_distribution<double>(-1, 1)(generator); });
        break;
    case sample_format::cf32:
    case sample_format::f32:
        fill(0.0f,
             [&] { return std::uniform_real_distribution<float>(-1, 1)(generator); });
        break;
    case sample_format::cf16:
    case sample_format::f16: // all magnitudes below 1, and both signs
        fill(std::uint16_t(0), [&] {
            const unsigned bits = generator();
            return std::uint16_t((bits >> 16 & 0x8000) + bits % 0x3c00);
        });
        break;
    default:
        for (std::uint8_t& byte : bytes)
            byte = std::uint8_t(generator());
    }
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

// From those that count from the frame's first sample: X[k] exp(-+j 2 pi position k / n).
static void count_phases_from(std::size_t position, const problem& what, spectrum& x)
{
    const long double turn = 2 * std::acos(-1.0L) / (long double)what.n;
    const int sign = what.dir == direction::forward ? -1 : 1;
    for (std::size_t k = 0; k < x.size(); ++k) {
        const long double angle =
            sign * turn * (long double)(position % what.n * k % what.n);
        x[k] *= std::complex<long double>(std::cos(angle), std::sin(angle));
    }
}

// sum_m w_c[m] x[n-1-m] for every filter c; running ones do not turn
static spectrum
filtered(const problem& what, const std::uint8_t* frame, const std::vector<float>& window)
{
    const std::size_t numbers = what.n * (what.complex_taps ? 2 : 1);
    spectrum sums(what.row_bins());
    for (std::size_t c = 0; c < sums.size(); ++c) {
        const float* own = &window[c * numbers % window.size()];
        for (std::size_t m = 0; m < what.n; ++m)
            sums[c] += (what.complex_taps ? complex(own[2 * m], own[2 * m + 1])
                                          : complex(own[m])) *
                       sample_at(what.input, frame, what.n - 1 - m);
    }
    return sums;
}

// As problem.h says.
static spectrum synthesized(const problem& what,
                            const std::uint8_t* frame,
                            const std::vector<float>& window,
                            std::size_t position)
{
    problem inverse;
    inverse.n = what.n;
    inverse.dir = direction::inverse;
    const std::size_t samples = what.row_bins();
    spectrum y(samples);
    for (std::size_t p = 0; p < what.taps; ++p) {
        spectrum bins(what.n);
        for (std::size_t k = 0; k < what.n; ++k)
            bins[k] = sample_at(what.input, frame, (what.taps - 1 - p) * what.n + k);
        const spectrum points = reference_transform(inverse, bins);
        for (std::size_t i = 0; i < samples; ++i)
            y[i] += static_cast<long double>(window[i + p * samples]) *
                    points[(i + (position / what.n + what.taps - 1) * samples) % what.n];
    }
    return y;
}

spectrum reference_frame(const problem& what,
                         const std::uint8_t* frame,
                         const std::vector<float>& window,
                         std::size_t position)
{
    if (what.kind == transform_kind::filter)
        return filtered(what, frame, window);
    if (what.is_correlation())
        return correlated(what, frame, window);
    if (what.kind == transform_kind::synthesis)
        return synthesized(what, frame, window, position);
    const std::vector<std::size_t> samples = halved_axes(what, transform_kind::c2r);
    const std::vector<std::size_t> bins = row_axes(what);
    spectrum y(what.frame_samples() / what.taps);
    for (std::size_t m = 0; m < what.frame_samples(); ++m) {
        const std::size_t i = what.shift_input ? shifted(m, samples) : m;
        const std::size_t at =
            what.taps > 1 ? m : place_of(i, samples, what.input_strides);
        y[m % y.size()] += sample_at(what.input, frame, at) *
                           (what.window ? static_cast<long double>(window[i]) : 1.0L);
    }
    problem all = what;
    if (what.picks_bins())
        all.bins = 0;
    spectrum x = reference_transform(all, y);
    if (what.running)
        count_phases_from(position, what, x);
    x.resize(what.row_bins()); // picked ones are the first, before set_map()
    if (!what.shift_output)
        return x;
    spectrum moved(x.size());
    for (std::size_t k = 0; k < x.size(); ++k)
        moved[shifted(k, bins)] = x[k];
    return moved;
}

// What a row says of the powers of its frames.
static long double detected(const problem& what, const std::vector<long double>& powers)
{
    const long double frames = powers.size();
    long double sum = 0, squares = 0;
    for (long double power : powers) {
        sum += power;
        squares += power * power;
    }
    switch (what.detector) {
    case detector_kind::mean:
        return what.scale * sum / frames;
    case detector_kind::max:
        return what.scale * *std::max_element(powers.begin(), powers.end());
    case detector_kind::min:
        return what.scale * *std::min_element(powers.begin(), powers.end());
    case detector_kind::kurtosis:
        return (frames + 1) / (frames - 1) * (frames * squares / (sum * sum) - 1);
    }
    return NAN;
}

static long double kept(const problem& what, long double before, long double now)
{
    switch (what.hold) {
    case hold_kind::none:
        return before + what.smoothing * (now - before);
    case hold_kind::max:
        return std::max(before, now);
    case hold_kind::min:
        return std::min(before, now);
    }
    return NAN;
}

std::vector<spectrum> reference_rows(const problem& what,
                                     const std::vector<std::uint8_t>& input,
                                     const std::vector<float>& window,
                                     std::size_t frames)
{
    const std::size_t bins = what.row_bins();
    std::vector<spectrum> rows;
    std::vector<long double> smoothed;
    std::vector<std::vector<long double>> powers(bins); // of the frames of a row
    for (std::size_t f = 0; f < frames; ++f) {
        const std::size_t start = what.input_bytes(f * what.effective_hop());
        spectrum x =
            reference_frame(what, input.data() + start, window, f * what.effective_hop());
        if (!what.is_power()) {
            const bool has_peaks = what.is_correlation() && what.peaks != peak_rows::grid;
            for (std::size_t k = 0; k < x.size(); ++k) // of a peak only its power
                x[k] *= has_peaks && k % PEAK_NUMBERS < 4 ? 1.0 : what.scale;
            rows.push_back(x);
            continue;
        }
        for (std::size_t k = 0; k < bins; ++k)
            powers[k].push_back(std::norm(x[k]));
        if ((f + 1) % what.average != 0)
            continue;
        spectrum row(bins);
        const bool first = smoothed.empty();
        smoothed.resize(bins);
        for (std::size_t k = 0; k < bins; ++k) {
            const long double now = detected(what, powers[k]);
            powers[k].clear();
            smoothed[k] = first ? now : kept(what, smoothed[k], now);
            row[k] = what.output == output_kind::power
                         ? smoothed[k]
                         : 10 * std::log10(std::max<long double>(smoothed[k], FLT_MIN));
        }
        rows.push_back(row);
    }
    return rows;
}

double relative_error(const problem& what,
                      const void* actual,
                      const std::vector<spectrum>& expected)
{
    const std::vector<std::size_t> bins = row_axes(what);
    const std::size_t parts = what.output == output_kind::complex ? 2 : 1;
    long double difference = 0, total = 0;
    for (std::size_t r = 0; r < expected.size(); ++r) {
        const std::size_t start = r * what.effective_output_distance();
        for (std::size_t k = 0; k < what.row_bins(); ++k) {
            const std::size_t i =
                parts * (start + place_of(k, bins, what.output_strides));
            for (std::size_t part = 0; part < parts; ++part) {
                long double a =
                    number_at(what.stored, what.is_double(), actual, i + part);
                long double e = part == 0 ? expected[r][k].real() : expected[r][k].imag();
                long double d = excess(what.stored, a, e);
                if (what.output == output_kind::decibel) {
                    if (what.stored != number_format::working)
                        a = e + d; // rounding decibels explains the rest
                    a = std::pow(10, a / 10);
                    e = std::pow(10, e / 10);
                    d = std::abs(a - e);
                }
                difference += d * d;
                total += e * e;
            }
        }
    }
    return total == 0 ? std::sqrt(difference) : std::sqrt(difference / total);
}

std::pair<std::uint64_t, std::uint64_t>
saturated_range(const problem& what, const std::vector<spectrum>& expected)
{
    constexpr long double ERROR = 1e-4;
    std::pair<std::uint64_t, std::uint64_t> range = { 0, 0 };
    const auto count = [&](long double value) {
        const long double end = value < 0 ? -1 : largest(what.stored);
        const long double beyond = std::abs(value) - std::abs(end);
        range.first += beyond > step_of(what.stored) / 2 + ERROR;
        range.second += beyond > step_of(what.stored) / 2 - ERROR;
    };
    for (const spectrum& row : expected)
        for (const std::complex<long double>& value : row) {
            count(value.real());
            if (what.output == output_kind::complex)
                count(value.imag());
        }
    return range;
}

double error_bound(const problem& what, double factor)
{
    const double epsilon = std::ldexp(1.0, what.is_double() ? -53 : -24);
    const bool is_filter = what.kind == transform_kind::filter;
    const double points = // parts of a filter's stream are longer than the taps
        is_filter
            ? std::max(16.0 * double(what.n), 4096.0)
            : double(what.n + (what.kind == transform_kind::zoom ? what.row_bins() : 0)) *
                  (what.is_real_to_real() ? std::pow(4.0, double(what.axes().size()))
                                          : 1.0);
    double bound = factor * std::sqrt(std::max(1.0, std::log2(points)));
    bound += what.window + (what.scale != 1.0) + what.orthogonal +
             std::sqrt(double(what.taps - 1)); // additions
    if (what.is_correlation())                 // two transforms
        bound *= 2;
    if (what.is_power() || what.is_correlation())
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
    const bool is_convolution = rest > 1 || what.kind == transform_kind::zoom ||
                                what.kind == transform_kind::filter ||
                                what.algorithm == "rader" ||
                                what.algorithm.rfind("bluestein", 0) == 0;
    return is_convolution ? 1.6 : 1.0;
}

void PrintTo(const problem& what, std::ostream* stream) { *stream << what.to_string(); }

} // namespace gpufft
} // namespace gr
