// SPDX-License-Identifier: GPL-3.0-or-later
//
// Averaged power spectra of a stream.

#include "power_spectrum_impl.h"
#include "item_format.h"
#include "problem/stream_batch.h"
#include "ranges.h"
#include <cmath>
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
                double sample_rate,
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
    const double divisor =
        scaling == "spectrum" ? sum * sum : sample_rate * sum_of_squares;
    if (!(divisor > 0) || !std::isfinite(divisor))
        throw std::invalid_argument(fmt::format(
            "scaling '{}' would divide by {}: the window's taps must be finite "
            "and must not add up to 0",
            scaling,
            divisor));
    return 1 / divisor;
}

} // namespace

density_grid power_spectrum_settings::density() const
{
    density_grid grid;
    grid.columns =
        check_range("density_columns", density_columns, 0, MAX_DENSITY_COLUMNS);
    grid.levels = check_range("density_levels", density_levels, 1, MAX_DENSITY_LEVELS);
    if (!(density_low < density_high) || !std::isfinite(density_low) ||
        !std::isfinite(density_high))
        throw std::invalid_argument(
            fmt::format("density_low is {} and density_high is {}: must be finite, low < "
                        "high",
                        density_low,
                        density_high));
    if (grid.columns == 0)
        return density_grid();
    check_range("fft_size with a density", fft_size, 1, MAX_ROW_WITH_DENSITY);
    grid.first = check_range("density_first_bin", density_first_bin, 0, fft_size - 1);
    const std::int64_t left = fft_size - density_first_bin;
    grid.bins = check_range("density_bins", density_bins.value_or(left), 0, left);
    grid.low = density_low;
    grid.high = density_high;
    return grid;
}

plan_settings power_spectrum_settings::resolve(sample_format format) const
{
    plan_settings result;
    problem& what = result.what;
    what.n = check_range("fft_size", fft_size, 1, MAX_ROW);
    what.batch = frames_of_stream(what.n);
    what.input = format;
    what.hop = check_range("hop", hop.value_or(fft_size), 1, MAX_COUNT);
    what.average = check_range("average", average, 1, MAX_COUNT);
    what.output = output_of(mode);
    what.detector = detector_of(detector);
    if (what.detector == detector_kind::kurtosis) {
        check_range("average with detector 'kurtosis'", average, 2, MAX_COUNT);
        what.output = output_kind::power; // a ratio is not given in decibels
    }
    what.hold = hold_of(hold);
    what.density = density();
    if (what.has_density() && what.detector == detector_kind::kurtosis)
        throw std::invalid_argument(
            "detector is 'kurtosis': must be mean, max or min with a density");
    what.shift_output = shift;
    what.smoothing = check_weight("alpha", alpha);
    result.window = window.build(what.n);
    what.window = !result.window.empty();
    what.scale = scale_of(
        scaling, check_positive("sample_rate", sample_rate), result.window, what.n);
    result.threads = check_range("nthreads", nthreads, 0, MAX_THREADS);
    return result;
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
                        double sample_rate,
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
    const power_spectrum_settings settings{ fft_size,
                                            hop,
                                            window,
                                            average,
                                            mode,
                                            shift,
                                            scaling,
                                            sample_rate,
                                            alpha,
                                            detector,
                                            hold,
                                            nthreads,
                                            density_columns,
                                            density_levels,
                                            density_low,
                                            density_high,
                                            density_first_bin,
                                            density_bins };
    return gnuradio::make_block_sptr<power_spectrum_impl<T>>(
        settings,
        settings.resolve(FORMAT<T>),
        engine_options{ engine, device, on_error, device_timeout });
}

template <class T>
power_spectrum_impl<T>::power_spectrum_impl(const power_spectrum_settings& settings,
                                            const plan_settings& resolved,
                                            const engine_options& options)
    : gr::block("power_spectrum",
                gr::io_signature::make(1, 1, sizeof(T)),
                gr::io_signature::make(1, 1, sizeof(float) * resolved.what.row_items())),
      spectrum_base(resolved, options, ITEMS_PER_SAMPLE<T>),
      d_settings(settings)
{
    this->message_port_register_in(pmt::mp("reset"));
    this->set_msg_handler(pmt::mp("reset"), [this](const pmt::pmt_t&) { reset_hold(); });
}

template <class T>
template <class Change>
void power_spectrum_impl<T>::change(Change&& change)
{
    d_settings.change(change, [this](const auto& next) {
        this->d_plan.configure(
            next.resolve(FORMAT<T>)); // throws for a value out of range
    });
}

template <class T>
void power_spectrum_impl<T>::set_hop(std::optional<std::int64_t> hop)
{
    change([&](auto& next) { next.hop = hop; });
}

template <class T>
void power_spectrum_impl<T>::set_window(const window_spec& window)
{
    change([&](auto& next) { next.window = window; });
}

template <class T>
void power_spectrum_impl<T>::set_average(std::int64_t average)
{
    change([&](auto& next) { next.average = average; });
}

template <class T>
void power_spectrum_impl<T>::set_mode(const std::string& mode)
{
    change([&](auto& next) { next.mode = mode; });
}

template <class T>
void power_spectrum_impl<T>::set_shift(bool shift)
{
    change([&](auto& next) { next.shift = shift; });
}

template <class T>
void power_spectrum_impl<T>::set_scaling(const std::string& scaling)
{
    change([&](auto& next) { next.scaling = scaling; });
}

template <class T>
void power_spectrum_impl<T>::set_sample_rate(double sample_rate)
{
    change([&](auto& next) { next.sample_rate = sample_rate; });
}

template <class T>
void power_spectrum_impl<T>::set_alpha(double alpha)
{
    change([&](auto& next) { next.alpha = alpha; });
}

template <class T>
void power_spectrum_impl<T>::set_detector(const std::string& detector)
{
    change([&](auto& next) { next.detector = detector; });
}

template <class T>
void power_spectrum_impl<T>::set_hold(const std::string& hold)
{
    change([&](auto& next) { next.hold = hold; });
}

template <class T>
void power_spectrum_impl<T>::set_nthreads(int n)
{
    change([&](auto& next) { next.nthreads = n; });
}

template <class T>
void power_spectrum_impl<T>::set_density_span(std::int64_t first_bin,
                                              std::optional<std::int64_t> bins)
{
    change([&](auto& next) {
        next.density_first_bin = first_bin;
        next.density_bins = bins;
    });
}

template <class T>
void power_spectrum_impl<T>::set_density_range(double low, double high)
{
    change([&](auto& next) {
        next.density_low = low;
        next.density_high = high;
    });
}

template <class T>
std::int64_t power_spectrum_impl<T>::density_bins() const
{
    const power_spectrum_settings now = settings();
    return now.density_bins.value_or(now.fft_size - now.density_first_bin);
}

template <class T>
std::int64_t power_spectrum_impl<T>::row_floats() const
{
    return this->output_signature()->sizeof_stream_item(0) / sizeof(float);
}

template <class T>
std::int64_t power_spectrum_impl<T>::hop() const
{
    const power_spectrum_settings now = settings();
    return now.hop.value_or(now.fft_size);
}

template class power_spectrum<gr_complex>;
template class power_spectrum<std::int16_t>;
template class power_spectrum<std::int8_t>;

} // namespace gpufft
} // namespace gr
