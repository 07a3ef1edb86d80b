// SPDX-License-Identifier: GPL-3.0-or-later
//
// The sums.

#include "filter_reference.h"
#include "reference_dft.h"
#include "reference_formats.h"
#include "stage_reference.h"
#include <algorithm>
#include <cmath>

namespace gr {
namespace gpufft {

namespace {

typedef std::complex<double> complex;

std::vector<complex> samples_of(const stream_data& stream, sample_format format)
{
    problem what;
    what.input = format;
    std::vector<complex> samples(stream.items.size() / what.input_item_bytes() *
                                 what.samples_in_item());
    for (std::size_t i = 0; i < samples.size(); ++i)
        samples[i] = complex(sample_at(format, stream.items.data(), i));
    return samples;
}

std::size_t items_of(sample_format format, std::size_t samples)
{
    problem what;
    what.input = format;
    return what.input_items(samples);
}

double largest_of(const std::vector<complex>& samples)
{
    double largest = 0;
    for (const complex& each : samples)
        largest = std::max(largest, std::abs(each));
    return largest;
}

// exp(j 2 pi k / n) for k = 0 ... n-1.
std::vector<complex> roots_of_unity(std::size_t n)
{
    std::vector<complex> roots;
    for (std::size_t k = 0; k < n; ++k)
        roots.push_back(std::polar(1.0, 2 * std::acos(-1.0) * double(k) / double(n)));
    return roots;
}

// The most that the filter amplifies a tone by, on a grid that is fine enough.
double amplification(const complex_taps& taps)
{
    problem response;
    response.n = 4 * taps.size();
    spectrum points(taps.begin(), taps.end());
    points.resize(response.n);
    double most = 0;
    for (const auto& bin : reference_transform(response, points))
        most = std::max(most, static_cast<double>(std::abs(bin)));
    return 1.1 * most;
}

// What a float of a filter's stream may deviate by.
double deviation_of(const stream_data& input,
                    const std::vector<complex>& x,
                    const complex_taps& taps,
                    std::size_t decimation)
{
    problem what;
    what.kind = transform_kind::filter;
    what.n = taps.size();
    what.hop = decimation;
    return amplification(taps) *
           (error_bound(what, kernel_error_factor(what)) * largest_of(x) +
            deviation_sums(input).largest() * std::sqrt(2.0));
}

// The sum for the output at input sample `at`.
complex sum_at(const std::vector<complex>& x, const complex_taps& taps, std::size_t at)
{
    complex sum = 0;
    for (std::size_t k = 0; k < std::min(taps.size(), at + 1); ++k)
        sum += taps[k] * x[at - k];
    return sum;
}

void move_tags(const stream_data& from,
               std::size_t items_in,
               std::size_t items_out,
               stream_data& to)
{
    for (const tag_mark& tag : from.tags)
        to.tags.push_back({ tag.offset / items_in * items_out, tag.id });
    to.truncate(to.count());
}

double norm_of(const std::vector<double>& values)
{
    double squares = 0;
    for (double value : values)
        squares += value * value;
    return std::sqrt(squares);
}

// Each has arm arm_of[k] of several for tap k.
double norm_of_largest_arm(const std::vector<float>& taps, std::size_t arms)
{
    std::vector<double> squares(arms);
    for (std::size_t k = 0; k < taps.size(); ++k)
        squares[k % arms] += double(taps[k]) * taps[k];
    return std::sqrt(*std::max_element(squares.begin(), squares.end()));
}

double bank_bound(std::size_t channels, std::size_t taps, std::size_t arms)
{
    problem what;
    what.n = channels;
    what.taps = (taps + arms - 1) / arms;
    what.window = true;
    return error_bound(what, kernel_error_factor(what));
}

} // namespace

stream_data filtered(const stream_data& input,
                     sample_format format,
                     const complex_taps& taps,
                     std::size_t decimation)
{
    const bool is_real = !is_complex(format);
    const std::vector<complex> x = samples_of(input, format);
    const double error = deviation_of(input, x, taps, decimation);
    expected_floats values;
    for (std::size_t m = 0; m < x.size() / decimation; ++m) {
        const complex y = sum_at(x, taps, m * decimation);
        values.add(y.real(), error);
        if (!is_real)
            values.add(y.imag(), error);
    }
    stream_data result =
        values.stream(is_real ? sizeof(float) : sizeof(gr_complex), value_kind::linear);
    move_tags(input, items_of(format, decimation), 1, result);
    return result;
}

stream_data filtered_channels(const stream_data& input,
                              sample_format format,
                              const complex_taps& taps,
                              std::size_t decimation,
                              const std::vector<double>& centers)
{
    const std::vector<complex> x = samples_of(input, format);
    const double error = deviation_of(input, x, taps, decimation);
    std::vector<std::vector<complex>> moved;
    for (double center : centers) {
        moved.push_back(x);
        for (std::size_t t = 0; t < x.size(); ++t) {
            const long double turns = std::fmod(static_cast<long double>(center) * t, 1);
            moved.back()[t] *= complex(std::polar(1.0L, -2 * std::acos(-1.0L) * turns));
        }
    }
    expected_floats values;
    for (std::size_t m = 0; m < x.size() / decimation; ++m)
        for (const std::vector<complex>& each : moved) {
            const complex y = sum_at(each, taps, m * decimation);
            values.add(y.real(), error);
            values.add(y.imag(), error);
        }
    stream_data result =
        values.stream(centers.size() * sizeof(gr_complex), value_kind::linear);
    move_tags(input, items_of(format, decimation), 1, result);
    return result;
}

// All taps of one phase add up first; their sums have a transform of M points.
stream_data channelized(const stream_data& input,
                        sample_format format,
                        const std::vector<float>& taps,
                        std::size_t channels,
                        std::size_t hop,
                        const std::vector<int>& map)
{
    const std::vector<complex> x = samples_of(input, format);
    const std::vector<complex> roots = roots_of_unity(channels);
    const std::size_t hop_items =
        input.count() * hop / std::max<std::size_t>(x.size(), 1);
    const double bound = bank_bound(channels, taps.size(), channels);
    const double arm = norm_of_largest_arm(taps, channels);
    const deviation_sums sums(input);
    const std::size_t parts = is_complex(format) ? 2 : 1;
    const std::size_t bands = is_complex(format) ? channels : channels / 2 + 1;
    const std::size_t outputs = map.empty() ? bands : map.size();
    expected_floats values;
    for (std::size_t t = hop - 1; t < x.size(); t += hop) {
        std::vector<complex> phases(channels);
        std::vector<double> amplitudes(channels);
        const std::size_t count = std::min(taps.size(), t + 1);
        for (std::size_t k = 0; k < count; ++k) {
            const std::size_t phase = (t - k + hop + 1) % channels;
            phases[phase] += double(taps[k]) * x[t - k];
            amplitudes[phase] += std::abs(taps[k]) * std::abs(x[t - k]);
        }
        const double came = sums.over(parts * (t + 1 - count), parts * (t + 1));
        const double error =
            std::sqrt(double(channels)) * (bound * norm_of(amplitudes) + arm * came);
        spectrum row;
        for (std::size_t i = 0; i < outputs; ++i) {
            const std::size_t c = map.empty() ? i : std::size_t(map[i]);
            complex sum = 0;
            for (std::size_t phase = 0; phase < channels; ++phase)
                sum += phases[phase] * std::conj(roots[c * phase % channels]);
            row.push_back(sum);
        }
        values.add_row(row, error, false);
    }
    stream_data result = values.stream(outputs * sizeof(gr_complex), value_kind::linear);
    move_tags(input, std::max<std::size_t>(hop_items, 1), 1, result);
    return result;
}

stream_data synthesized(const stream_data& input,
                        const std::vector<float>& taps,
                        std::size_t channels,
                        std::size_t hop)
{
    const std::vector<complex> x = samples_of(input, sample_format::cf32);
    const std::vector<complex> roots = roots_of_unity(channels);
    const std::size_t rows = x.size() / channels;
    std::vector<complex> points(x.size()); // of each row: sum_c X_c exp(j 2 pi c i / M)
    for (std::size_t f = 0; f < rows; ++f)
        for (std::size_t i = 0; i < channels; ++i)
            for (std::size_t c = 0; c < channels; ++c)
                points[f * channels + i] += x[f * channels + c] * roots[c * i % channels];

    const double bound = bank_bound(channels, taps.size(), hop);
    const deviation_sums sums(input);
    const std::size_t arms = (taps.size() + hop - 1) / hop;
    expected_floats values;
    for (std::size_t row = 0; row < rows; ++row) {
        spectrum y(hop);
        std::vector<double> amplitudes(hop);
        double came = 0;
        for (std::size_t p = 0; p < std::min(arms, row + 1); ++p) {
            const std::size_t first = (row - p) * channels;
            double largest = 0;
            for (std::size_t i = 0; i < hop && i + p * hop < taps.size(); ++i) {
                const complex point = points[first + (row * hop + i + hop) % channels];
                const double tap = taps[i + p * hop];
                y[i] += tap * point;
                amplitudes[i] += std::abs(tap * point);
                largest = std::max(largest, std::abs(tap));
            }
            came += largest * sums.over(2 * first, 2 * (first + channels));
        }
        // What the transforms deviate by does not shrink with a row of few samples.
        double noise = 0;
        for (std::size_t p = 0; p < std::min(arms, row + 1); ++p)
            for (std::size_t i = 0; i < channels; ++i)
                noise += std::norm(points[(row - p) * channels + i]);
        noise = std::sqrt(noise * double(hop) / double(channels)) *
                norm_of_largest_arm(taps, hop);
        values.add_row(y,
                       bound * std::max(norm_of(amplitudes), noise) +
                           std::sqrt(double(channels)) * came,
                       false);
    }
    stream_data result = values.stream(sizeof(gr_complex), value_kind::linear);
    move_tags(input, 1, hop, result);
    return result;
}

} // namespace gpufft
} // namespace gr
