// SPDX-License-Identifier: GPL-3.0-or-later
//
// A bank of correlators on a stream.

#include "expression_parameters.h"
#include "item_format.h"
#include "problem/problem_names.h"
#include "problem/stream_batch.h"
#include "ranges.h"
#include "shared_settings.h"
#include "stream/spectrum_base.h"
#include <cmath>
#include <gnuradio/gpufft/correlator_bank.h>
#include <gnuradio/io_signature.h>

namespace gr {
namespace gpufft {

namespace {

constexpr double MAX_CYCLES = 1 << 20; // per sample

// The smallest product of 2, 3 and 5 that is not below n.
std::int64_t next_fast_size(std::int64_t n)
{
    for (;; ++n) {
        std::int64_t rest = n;
        for (std::int64_t prime : { 2, 3, 5 })
            while (rest % prime == 0)
                rest /= prime;
        if (rest == 1)
            return n;
    }
}

peak_rows peaks_of(const std::string& name)
{
    if (const auto found = value_in(PEAK_NAMES, name))
        return *found;
    throw std::invalid_argument(
        fmt::format("peaks is '{}': must be templates, best or grid", name));
}

// The length of all templates.
std::int64_t length_of(const std::vector<std::vector<gr_complex>>& templates)
{
    if (templates.empty())
        throw std::invalid_argument("templates is empty: there must be at least one");
    const std::size_t length = templates.front().size();
    check_range("number of samples in a template", length, 1, MAX_FFT_SIZE);
    for (std::size_t k = 0; k < templates.size(); ++k) {
        if (templates[k].size() != length)
            throw std::invalid_argument(
                fmt::format("template {} has {} samples: must have {}, as template 0",
                            k,
                            templates[k].size(),
                            length));
        for (std::size_t i = 0; i < length; ++i)
            if (!std::isfinite(templates[k][i].real()) ||
                !std::isfinite(templates[k][i].imag()))
                throw std::invalid_argument(fmt::format(
                    "sample {} of template {} is not finite: must be a number", i, k));
    }
    return static_cast<std::int64_t>(length);
}

struct sizes {
    std::int64_t length, n, delays, hop;
};

sizes sizes_of(const correlator_bank_settings& from)
{
    sizes found;
    found.length = length_of(from.templates);
    const std::int64_t most = MAX_FFT_SIZE;
    if (from.delays)
        check_range("delays", *from.delays, 1, most - found.length + 1);
    found.n = from.fft_size ? check_range("fft_size", *from.fft_size, found.length, most)
              : from.delays
                  ? std::min(next_fast_size(found.length + *from.delays - 1), most)
                  : found.length;
    const bool is_circular = found.n == found.length;
    const std::int64_t all = is_circular ? found.n : found.n - found.length + 1;
    found.delays = check_range("delays", from.delays.value_or(all), 1, all);
    check_range("coherent", from.coherent, 1, most / found.n);
    check_range("noncoherent", from.noncoherent, 1, most / found.n / from.coherent);
    const std::int64_t periods = from.coherent * from.noncoherent;
    found.hop = check_range(
        "hop",
        from.hop.value_or(is_circular || periods > 1 ? found.n * periods : found.delays),
        1,
        MAX_COUNT);
    return found;
}

// The first shift and their spacing in cycles per sample.
std::pair<double, double> grid_of(const correlator_bank_settings& from)
{
    constexpr double ROUNDING = 1e-6; // of the spacing
    check_positive("samp_rate", from.samp_rate);
    const std::vector<double>& shifts = from.shifts;
    check_range("number of shifts", shifts.size(), 1, MAX_SHIFTS);
    const double first = shifts.front(), count = double(shifts.size());
    const double step = count > 1 ? (shifts.back() - first) / (count - 1) : 0;
    for (std::size_t d = 0; d < shifts.size(); ++d)
        if (!(std::abs(shifts[d] - first - step * double(d)) <=
              ROUNDING * std::abs(step)) ||
            !std::isfinite(shifts[d]))
            throw std::invalid_argument(fmt::format(
                "shift {} is {}: shifts must be finite and evenly spaced, here by {}",
                d,
                shifts[d],
                step));
    const double most = MAX_CYCLES * from.samp_rate;
    for (const double shift : { first, shifts.back() })
        if (std::abs(shift) > most)
            throw std::invalid_argument(
                fmt::format("shift {} is out of range: -2^20 ... 2^20 times samp_rate, "
                            "{} ... {}",
                            shift,
                            -most,
                            most));
    if (!(std::abs(step) * count <= from.samp_rate * (1 + ROUNDING)))
        throw std::invalid_argument(
            fmt::format("{} shifts, {} apart, are wider than samp_rate, which is {}",
                        count,
                        step,
                        from.samp_rate));
    return { first / from.samp_rate, step / from.samp_rate };
}

plan_settings resolve(const correlator_bank_settings& from)
{
    const sizes size = sizes_of(from);
    const auto [first, step] = grid_of(from);
    plan_settings result;
    problem& what = result.what;
    what.kind = transform_kind::correlation;
    what.n = size.n;
    what.output = output_kind::real;
    what.window = true;
    what.bins = from.templates.size();
    what.shifts = from.shifts.size();
    const double width = step * double(what.shifts);
    what.f_start = first;
    what.f_stop = first + (std::abs(width) > 1 ? std::copysign(1.0, width) : width);
    what.delays = size.delays == size.n ? 0 : size.delays;
    what.taps = from.coherent;
    what.blocks = from.noncoherent;
    what.peaks = peaks_of(from.peaks);
    what.hop = size.hop;
    what.load = from.load;
    what.product = from.product;
    result.parameters = from.parameters;
    apply_formats({ from.input, "", 1.0 }, what);
    what.batch = frames_of_stream(what.frame_samples());
    result.window.assign(what.window_numbers(), 0.0f);
    for (std::size_t k = 0; k < from.templates.size(); ++k)
        std::copy(from.templates[k].begin(),
                  from.templates[k].end(),
                  reinterpret_cast<gr_complex*>(result.window.data()) + k * what.n);
    check_range("floats in a row", what.row_bins(), 1, MAX_ROW);
    what.validate();
    check_parameters(from.parameters, what);
    result.threads = check_range("nthreads", from.nthreads, 0, MAX_THREADS);
    return result;
}

class correlator_bank_impl : public correlator_bank, public spectrum_base
{
public:
    correlator_bank_impl(const correlator_bank_settings& settings,
                         const plan_settings& resolved,
                         const engine_options& options)
        : gr::block(
              "correlator_bank",
              gr::io_signature::make(1,
                                     1,
                                     static_cast<int>(resolved.what.input_item_bytes())),
              gr::io_signature::make(
                  1,
                  1,
                  static_cast<int>(resolved.what.row_items() * sizeof(float)))),
          spectrum_base(resolved, options, 1),
          d_shape(resolved.what),
          d_settings(settings)
    {
    }

