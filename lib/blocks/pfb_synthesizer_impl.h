// SPDX-License-Identifier: GPL-3.0-or-later

#ifndef INCLUDED_GPUFFT_PFB_SYNTHESIZER_IMPL_H
#define INCLUDED_GPUFFT_PFB_SYNTHESIZER_IMPL_H

#include "arms.h"
#include "bank_core.h"
#include "channel_merger.h"
#include <gnuradio/gpufft/pfb_synthesizer.h>

namespace gr {
namespace gpufft {

// The core and, for streams, the merger before it, which has its own thread.
class pfb_synthesizer_impl : public pfb_synthesizer_ccf
{
public:
    pfb_synthesizer_impl(const synthesizer_settings& settings,
                         const engine_options& options,
                         bool merges,
                         bool twox);

    void set_taps(const std::vector<float>& taps) override { d_core->set_taps(taps); }
    void set_channel_map(const std::vector<int>& map) override;
    void set_nthreads(int n) override { d_core->set_nthreads(n); }
    std::vector<std::vector<float>> taps() const override;
    void print_taps() const override { print_arms(taps()); }
    std::vector<int> channel_map() const override;
    int nthreads() const override { return d_core->settings().nthreads; }
    std::int64_t max_taps() const override { return d_core->max_taps(); }
    void declare_sample_delay(unsigned delay) override;

    std::string engine() const override { return d_core->engine(); }
    std::string engine_reason() const override { return d_core->engine_reason(); }
    std::string describe() const override { return d_core->describe(); }
    std::string error() const override { return d_core->error(); }
    stream_statistics statistics() const override { return d_core->statistics(); }

private:
    const synthesizer_core::sptr d_core;
    const channel_merger::sptr d_merger; // or null
    const bool d_twox;
};

} // namespace gpufft
} // namespace gr

#endif
