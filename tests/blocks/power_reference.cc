// SPDX-License-Identifier: GPL-3.0-or-later
//
// Detectors, averages, holds and densities of a stream's powers in double precision, with
// what each value may deviate by: a bin X that may by a has a power that may by 2 |X| a +
// a^2.

#include "stage_reference.h"
#include <algorithm>
#include <cfloat>
#include <cmath>

namespace gr {
namespace gpufft {

namespace {

struct estimate {
    double value = 0, error = 0;
};

typedef std::vector<estimate> estimates;

estimates powers_of(const frame_bins& frame)
{
    const std::vector<double> shares = shares_of_error(frame.bins, frame.error);
    estimates powers;
    for (std::size_t k = 0; k < shares.size(); ++k) {
        const double x = static_cast<double>(std::abs(frame.bins[k]));
        powers.push_back(
            { x * x, 2 * x * shares[k] + shares[k] * shares[k] + 2 * EPSILON * x * x });
    }
    return powers;
}

// (M + 1) / (M - 1) (M S2 / S1^2 - 1), by all of its derivatives. It lies in 0 ... M + 1.
estimate kurtosis_of(const estimates& frames)
{
    const double count = frames.size(), factor = (count + 1) / (count - 1);
    double sum = 0, squares = 0;
    for (const estimate& each : frames) {
        sum += each.value;
        squares += each.value * each.value;
    }
    if (sum == 0)
        return { 0, count + 1 };
    estimate result{ factor * (count * squares / (sum * sum) - 1), 0 };
    for (const estimate& each : frames)
        result.error += each.error * factor * count * 2 / (sum * sum) *
                        std::abs(each.value - squares / sum);
    result.error = std::min(result.error + 4 * EPSILON * factor * count, count + 1);
    return result;
}

// What a row says of one bin's powers.
estimate detected(const estimates& frames, detector_kind detector)
{
    if (detector == detector_kind::kurtosis)
        return kurtosis_of(frames);
    estimate result = frames.front();
    for (std::size_t i = 1; i < frames.size(); ++i) {
        const estimate& each = frames[i];
        if (detector == detector_kind::mean)
            result.value += each.value;
        else
            result.value = detector == detector_kind::max
                               ? std::max(result.value, each.value)
                               : std::min(result.value, each.value);
        result.error = detector == detector_kind::mean
                           ? result.error + each.error
                           : std::max(result.error, each.error);
    }
    const double count = detector == detector_kind::mean ? frames.size() : 1;
    return { result.value / count, result.error / count };
}

// What becomes of a row that follows another.
estimate kept(const problem& what, const estimate& before, const estimate& now)
{
    if (what.hold != hold_kind::none)
        return { what.hold == hold_kind::max ? std::max(before.value, now.value)
                                             : std::min(before.value, now.value),
                 std::max(before.error, now.error) };
    const double a = what.smoothing;
    const double value = (1 - a) * before.value + a * now.value;
    return { value,
             (1 - a) * before.error + a * now.error +
                 (a < 1 ? 2 * EPSILON * std::max(before.value, now.value) : 0) };
}

// Counts of a density. A power near the edge of a level may count on its other side.
class density_counts
{
public:
    explicit density_counts(const problem& what)
        : d_what(what),
          d_grid(what.density),
          d_counts(d_grid.cells())
    {
    }

    void count(const std::vector<estimates>& frames) // of all bins by their places
    {
        const std::size_t bins = d_what.counted_bins();
        const std::size_t columns = std::min(d_grid.columns, bins);
        for (std::size_t i = 0; i < bins; ++i) {
            std::size_t column = i * columns / bins;
            while (column + 1 < columns && (column + 1) * bins / columns <= i)
                ++column;
            for (const estimate& power : frames[d_grid.first + i])
                count(column, power);
        }
    }

    void give(expected_floats& to)
    {
        for (estimate& each : d_counts) {
            to.add(each.value, each.error);
            each = estimate();
        }
        for (double each : { double(d_grid.first),
                             double(d_what.counted_bins()),
                             d_grid.low,
                             d_grid.high })
            to.add(each, 0);
    }

private:
    std::size_t level(double power) const
    {
        const double db = 10 * std::log10(std::max<double>(power * d_what.scale, 1e-300));
        const double place =
            (db - d_grid.low) / (d_grid.high - d_grid.low) * d_grid.levels;
        return static_cast<std::size_t>(
            std::clamp(std::floor(place), 0.0, double(d_grid.levels - 1)));
    }