    correlator_bank_settings settings() const override { return d_settings.get(); }
    void change(const std::function<void(correlator_bank_settings&)>& change) override
    {
        d_settings.change(change, [this](const correlator_bank_settings& next) {
            const plan_settings resolved = resolve(next);
            if (shape_of(resolved.what) != shape_of(d_shape))
                throw std::invalid_argument(
                    "numbers of templates, shifts and delays, the FFT size, the periods "
                    "and the rows are fixed by make()");
            configure(resolved);
        });
    }
    std::int64_t fft_size() const override { return d_shape.n; }
    std::int64_t delays() const override { return sizes_of(settings()).delays; }
    std::int64_t hop() const override { return sizes_of(settings()).hop; }
    std::int64_t row_floats() const override { return row_items(); }

private:
    // The problem without what setters change.
    static problem shape_of(problem what)
    {
        what.f_start = what.f_stop = 0;
        what.hop = 0;
        return what;
    }
    std::size_t begin() override { return 0; }

    const problem d_shape;
    shared_settings<correlator_bank_settings> d_settings;
};

} // namespace

correlator_bank::sptr correlator_bank::make(const correlator_bank_settings& settings,
                                            const engine_options& options)
{
    return gnuradio::make_block_sptr<correlator_bank_impl>(
        settings, resolve(settings), options);
}

} // namespace gpufft
} // namespace gr
