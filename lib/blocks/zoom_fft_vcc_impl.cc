// SPDX-License-Identifier: GPL-3.0-or-later
//
// FFT of a band.

#include "problem/range_check.h"
#include "problem/stream_batch.h"
#include "transform_impl.h"
#include <cmath>
#include <gnuradio/gpufft/zoom_fft_vcc.h>

namespace gr {
namespace gpufft {

namespace {

struct zoom_fft_settings {
    std::int64_t fft_size, bins;
    double f_start, f_stop;
    window_spec window;
    int nthreads;
    double samp_rate;
    item_formats formats;

    plan_settings resolve() const
    {
        check_range("fft_size", fft_size, 1, MAX_FFT_SIZE - 1);
        check_range("bins", bins, 1, MAX_FFT_SIZE - fft_size);
        plan_settings result;
        problem& what = result.what;
        what.kind = transform_kind::zoom;
        what.n = fft_size;
        what.bins = bins;
        check_band();
        what.f_start = f_start / samp_rate;
        what.f_stop = f_stop / samp_rate;
        what.batch = frames_of_stream(what.n);
        apply_formats(formats, what);
        result.threads = check_range("nthreads", nthreads, 1, MAX_THREADS);
        result.window = window.build(what.n);
        what.window = !result.window.empty();
        what.validate();
        return result;
    }

    // problem::validate() speaks of cycles per sample.
    void check_band() const
    {
        check_positive("samp_rate", samp_rate);
        if (samp_rate == 1)
            return;
        check_frequency("f_start", f_start);
        check_frequency("f_stop", f_stop);
        if (!(std::abs(f_stop - f_start) <= samp_rate))
            throw std::invalid_argument(
                fmt::format("the band {} ... {} is wider than samp_rate, which is {}",
                            f_start,
                            f_stop,
                            samp_rate));
    }

    void check_frequency(const char* name, double value) const
    {
        const double most = MAX_FREQUENCY * samp_rate;
        if (!(std::abs(value) <= most))
            throw std::invalid_argument(
                fmt::format("{} is {} Hz: must be {} ... {} Hz, 2^20 times samp_rate",
                            name,
                            value,
                            -most,
                            most));
    }

    double center_freq() const { return f_start + (f_stop - f_start) / 2; }
    double span() const { return f_stop - f_start; }

    void put_band(double center_freq, double span)
    {
        check_frequency("center_freq", center_freq);
        check_frequency("span", span);
        f_start = center_freq - span / 2;
        f_stop = center_freq + span / 2;
    }
};

class zoom_fft_vcc_impl : public windowed_transform_impl<zoom_fft_vcc, zoom_fft_settings>
{
public:
    using windowed_transform_impl::windowed_transform_impl;

    void set_band(double f_start, double f_stop, std::optional<double> samp_rate) override
    {
        change([&](zoom_fft_settings& next) {
            next.f_start = f_start;
            next.f_stop = f_stop;
            next.samp_rate = samp_rate.value_or(next.samp_rate);
        });
    }
    void set_center_freq(double center_freq) override
    {
        change([&](zoom_fft_settings& next) { next.put_band(center_freq, next.span()); });
    }
    void set_span(double span) override
    {
        change([&](zoom_fft_settings& next) { next.put_band(next.center_freq(), span); });
    }
    double f_start() const override { return settings().f_start; }
    double f_stop() const override { return settings().f_stop; }
    double center_freq() const override { return settings().center_freq(); }
    double span() const override { return settings().span(); }
    double samp_rate() const override { return settings().samp_rate; }
};

} // namespace

zoom_fft_vcc::sptr zoom_fft_vcc::make(std::int64_t fft_size,
                                      std::int64_t bins,
                                      double f_start,
                                      double f_stop,
                                      const window_spec& window,
                                      int nthreads,
                                      const std::string& engine,
                                      const device_list& device,
                                      const std::string& on_error,
                                      std::int64_t vlen,
                                      double device_timeout,
                                      double samp_rate,
                                      const item_formats& formats)
{
    return make_transform_block<zoom_fft_vcc_impl>(
        "zoom_fft_vcc",
        zoom_fft_settings{
            fft_size, bins, f_start, f_stop, window, nthreads, samp_rate, formats },
        engine_options{ engine, device, on_error, device_timeout },
        ports_of(vlen, fft_size, "fft_size"));
}

} // namespace gpufft
} // namespace gr
