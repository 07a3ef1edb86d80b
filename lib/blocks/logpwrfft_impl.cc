// SPDX-License-Identifier: GPL-3.0-or-later
//
// Log power spectra at a frame rate.

#include "item_format.h"
#include "problem/stream_batch.h"
#include "ranges.h"
#include "shared_settings.h"
#include "stream/spectrum_base.h"
#include <gnuradio/gpufft/logpwrfft.h>
#include <gnuradio/io_signature.h>
#include <limits>

namespace gr {
namespace gpufft {

namespace {

// Rounds to the nearest integer, halves to even like Python's round(); at least 1.
std::int64_t round_decimation(double decimation)
{
    if (!(decimation <= static_cast<double>(MAX_COUNT)))
        throw std::invalid_argument(
            fmt::format("decimation is {}: must be at most {}", decimation, MAX_COUNT));
    return static_cast<std::int64_t>(std::max(1.0, std::nearbyint(decimation)));
}

std::int64_t decimation_of(const logpwrfft_settings& from)
{
    const double of_rates = check_positive("sample_rate", from.sample_rate) /
                            check_range("fft_size", from.fft_size, 1, MAX_ROW) /
                            check_positive("frame_rate", from.frame_rate);
    return round_decimation(from.decimation.value_or(of_rates));
}

// 1 / (power ref_scale^2 / 4), which must be a normal number in single precision.
double scale_of(double power, double ref_scale)
{
    check_positive("ref_scale", ref_scale);
    const double least = 2 / std::sqrt(power * std::numeric_limits<float>::max());
    const double most = 2 / std::sqrt(power * std::numeric_limits<float>::min());
    if (!(ref_scale >= least && ref_scale <= most))
        throw std::invalid_argument(
            fmt::format("ref_scale is {}: must be {:.3g} ... {:.3g}, with this FFT size "
                        "and window",
                        ref_scale,
                        least,
                        most));
    return 4 / (power * ref_scale * ref_scale);
}

plan_settings resolve(const logpwrfft_settings& from, sample_format format)
{
    plan_settings result;
    problem& what = result.what;
    what.n = check_range("fft_size", from.fft_size, 1, MAX_ROW);
    what.batch = frames_of_stream(what.n);
    const std::int64_t decimation =
        check_range("decimation", decimation_of(from), 1, MAX_COUNT / from.fft_size);
    what.input = format;
    what.hop = from.mean ? from.fft_size : from.fft_size * decimation;
    what.average = from.mean ? decimation : 1;
    what.output = output_kind::decibel;
    apply_formats({ from.input, from.output, 1.0 }, what);
    what.shift_output = from.shift;
    what.smoothing = from.average ? check_weight("avg_alpha", from.avg_alpha) : 1;
    result.window = from.window.build(what.n);
    what.window = !result.window.empty();
    double sum_of_squares = result.window.empty() ? what.n : 0;
    for (double tap : result.window)
        sum_of_squares += tap * tap;
    if (!(sum_of_squares > 0) || !std::isfinite(sum_of_squares))
        throw std::invalid_argument(
            fmt::format("window's taps squared add up to {}: must be finite and > 0",
                        sum_of_squares));
    what.scale = scale_of(what.n * sum_of_squares, from.ref_scale);
    result.threads = check_range("nthreads", from.nthreads, 0, MAX_THREADS);
    return result;
}

template <class T>
class logpwrfft_impl : public logpwrfft<T>, public spectrum_base
{
public:
    logpwrfft_impl(const logpwrfft_settings& settings,
                   const plan_settings& resolved,
                   const engine_options& options)
        : gr::block(
              "logpwrfft",
              gr::io_signature::make(1,
                                     1,
                                     static_cast<int>(resolved.what.input_item_bytes())),
              gr::io_signature::make(1,
                                     1,
                                     static_cast<int>(resolved.what.output_item_bytes() *
                                                      resolved.what.row_items()))),
          spectrum_base(resolved, options, 1),
          d_settings(settings)
    {
        this->message_port_register_in(pmt::mp("reset"));
        this->set_msg_handler(pmt::mp("reset"),
                              [this](const pmt::pmt_t&) { reset_average(); });
    }

    logpwrfft_settings settings() const override { return d_settings.get(); }
    void change(const std::function<void(logpwrfft_settings&)>& change) override
    {
        d_settings.change(change, [this](const logpwrfft_settings& next) {
            configure(resolve(next, FORMAT<T>));
        });
    }
    void reset_average() override { d_plan.request_reset(); }

    std::int64_t decimation() const override { return decimation_of(settings()); }
    double frame_rate() const override
    {
        const logpwrfft_settings now = settings();
        return now.sample_rate / now.fft_size / decimation_of(now);
    }

private:
    std::size_t begin() override;

    shared_settings<logpwrfft_settings> d_settings;
};

template <class T>
std::size_t logpwrfft_impl<T>::begin()
{
    const problem what = d_plan.current().what();
    if (what.smoothing < 1 && !settings().mean) {
        // gr-fft's average starts at 0, a plan's with the first row, so a row of silence
        // comes first. (Not with a mean of frames, which gr-fft lacks: a row can take
        // hours.)
        const std::vector<char> silence(what.n * what.input_item_bytes());
        std::vector<char> row(what.row_items() * what.output_item_bytes());
        d_plan.execute(silence.data(), row.data(), 1);
    }
    return what.effective_hop() - what.n; // the frame is at the interval's end
}

} // namespace

template <class T>
typename logpwrfft<T>::sptr logpwrfft<T>::make(const logpwrfft_settings& settings,
                                               const engine_options& options)
{
    return gnuradio::make_block_sptr<logpwrfft_impl<T>>(
        settings, resolve(settings, FORMAT<T>), options);
}

template <class T>
typename logpwrfft<T>::sptr logpwrfft<T>::make(double sample_rate,
                                               std::int64_t fft_size,
                                               double ref_scale,
                                               double frame_rate,
                                               double avg_alpha,
                                               bool average,
                                               const window_spec& window,
                                               bool shift,
                                               bool mean,
                                               int nthreads,
                                               const std::string& engine,
                                               const device_list& device,
                                               const std::string& on_error,
                                               double device_timeout,
                                               const std::string& input,
                                               const std::string& output)
{
    logpwrfft_settings settings;
    settings.sample_rate = sample_rate;
    settings.fft_size = fft_size;
    settings.ref_scale = ref_scale;
    settings.frame_rate = frame_rate;
    settings.avg_alpha = avg_alpha;
    settings.average = average;
    settings.window = window;
    settings.shift = shift;
    settings.mean = mean;
    settings.nthreads = nthreads;
    settings.input = input;
    settings.output = output;
    return make(settings, { engine, device, on_error, device_timeout });
}

template class logpwrfft<gr_complex>;
template class logpwrfft<float>;

} // namespace gpufft
} // namespace gr
