// SPDX-License-Identifier: GPL-3.0-or-later

#ifndef INCLUDED_GPUFFT_POWER_SPECTRUM_IMPL_H
#define INCLUDED_GPUFFT_POWER_SPECTRUM_IMPL_H

#include "shared_settings.h"
#include "stream/spectrum_base.h"
#include <gnuradio/gpufft/power_spectrum.h>

namespace gr {
namespace gpufft {

struct power_spectrum_settings {
    std::int64_t fft_size;
    std::optional<std::int64_t> hop;
    window_spec window;
    std::int64_t average;
    std::string mode;
    bool shift;
    std::string scaling;
    double sample_rate;
    double alpha;
    std::string detector;
    std::string hold;
    int nthreads;
    std::int64_t density_columns;
    std::int64_t density_levels;
    double density_low;
    double density_high;
    std::int64_t density_first_bin;
    std::optional<std::int64_t> density_bins; // to the end

    // Both throw std::invalid_argument for a value out of range.
    density_grid density() const;
    plan_settings resolve(sample_format format) const;
};

template <class T>
class power_spectrum_impl : public power_spectrum<T>, public spectrum_base
{
public:
    power_spectrum_impl(const power_spectrum_settings& settings,
                        const plan_settings& resolved,
                        const engine_options& options);

    void set_hop(std::optional<std::int64_t> hop) override;
    void set_window(const window_spec& window) override;
    void set_average(std::int64_t average) override;
    void set_mode(const std::string& mode) override;
    void set_shift(bool shift) override;
    void set_scaling(const std::string& scaling) override;
    void set_sample_rate(double sample_rate) override;
    void set_alpha(double alpha) override;
    void set_detector(const std::string& detector) override;
    void set_hold(const std::string& hold) override;
    void set_nthreads(int n) override;
    void reset_hold() override { d_plan.request_reset(); }

    std::int64_t fft_size() const override { return settings().fft_size; }
    std::int64_t hop() const override;
    std::int64_t average() const override { return settings().average; }
    std::string mode() const override { return settings().mode; }
    bool shift() const override { return settings().shift; }
    std::string scaling() const override { return settings().scaling; }
    double sample_rate() const override { return settings().sample_rate; }
    double alpha() const override { return settings().alpha; }
    std::string detector() const override { return settings().detector; }
    std::string hold() const override { return settings().hold; }
    int nthreads() const override { return settings().nthreads; }
    void set_density_span(std::int64_t first_bin,
                          std::optional<std::int64_t> bins) override;
    void set_density_range(double low, double high) override;
    std::int64_t density_columns() const override { return settings().density_columns; }
    std::int64_t density_levels() const override { return settings().density_levels; }
    std::int64_t density_first_bin() const override
    {
        return settings().density_first_bin;
    }
    std::int64_t density_bins() const override;
    double density_low() const override { return settings().density_low; }
    double density_high() const override { return settings().density_high; }
    std::int64_t row_floats() const override;

private:
    std::size_t begin() override { return 0; }
    power_spectrum_settings settings() const { return d_settings.get(); }
    template <class Change>
    void change(Change&& change);

    shared_settings<power_spectrum_settings> d_settings;
};

} // namespace gpufft
} // namespace gr

#endif
