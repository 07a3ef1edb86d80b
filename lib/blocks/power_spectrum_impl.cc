// SPDX-License-Identifier: GPL-3.0-or-later
//
// Averaged power spectra of a stream.

#include "item_format.h"
#include "problem/stream_batch.h"
#include "ranges.h"
#include "shared_settings.h"
#include "stream/spectrum_base.h"
#include <cmath>
#include <gnuradio/gpufft/power_spectrum.h>
#include <gnuradio/io_signature.h>

namespace gr {
namespace gpufft {

namespace {

output_kind output_of(const std::string& mode)
{
    if (mode != "linear" && mode != "db")
        throw std::invalid_argument(
            fmt::format("mode is '{}': must be linear or db", mode));
    return mode == "db" ? output_kind::decibel : output_kind::power;
}

detector_kind detector_of(const std::string& name)
{
    for (detector_kind each : { detector_kind::mean,
                                detector_kind::max,
                                detector_kind::min,
                                detector_kind::kurtosis })
        if (name == to_string(each))
            return each;
    throw std::invalid_argument(
        fmt::format("detector is '{}': must be mean, max, min or kurtosis", name));
}

hold_kind hold_of(const std::string& name)
{
    for (hold_kind each : { hold_kind::none, hold_kind::max, hold_kind::min })
        if (name == to_string(each))
            return each;
    throw std::invalid_argument(
        fmt::format("hold is '{}': must be none, max or min", name));
}

double scale_of(const std::string& scaling,
                double samp_rate,
                const std::vector<float>& taps,
                std::size_t n)
{
    if (scaling != "spectrum" && scaling != "density" && scaling != "none")
        throw std::invalid_argument(
            fmt::format("scaling is '{}': must be spectrum, density or none", scaling));
    if (scaling == "none")
        return 1;
    double sum = taps.empty() ? n : 0;
    double sum_of_squares = sum;
    for (double tap : taps) {
        sum += tap;
        sum_of_squares += tap * tap;
    }
    const double divisor = scaling == "spectrum" ? sum * sum : samp_rate * sum_of_squares;
    if (!(divisor > 0) || !std::isfinite(divisor))
        throw std::invalid_argument(fmt::format(
            "scaling '{}' would divide by {}: the window's taps must be finite "
            "and must not add up to 0",
            scaling,
            divisor));
    return 1 / divisor;
}

density_grid density_of(const power_spectrum_settings& from, std::int64_t bins)
{
    density_grid grid;
    grid.columns =
        check_range("density_columns", from.density_columns, 0, MAX_DENSITY_COLUMNS);
    grid.levels =
        check_range("density_levels", from.density_levels, 1, MAX_DENSITY_LEVELS);
    if (!(from.density_low < from.density_high) || !std::isfinite(from.density_low) ||
        !std::isfinite(from.density_high))
        throw std::invalid_argument(
            fmt::format("density_low is {} and density_high is {}: must be finite, low < "
                        "high",
                        from.density_low,
                        from.density_high));
    if (grid.columns == 0)
        return density_grid();
    check_range("fft_size with a density", from.fft_size, 1, MAX_ROW_WITH_DENSITY);
    grid.first = check_range("density_first_bin", from.density_first_bin, 0, bins - 1);
    const std::int64_t left = bins - from.density_first_bin;
    grid.bins = check_range("density_bins", from.density_bins.value_or(left), 0, left);
    grid.low = from.density_low;
    grid.high = from.density_high;
    return grid;
}

plan_settings resolve(const power_spectrum_settings& from, sample_format format)
{
    plan_settings result;
    problem& what = result.what;
    what.n = check_range("fft_size", from.fft_size, 1, MAX_ROW);
    what.batch = frames_of_stream(what.n);
    what.input = format;
    what.output = output_of(from.mode);
    apply_formats({ from.input, from.output, 1.0 }, what, sample_choice::packed_real);
    if (!is_complex(what.input)) {
        what.kind = transform_kind::r2c;
        what.alone = what.n % 2 != 0;
    }
    what.hop = from.frame_hop();
    what.average = check_range("average", from.average, 1, MAX_COUNT);
    what.detector = detector_of(from.detector);
    if (what.detector == detector_kind::kurtosis) {
        check_range("average with detector 'kurtosis'", from.average, 2, MAX_COUNT);
        what.output = output_kind::power; // a ratio is not given in decibels
    }
    what.hold = hold_of(from.hold);
    what.density = density_of(from, what.row_bins());
    if (what.has_density() && what.detector == detector_kind::kurtosis)
        throw std::invalid_argument(
            "detector is 'kurtosis': must be mean, max or min with a density");
    what.shift_output = from.shift && is_complex(what.input);
    what.smoothing = check_weight("alpha", from.alpha);
    result.window = from.window.build(what.n);
    what.window = !result.window.empty();
    what.scale = scale_of(
        from.scaling, check_positive("samp_rate", from.samp_rate), result.window, what.n);
    result.threads = check_range("nthreads", from.nthreads, 0, MAX_THREADS);
    return result;
}

template <class T>
class power_spectrum_impl : public power_spectrum<T>, public spectrum_base
{
public:
    power_spectrum_impl(const power_spectrum_settings& settings,
                        const plan_settings& resolved,
                        const engine_options& options)
        : gr::block(
              "power_spectrum",
              gr::io_signature::make(1,
                                     1,
                                     static_cast<int>(resolved.what.input_item_bytes() /
                                                      items_of(settings))),
              gr::io_signature::make(1,
                                     1,
                                     static_cast<int>(resolved.what.output_item_bytes() *
                                                      resolved.what.row_items()))),
          spectrum_base(resolved, options, items_of(settings)),
          d_settings(settings)
    {
        this->message_port_register_in(pmt::mp("reset"));
        this->set_msg_handler(pmt::mp("reset"),
                              [this](const pmt::pmt_t&) { reset_hold(); });
    }

