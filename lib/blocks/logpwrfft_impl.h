// SPDX-License-Identifier: GPL-3.0-or-later

#ifndef INCLUDED_GPUFFT_LOGPWRFFT_IMPL_H
#define INCLUDED_GPUFFT_LOGPWRFFT_IMPL_H

#include "shared_settings.h"
#include "stream/spectrum_base.h"
#include <gnuradio/gpufft/logpwrfft.h>

namespace gr {
namespace gpufft {

struct logpwrfft_settings {
    double sample_rate;
    std::int64_t fft_size;
    double ref_scale;
    double frame_rate;
    double avg_alpha;
    bool average;
    window_spec window;
    bool shift;
    bool mean;
    int nthreads;
    std::int64_t decimation = 1; // follows the rates until set_decimation()

    // Decimation for the rates. Throws std::invalid_argument for a rate out of range.
    void update_decimation();

    // Throws std::invalid_argument for a value out of range.
    plan_settings resolve(sample_format format) const;
};

template <class T>
class logpwrfft_impl : public logpwrfft<T>, public spectrum_base
{
public:
    logpwrfft_impl(const logpwrfft_settings& settings, const engine_options& options);

    void set_decimation(double decimation) override;
    void set_vec_rate(double frame_rate) override;
    void set_sample_rate(double sample_rate) override;
    void set_average(bool average) override;
    void set_avg_alpha(double avg_alpha) override;
    void set_ref_scale(double ref_scale) override;
    void set_window(const window_spec& window) override;
    void set_shift(bool shift) override;
    void set_nthreads(int n) override;
    void reset_average() override { d_plan.request_reset(); }

    std::int64_t fft_size() const override { return settings().fft_size; }
    double sample_rate() const override { return settings().sample_rate; }
    std::int64_t decimation() const override { return settings().decimation; }
    double frame_rate() const override;
    bool average() const override { return settings().average; }
    double avg_alpha() const override { return settings().avg_alpha; }

private:
    std::size_t begin() override;
    logpwrfft_settings settings() const { return d_settings.get(); }
    template <class Change>
    void change(Change&& change);

    shared_settings<logpwrfft_settings> d_settings;
};

} // namespace gpufft
} // namespace gr

#endif
