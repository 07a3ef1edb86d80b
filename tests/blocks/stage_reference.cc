// SPDX-License-Identifier: GPL-3.0-or-later
//
// Rows of a stream, their deviations, and their tags.

#include "stage_reference.h"
#include "reference_dft.h"
#include "reference_formats.h"
#include <algorithm>
#include <cmath>
#include <cstring>
#include <spdlog/fmt/fmt.h>

namespace gr {
namespace gpufft {

namespace {

double norm_of(const spectrum& values)
{
    long double squares = 0;
    for (const auto& value : values)
        squares += std::norm(value);
    return std::sqrt(static_cast<double>(squares));
}

// The most that the transform amplifies a frame by (L2).
double amplification(const problem& what)
{
    const double n = what.n, bins = what.row_bins();
    switch (what.kind) {
    case transform_kind::c2c:
    case transform_kind::r2c:
        return std::sqrt(n);
    case transform_kind::c2r: // each bin but the first and the last counts twice
        return std::sqrt(2 * n);
    case transform_kind::zoom: {
        const double step = std::abs(what.f_stop - what.f_start) / bins;
        return std::sqrt(std::min(n * bins, step > 0 ? 2 * (n + 1 / step) : n * bins));
    }
    default: // cosines and sines, of twice the amplitude
        return 2 * std::sqrt(n + 1);
    }
}

// That for the kernels; cosines and sines of type 1 are transforms of n - 1 and n + 1.
double error_factor(problem what)
{
    if (what.kind == transform_kind::dct1)
        --what.n;
    if (what.kind == transform_kind::dst1)
        ++what.n;
    return kernel_error_factor(what);
}

// Of the frame's samples, weighted.
double
norm_of_points(const problem& what, const char* frame, const std::vector<float>& window)
{
    long double squares = 0;
    for (std::size_t m = 0; m < what.frame_samples(); ++m)
        squares += std::norm(sample_at(what.input, frame, m) *
                             (window.empty() ? 1.0L : window[m]));
    return std::sqrt(static_cast<double>(squares));
}

} // namespace

deviation_sums::deviation_sums(const stream_data& stream) : d_errors(stream.errors)
{
    if (stream.errors.empty())
        return;
    d_squares.push_back(0);
    for (double error : stream.errors) {
        d_squares.push_back(d_squares.back() + error * error);
        d_largest = std::max(d_largest, error);
    }
}

double deviation_sums::over(std::size_t begin, std::size_t end) const
{
    constexpr double LEAST_PART = 1e-9; // of a sum, that rounding leaves in a difference
    if (d_errors.empty())
        return 0;
    double squares = d_squares[end] - d_squares[begin];
    if (squares < LEAST_PART * d_squares[end]) {
        squares = 0;
        for (std::size_t i = begin; i < end; ++i)
            squares += double(d_errors[i]) * d_errors[i];
    }
    return std::sqrt(squares);
}

void expected_floats::add(double value, double error)
{
    add_measured(value, error + EPSILON * std::abs(value));
}

void expected_floats::add_measured(double value, double error)
{
    d_values.push_back(static_cast<float>(value));
    d_errors.push_back(static_cast<float>(error));
}

std::vector<double> shares_of_error(const spectrum& row, double error)
{
    const double norm = norm_of(row), even = 1.0 / static_cast<double>(row.size());
    std::vector<double> shares;
    for (const auto& value : row) {
        const double part = norm > 0 ? static_cast<double>(std::abs(value)) / norm : 0;
        shares.push_back(error * std::sqrt((even + part * part) / 2));
    }
    return shares;
}

void expected_floats::add_row(const spectrum& row, double error, bool is_real)
{
    const std::vector<double> shares = shares_of_error(row, error);
    for (std::size_t k = 0; k < row.size(); ++k) {
        const double own = is_real ? shares[k] : shares[k] * std::sqrt(0.5);
        add(static_cast<double>(row[k].real()), own);
        if (!is_real)
            add(static_cast<double>(row[k].imag()), own);
    }
}

stream_data expected_floats::stream(std::size_t item_bytes, value_kind kind) const
{
    stream_data result;
    result.item_bytes = item_bytes;
    result.kind = kind;
    result.errors = d_errors;
    result.items.resize(d_values.size() * sizeof(float));
    if (!d_values.empty())
        std::memcpy(result.items.data(), d_values.data(), result.items.size());
    return result;
}

frame_bins transform_frame(const stream_data& input,
                           const deviation_sums& sums,
                           const problem& what,
                           const std::vector<float>& window,
                           std::size_t sample)
{
    const std::size_t bytes = what.input_item_bytes();
    const std::size_t end = sample + what.frame_samples();
    const char* frame = input.items.data() + sample * bytes;
    frame_bins result;
    result.bins =
        reference_frame(what, reinterpret_cast<const std::uint8_t*>(frame), window);
    problem unscaled = what; // its bound is of the bins
    unscaled.output = output_kind::complex;
    unscaled.scale = 1;
    double most = 1; // of the window
    for (float tap : window)
        most = std::max<double>(most, std::abs(tap));
    const double noise = std::sqrt(what.row_bins()) * norm_of_points(what, frame, window);
    result.error =
        error_bound(unscaled, error_factor(what)) *
            std::max(norm_of(result.bins), noise) +
        amplification(what) * most *
            sums.over(sample * bytes / sizeof(float), end * bytes / sizeof(float));
    return result;
}

stream_data transform(const stream_data& input,
                      const problem& what,
                      const std::vector<float>& window,
                      const frame_grid& frames,
                      std::size_t items_per_row)
{
    const deviation_sums sums(input);
    const std::size_t samples =
        input.items.size() / what.input_item_bytes(); // vectors are samples in a row
    expected_floats rows;
    for (std::size_t f = 0; f < frames.count(samples); ++f) {
        frame_bins row =
            transform_frame(input, sums, what, window, frames.lead + f * frames.hop);
        for (auto& value : row.bins)
            value *= what.scale;
        rows.add_row(row.bins, row.error * what.scale, what.output == output_kind::real);
    }
    stream_data result = rows.stream(
        what.row_bins() * what.output_item_bytes() / items_per_row, value_kind::linear);
    for (const tag_mark& tag : input.tags)
        result.tags.push_back({ frames.of_sample(tag.offset) * items_per_row, tag.id });
    result.truncate(result.count());
    return result;
}

void set_block(stage& to,
               const gr::basic_block_sptr& block,
               bool reads_card,
               bool writes_card)
{
    to.block = block;
    to.ours = { std::dynamic_pointer_cast<engine_block>(block) };
    const bool is_on_card = to.ours.front()->engine() == "cuda";
    to.reads_card = reads_card && is_on_card;
    to.writes_card = writes_card && is_on_card;
}

std::string text_of(const stage_options& how)
{
    if (how.engine == "cpu")
        return fmt::format("cpu, threads: {}", how.threads);
    return fmt::format("device {}, {}", fmt::join(how.devices, "+"), how.on_error);
}

} // namespace gpufft
} // namespace gr