    void count(std::size_t column, const estimate& power)
    {
        constexpr double OF_DECIBELS = 1e-5; // of a power, for its logarithm is a float
        const double off = PEAK * power.error + OF_DECIBELS * power.value;
        const std::size_t least = level(power.value - off);
        const std::size_t most = level(power.value + off);
        estimate* const levels = &d_counts[column * d_grid.levels];
        levels[level(power.value)].value += 1;
        for (std::size_t i = least; most > least && i <= most; ++i)
            levels[i].error += 1;
    }

    const problem d_what;
    const density_grid d_grid;
    estimates d_counts;
};

// Row after row of a stream.
class power_row
{
public:
    power_row(const problem& what, bool from_silence)
        : d_what(what),
          d_powers(what.row_bins()),
          d_density(what)
    {
        if (from_silence)
            d_before.resize(what.row_bins());
    }

    void add(const frame_bins& frame)
    {
        const estimates powers = powers_of(frame);
        for (std::size_t k = 0; k < powers.size(); ++k)
            d_powers[k].push_back(powers[k]);
    }

    void give(expected_floats& to)
    {
        estimates row = trace(d_what.detector);
        if (!d_before.empty())
            for (std::size_t k = 0; k < row.size(); ++k)
                row[k] = kept(d_what, d_before[k], row[k]);
        d_before = row;
        give(row, to);
        if (d_what.has_density()) {
            give(trace(detector_kind::max), to);
            give(trace(detector_kind::min), to);
            d_density.count(d_powers);
            d_density.give(to);
            const std::size_t given = 3 * d_what.row_bins() + d_what.density.cells() + 4;
            for (std::size_t i = given; i < d_what.row_items(); ++i)
                to.add(0, 0);
        }
        for (estimates& each : d_powers)
            each.clear();
    }

private:
    estimates trace(detector_kind detector) const
    {
        estimates row;
        for (const estimates& frames : d_powers) {
            const estimate found = detected(frames, detector);
            const double scale = detector == detector_kind::kurtosis ? 1 : d_what.scale;
            row.push_back({ found.value * scale, found.error * scale });
        }
        return row;
    }

    void give(const estimates& row, expected_floats& to) const
    {
        for (const estimate& each : row) {
            if (d_what.output == output_kind::power) {
                to.add(each.value, each.error + EPSILON * each.value);
                continue;
            }
            // An ulp of values up to 512 is 2^-15; the deviation is the power's.
            const double power = std::max<double>(each.value, FLT_MIN);
            const double rounding = std::ldexp(std::log(10) / 10, -15);
            to.add_measured(10 * std::log10(power), each.error + rounding * power);
        }
    }

    const problem d_what;
    std::vector<estimates> d_powers; // of each bin, of the frames so far
    estimates d_before;              // the row; empty: there was none
    density_counts d_density;
};

} // namespace

stream_data power_rows(const stream_data& input,
                       const problem& what,
                       const std::vector<float>& window,
                       const frame_grid& frames,
                       std::size_t items_per_sample,
                       bool from_silence)
{
    const deviation_sums sums(input);
    const std::size_t samples = input.items.size() / what.input_item_bytes();
    expected_floats rows;
    power_row row(what, from_silence);
    for (std::size_t f = 0; f < frames.count(samples); ++f) {
        row.add(transform_frame(input, sums, what, window, frames.lead + f * frames.hop));
        if ((f + 1) % what.average == 0)
            row.give(rows);
    }
    stream_data result = rows.stream(
        what.row_items() * sizeof(float),
        what.output == output_kind::decibel ? value_kind::decibel : value_kind::linear);
    for (const tag_mark& tag : input.tags)
        result.tags.push_back(
            { frames.of_sample(tag.offset / items_per_sample) / what.average, tag.id });
    result.truncate(result.count());
    return result;
}

} // namespace gpufft
} // namespace gr
