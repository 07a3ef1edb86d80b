// SPDX-License-Identifier: GPL-3.0-or-later
//
// Log power spectra at a frame rate.

#include "logpwrfft_impl.h"
#include "item_format.h"
#include "problem/stream_batch.h"
#include "ranges.h"
#include <gnuradio/io_signature.h>

namespace gr {
namespace gpufft {

namespace {

// Rounds to the nearest, halves to even as Python's round(), at least 1.
std::int64_t round_decimation(double decimation)
{
    if (!(decimation <= static_cast<double>(MAX_COUNT)))
        throw std::invalid_argument(
            fmt::format("decimation is {}: must be at most {}", decimation, MAX_COUNT));
    return static_cast<std::int64_t>(std::max(1.0, std::nearbyint(decimation)));
}

} // namespace

void logpwrfft_settings::update_decimation()
{
    decimation = round_decimation(check_positive("sample_rate", sample_rate) / fft_size /
                                  check_positive("frame_rate", frame_rate));
}

plan_settings logpwrfft_settings::resolve(sample_format format) const
{
    plan_settings result;
    problem& what = result.what;
    what.n = check_range("fft_size", fft_size, 1, MAX_ROW);
    what.batch = frames_of_stream(what.n);
    check_range("decimation", decimation, 1, MAX_COUNT / fft_size);
    what.input = format;
    what.hop = mean ? fft_size : fft_size * decimation;
    what.average = mean ? decimation : 1;
    what.output = output_kind::decibel;
    what.shift_output = shift;
    what.smoothing = average ? check_weight("avg_alpha", avg_alpha) : 1;
    result.window = window.build(what.n);
    what.window = !result.window.empty();
    double sum_of_squares = result.window.empty() ? what.n : 0;
    for (double tap : result.window)
        sum_of_squares += tap * tap;
    const double half = check_positive("ref_scale", ref_scale) / 2;
    what.scale = 1 / (what.n * sum_of_squares * half * half);
    if (!std::isfinite(what.scale))
        throw std::invalid_argument(
            fmt::format("window's taps squared add up to {}: must be finite and > 0",
                        sum_of_squares));
    result.threads = check_range("nthreads", nthreads, 0, MAX_THREADS);
    return result;
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
                                               double device_timeout)
{
    check_range("fft_size", fft_size, 1, MAX_ROW);
    logpwrfft_settings settings{ sample_rate, fft_size, ref_scale, frame_rate, avg_alpha,
                                 average,     window,   shift,     mean,       nthreads };
    settings.update_decimation();
    return gnuradio::make_block_sptr<logpwrfft_impl<T>>(
        settings, engine_options{ engine, device, on_error, device_timeout });
}

template <class T>
logpwrfft_impl<T>::logpwrfft_impl(const logpwrfft_settings& settings,
                                  const engine_options& options)
    : gr::block("logpwrfft",
                gr::io_signature::make(1, 1, sizeof(T)),
                gr::io_signature::make(1, 1, sizeof(float) * settings.fft_size)),
      spectrum_base(settings.resolve(FORMAT<T>), options, 1),
      d_settings(settings)
{
    this->message_port_register_in(pmt::mp("reset"));
    this->set_msg_handler(pmt::mp("reset"),
                          [this](const pmt::pmt_t&) { reset_average(); });
}

template <class T>
std::size_t logpwrfft_impl<T>::begin()
{
    const problem what = this->d_plan.current().what();
    if (what.smoothing < 1 && !settings().mean) {
        // gr-fft's average starts at 0, a plan's with the first row: a row of silence
        // comes first. (Not with a mean of frames, which gr-fft lacks: a row can take
        // hours of them.)
        const std::vector<T> silence(what.n);
        std::vector<float> row(what.n);
        this->d_plan.execute(silence.data(), row.data(), 1);
    }
    return what.effective_hop() - what.n; // the frame is at the interval's end
}

template <class T>
template <class Change>
void logpwrfft_impl<T>::change(Change&& change)
{
    d_settings.change(change, [this](const auto& next) {
        this->d_plan.configure(
            next.resolve(FORMAT<T>)); // throws for a value out of range
    });
}

template <class T>
void logpwrfft_impl<T>::set_decimation(double decimation)
{
    change([&](auto& next) { next.decimation = round_decimation(decimation); });
}

template <class T>
void logpwrfft_impl<T>::set_vec_rate(double frame_rate)
{
    change([&](auto& next) {
        next.frame_rate = frame_rate;
        next.update_decimation();
    });
}

template <class T>
void logpwrfft_impl<T>::set_sample_rate(double sample_rate)
{
    change([&](auto& next) {
        next.sample_rate = sample_rate;
        next.update_decimation();
    });
}

template <class T>
void logpwrfft_impl<T>::set_average(bool average)
{
    change([&](auto& next) { next.average = average; });
}

template <class T>
void logpwrfft_impl<T>::set_avg_alpha(double avg_alpha)
{
    change([&](auto& next) { next.avg_alpha = avg_alpha; });
}

template <class T>
void logpwrfft_impl<T>::set_ref_scale(double ref_scale)
{
    change([&](auto& next) { next.ref_scale = ref_scale; });
}

template <class T>
void logpwrfft_impl<T>::set_window(const window_spec& window)
{
    change([&](auto& next) { next.window = window; });
}

template <class T>
void logpwrfft_impl<T>::set_shift(bool shift)
{
    change([&](auto& next) { next.shift = shift; });
}

template <class T>
void logpwrfft_impl<T>::set_nthreads(int n)
{
    change([&](auto& next) { next.nthreads = n; });
}

template <class T>
double logpwrfft_impl<T>::frame_rate() const
{
    const logpwrfft_settings now = settings();
    return now.sample_rate / now.fft_size / now.decimation;
}

template class logpwrfft<gr_complex>;
template class logpwrfft<float>;

} // namespace gpufft
} // namespace gr
