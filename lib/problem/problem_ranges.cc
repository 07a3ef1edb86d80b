// SPDX-License-Identifier: GPL-3.0-or-later
//
// The ranges of a problem's fields, and which fields go together.

#include "expression.h"
#include "range_check.h"

#include <algorithm>
#include <cmath>

namespace gr {
namespace gpufft {

using ranges::check;
using ranges::text_of;

namespace {

void check_algorithm(const std::string& name)
{
    const std::vector<std::string> names = algorithm_names();
    std::string list = "left out, or one of";
    for (const std::string& known : names)
        list += " " + known;
    check(name.empty() || std::count(names.begin(), names.end(), name) > 0,
          "algorithm",
          name,
          list);
}

// The range of n, or of the product of the axes.
void check_lengths(const problem& what)
{
    const std::vector<std::size_t>& lengths = what.lengths;
    check(lengths.size() <= MAX_AXES,
          "number of axes",
          lengths.size(),
          "at most " + std::to_string(MAX_AXES));
    const bool is_short =
        what.kind == transform_kind::zoom || what.kind == transform_kind::filter ||
        what.kind == transform_kind::synthesis || what.kind == transform_kind::function ||
        what.is_polyphase_bank();
    const std::size_t most = is_short ? MAX_FFT_SIZE : MAX_ARRAY_POINTS;
    const std::string range = is_short ? "2^30" : "2^34";
    check(what.n >= 1 && what.n <= most, "FFT size", what.n, "1 ... " + range);
    std::size_t product = 1;
    for (std::size_t length : lengths) {
        check(length >= 1 && length <= most / product,
              "length",
              length,
              "1 ... " + range + ", all lengths together at most " + range + " points");
        product *= length;
    }
    check(lengths.empty() || product == what.n,
          "n",
          what.n,
          "the product of the lengths, " + std::to_string(product));
    for (std::size_t length : what.axes())
        check(what.kind != transform_kind::dct1 || length >= 2,
              "length of dct1",
              length,
              ">= 2");
}

// The formats that a kind of transform reads and stores.
void check_formats(const problem& what)
{
    const bool is_filter = what.kind == transform_kind::filter;
    const bool from_real = reads_real(what.kind);
    const bool to_real = is_filter ? !is_complex(what.input) && !what.is_channel_bank()
                                   : stores_real(what.kind) || what.is_correlation();
    const std::string of_kind = std::string(" of ") + to_string(what.kind);
    check(!from_real || !is_complex(what.input),
          "input" + of_kind,
          what.input,
          "real: f32, f16, s16, s12, s10, s8 or f64");
    check(from_real || is_complex(what.input) || is_filter ||
              what.kind == transform_kind::c2c,
          "input" + of_kind,
          what.input,
          "complex: cf32, cs16, cs12, cs8, cf16 or cf64");
    check(what.samples_in_item() == 1 || is_filter ||
              (what.kind == transform_kind::r2c && what.lengths.size() < 2 &&
               what.input_strides.empty()),
          "input" + of_kind,
          what.input,
          "another format, or a filter or r2c of one axis without strides");
    check(what.effective_hop() % what.samples_in_item() == 0,
          std::string("hop with ") + to_string(what.input),
          what.effective_hop(),
          "a multiple of " + std::to_string(what.samples_in_item()) +
              ", the samples of an item of " + std::to_string(what.input_item_bytes()) +
              " bytes");
    check(to_real == (what.output == output_kind::real),
          "output" + of_kind,
          what.output,
          to_real ? "real" : "complex, power or decibel");
    check(!what.stores_integers() || !what.is_power(),
          "stored",
          what.stored,
          "working or f16 for powers and decibels");
    check(what.stored == number_format::working || !what.has_density(),
          "stored",
          what.stored,
          "working for rows with a density");
    check(what.stored == number_format::working || !what.is_double(),
          "stored",
          what.stored,
          "working for double precision");
    check(!what.is_power() || !what.is_double(),
          "output",
          what.output,
          "complex for double precision");
    check(!what.shift_input || what.kind == transform_kind::c2c ||
              what.kind == transform_kind::r2c,
          "kind",
          what.kind,
          "c2c or r2c for shift_input");
    check(!what.shift_output || what.kind == transform_kind::c2c ||
              what.kind == transform_kind::c2r,
          "kind",
          what.kind,
          "c2c or c2r for shift_output");
    check(!what.orthogonal || properties_of(what.kind).has_orthogonal_form(),
          "kind",
          what.kind,
          "a dct or dst of type 1, 2 or 3 to be orthogonal");
    check(!what.alone || is_real(what.kind),
          "kind",
          what.kind,
          "r2c, c2r, a dct or a dst, whose rows may share a transform, to be alone");
    check(what.dir == direction::forward || what.kind == transform_kind::c2c,
          "direction" + of_kind,
          what.dir,
          "forward: only c2c has both");
}

// The band of zoom; others have none.
void check_band(const problem& what)
{
    const bool is_zoom = what.kind == transform_kind::zoom;
    const bool has_band = is_zoom || what.is_correlation();
    const bool has_bins = has_band || what.kind == transform_kind::synthesis ||
                          what.kind == transform_kind::filter ||
                          what.kind == transform_kind::function ||
                          what.is_polyphase_bank();
    check(has_band ||
              ((has_bins || what.bins == 0) && what.f_start == 0.0 && what.f_stop == 1.0),
          "kind",
          what.kind,
          "zoom or correlation where bins, f_start or f_stop are given (or synthesis, "
          "filter, or c2c or r2c with taps or running, for bins)");
    if (!has_band)
        return;
    check(what.lengths.size() < 2,
          std::string("number of axes of ") + to_string(what.kind),
          what.lengths.size(),
          "1");
    const std::size_t bins = what.bins == 0 ? what.n : what.bins;
    check(!is_zoom || bins <= MAX_FFT_SIZE - what.n,
          "bins",
          bins,
          "1 ... 2^30 less the FFT size, " + std::to_string(what.n));
    check(std::abs(what.f_start) <= MAX_FREQUENCY,
          "f_start",
          what.f_start,
          "-2^20 ... 2^20 cycles per sample");
    check(std::abs(what.f_stop - what.f_start) <= 1.0,
          "f_stop",
          what.f_stop,
          "at most 1 cycle per sample from f_start, " + text_of(what.f_start));
}

// A filter of one axis in single precision has its taps in the window; others have
// none.
void check_filter(const problem& what)
{
    const bool is_filter = what.kind == transform_kind::filter;
    if (what.complex_taps)
        check(is_filter && (is_complex(what.input) || what.is_channel_bank()),
              "problem with complex_taps",
              what,
              "a filter of complex samples, or several or running ones");
    if (!is_filter)
        return;
    check(!what.is_double(), "input of filter", what.input, "in single precision");
    check(!what.is_power(), "output of filter", what.output, "complex or real");
    check(what.window && what.axes().size() == 1 && what.input_strides.empty() &&
              what.has_plain_rows(),
          "problem",
          what,
          "of one axis with a window, without strides and distance");
    check(what.effective_hop() <= what.n,
          "hop of filter",
          what.effective_hop(),
          "1 ... n = " + std::to_string(what.n) + "; fill taps up with zeros");
    check(what.bins <= MAX_FFT_SIZE / what.n,
          "bins of filter",
          what.bins,
          "at most 2^30 / n = " + std::to_string(MAX_FFT_SIZE / what.n));
}

// A synthesis of one axis in single precision has its taps in the window.
void check_synthesis(const problem& what)
{
    if (what.kind != transform_kind::synthesis)
        return;
    check(!what.is_double(),
          "input of synthesis",
          what.input,
          "complex in single precision");
    check(what.output == output_kind::complex,
          "output of synthesis",
          what.output,
          "complex");
    check(what.bins <= what.n,
          "bins of synthesis",
          what.bins,
          "at most n = " + std::to_string(what.n));
    check(what.window && !what.running && what.axes().size() == 1 &&
              what.input_strides.empty() && what.has_plain_rows(),
          "problem",
          what,
          "of one axis with a window, without running, strides and distance");
    check(what.effective_hop() == what.n,
          "hop of synthesis",
          what.effective_hop(),
          "n = " + std::to_string(what.n));
}

// Fields that only c2c of one axis has.
void check_polyphase_bank(const problem& what)
{
    check(what.taps == 1 || (what.taps >= 1 && what.taps <= MAX_FFT_SIZE / what.n),
          "taps",
          what.taps,
          "1 ... 2^30 / n = " + std::to_string(MAX_FFT_SIZE / what.n));
    if (!what.is_polyphase_bank())
        return;
    check(what.taps == 1 || what.window, "taps", what.taps, "1 without a window");
    check((what.kind == transform_kind::c2c || what.kind == transform_kind::r2c) &&
              what.lengths.empty() && !what.shift_input && what.input_strides.empty() &&
              what.has_plain_rows(),
          "problem with taps or running",
          what,
          "c2c or r2c of one axis, without shiftin, strides and distance");
    check(!what.is_double(),
          "input with taps or running",
          what.input,
          "in single precision");
    check(what.bins <= what.bank_channels(),
          "bins with taps or running",
          what.bins,
          what.kind == transform_kind::r2c
              ? "at most n / 2 + 1 = " + std::to_string(what.bank_channels())
              : "at most n = " + std::to_string(what.n));
    check(what.bins == 0 || (!what.is_power() && !what.shift_output),
          "problem with taps or running, and bins",
          what,
          "of complex output without shiftout");
    check(
        !what.running || !what.is_power(), "output with running", what.output, "complex");
    check(!what.running || what.effective_hop() <= what.frame_samples(),
          "hop with running",
          what.effective_hop(),
          "at most the samples of a frame, " + std::to_string(what.frame_samples()));
}

// Fields that only powers have.
void check_detector(const problem& what)
{
    check(what.is_power() || (what.average == 1 && !what.keeps_rows() &&
                              what.detector == detector_kind::mean),
          "output",
          what.output,
          "power or decibel with average, smoothing, a detector or a hold");
    if (what.detector != detector_kind::kurtosis)
        return;
    check(what.output == output_kind::power,
          "output with detector kurtosis",
          what.output,
          "power");
    check(what.average >= 2, "average with detector kurtosis", what.average, ">= 2");
}

void check_density(const problem& what)
{
    const density_grid& grid = what.density;
    if (!what.has_density())
        return;
    check(what.is_power(), "output with a density", what.output, "power or decibel");
    check(what.detector != detector_kind::kurtosis,
          "detector with a density",
          what.detector,
          "mean, max or min");
    check(grid.columns <= MAX_DENSITY_COLUMNS,
          "columns of the density",
          grid.columns,
          "1 ... " + std::to_string(MAX_DENSITY_COLUMNS));
    check(grid.levels >= 1 && grid.levels <= MAX_DENSITY_LEVELS,
          "levels of the density",
          grid.levels,
          "1 ... " + std::to_string(MAX_DENSITY_LEVELS));
    const std::size_t bins = what.row_bins();
    check(grid.first < bins,
          "first bin of the density",
          grid.first,
          "0 ... " + std::to_string(bins - 1));
    check(grid.bins == density_grid::TO_THE_END || grid.bins <= bins - grid.first,
          "bins of the density",
          grid.bins,
          "0 ... " + std::to_string(bins - grid.first));
    check(grid.low < grid.high && std::isfinite(grid.low) && std::isfinite(grid.high),
          "low of the density",
          grid.low,
          "below high, " + text_of(grid.high));
}

} // namespace

void problem::validate() const
{
    check_lengths(*this);
    check(batch >= 1, "batch", batch, ">= 1");
    check_formats(*this);
    check_band(*this);
    check_filter(*this);
    check_synthesis(*this);
    check_polyphase_bank(*this);
    check_correlation(*this);
    check_expressions(*this);
    check(average >= 1, "average", average, ">= 1");
    check(smoothing > 0.0 && smoothing <= 1.0, "smoothing", smoothing, "> 0 and <= 1");
    check(std::isfinite(scale), "scale", scale, "a finite number");
    check(is_double() || std::isfinite(static_cast<float>(scale)),
          "scale",
          scale,
          "a finite number in single precision");
    check(scale >= 0 || output != output_kind::decibel,
          "scale of decibels",
          scale,
          "0 or more");
    check_detector(*this);
    check_density(*this);
    check_algorithm(algorithm);
    check_layout(*this);
}

} // namespace gpufft
} // namespace gr
