// SPDX-License-Identifier: GPL-3.0-or-later

#ifndef INCLUDED_GPUFFT_CHANNEL_BANK_CC_IMPL_H
#define INCLUDED_GPUFFT_CHANNEL_BANK_CC_IMPL_H

#include "channel_core.h"
#include "channel_splitter.h"
#include <gnuradio/gpufft/channel_bank_cc.h>

namespace gr {
namespace gpufft {

// The core and, for several channels, the splitter after it, which has its own thread.
class channel_bank_cc_impl : public channel_bank_cc
{
public:
    channel_bank_cc_impl(const channel_settings& settings, const engine_options& options);

    void set_taps(const std::vector<gr_complex>& taps) override;
    void set_center(std::int64_t channel, double center) override;
    void set_centers(const std::vector<double>& centers) override;
    void set_nthreads(int n) override;
    std::vector<gr_complex> taps() const override { return d_core->settings().taps; }
    std::vector<double> centers() const override { return d_core->settings().centers; }
    std::int64_t decimation() const override { return d_core->settings().decimation; }
    double samp_rate() const override { return d_core->settings().samp_rate; }
    int nthreads() const override { return d_core->settings().nthreads; }
    std::int64_t max_taps() const override { return d_core->room(); }
    void declare_sample_delay(unsigned delay) override;

    std::string engine() const override { return d_core->engine(); }
    std::string engine_reason() const override { return d_core->engine_reason(); }
    std::string describe() const override { return d_core->describe(); }
    std::string error() const override { return d_core->error(); }
    stream_statistics statistics() const override { return d_core->statistics(); }

private:
    const channel_core::sptr d_core;
};

} // namespace gpufft
} // namespace gr

#endif