    power_spectrum_settings settings() const override { return d_settings.get(); }
    void change(const std::function<void(power_spectrum_settings&)>& change) override
    {
        d_settings.change(change, [this](const power_spectrum_settings& next) {
            configure(resolve(next, FORMAT<T>));
        });
    }
    void reset_hold() override { d_plan.request_reset(); }
    std::int64_t row_floats() const override { return row_items(); }

private:
    static std::size_t items_of(const power_spectrum_settings& settings) // of a sample
    {
        return settings.input.empty() ? ITEMS_PER_SAMPLE<T> : 1;
    }
    std::size_t begin() override { return 0; }

    shared_settings<power_spectrum_settings> d_settings;
};

} // namespace

std::int64_t power_spectrum_settings::frame_hop() const
{
    if (hop && overlap)
        throw std::invalid_argument(fmt::format(
            "hop is {} and overlap is {}: give only one of them", *hop, *overlap));
    if (overlap)
        return hop_of_overlap(*overlap, fft_size);
    return check_range("hop", hop.value_or(fft_size), 1, MAX_COUNT);
}

template <class T>
typename power_spectrum<T>::sptr
power_spectrum<T>::make(const power_spectrum_settings& settings,
                        const engine_options& options)
{
    return gnuradio::make_block_sptr<power_spectrum_impl<T>>(
        settings, resolve(settings, FORMAT<T>), options);
}

template <class T>
typename power_spectrum<T>::sptr
power_spectrum<T>::make(std::int64_t fft_size,
                        std::optional<std::int64_t> hop,
                        const window_spec& window,
                        std::int64_t average,
                        const std::string& mode,
                        bool shift,
                        const std::string& scaling,
                        double samp_rate,
                        double alpha,
                        int nthreads,
                        const std::string& engine,
                        const device_list& device,
                        const std::string& on_error,
                        const std::string& detector,
                        const std::string& hold,
                        std::int64_t density_columns,
                        std::int64_t density_levels,
                        double density_low,
                        double density_high,
                        std::int64_t density_first_bin,
                        std::optional<std::int64_t> density_bins,
                        double device_timeout)
{
    power_spectrum_settings settings;
    settings.fft_size = fft_size;
    settings.hop = hop;
    settings.window = window;
    settings.average = average;
    settings.mode = mode;
    settings.shift = shift;
    settings.scaling = scaling;
    settings.samp_rate = samp_rate;
    settings.alpha = alpha;
    settings.detector = detector;
    settings.hold = hold;
    settings.density_columns = density_columns;
    settings.density_levels = density_levels;
    settings.density_low = density_low;
    settings.density_high = density_high;
    settings.density_first_bin = density_first_bin;
    settings.density_bins = density_bins;
    settings.nthreads = nthreads;
    return make(settings, { engine, device, on_error, device_timeout });
}

template class power_spectrum<gr_complex>;
template class power_spectrum<std::int16_t>;
template class power_spectrum<std::int8_t>;

} // namespace gpufft
} // namespace gr
