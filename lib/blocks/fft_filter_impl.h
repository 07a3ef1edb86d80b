// SPDX-License-Identifier: GPL-3.0-or-later

#ifndef INCLUDED_GPUFFT_FFT_FILTER_IMPL_H
#define INCLUDED_GPUFFT_FFT_FILTER_IMPL_H

#include "filter_block.h"
#include "filter_settings.h"
#include "shared_settings.h"
#include <gnuradio/gpufft/fft_filter.h>

namespace gr {
namespace gpufft {

template <class Tap>
struct fft_filter_settings {
    std::int64_t decimation;
    std::vector<Tap> taps;
    int nthreads;

    // Throws std::invalid_argument for a value out of range.
    plan_settings resolve(sample_format format) const;
};

template <class T, class Tap>
class fft_filter_impl : public fft_filter<T, Tap>, public filter_block
{
public:
    fft_filter_impl(const fft_filter_settings<Tap>& settings,
                    const engine_options& options);

    void set_taps(const std::vector<Tap>& taps) override;
    void set_decimation(std::int64_t decimation) override;
    void set_nthreads(int n) override;
    std::vector<Tap> taps() const override { return d_settings.get().taps; }
    std::int64_t decimation() const override { return d_settings.get().decimation; }
    int nthreads() const override { return d_settings.get().nthreads; }
    std::string describe() const override;
    std::int64_t max_taps() const override { return this->room(); }

private:
    template <class Change>
    void change(Change&& change);

    shared_settings<fft_filter_settings<Tap>> d_settings;
};

} // namespace gpufft
} // namespace gr

#endif
