// SPDX-License-Identifier: GPL-3.0-or-later

#ifndef INCLUDED_GPUFFT_FREQ_XLATING_FFT_FILTER_IMPL_H
#define INCLUDED_GPUFFT_FREQ_XLATING_FFT_FILTER_IMPL_H

#include "channel_core.h"
#include <gnuradio/gpufft/freq_xlating_fft_filter.h>

namespace gr {
namespace gpufft {

// A core of one channel.
template <class Tap>
class freq_xlating_fft_filter_impl : public freq_xlating_fft_filter<Tap>,
                                     public channel_core
{
public:
    freq_xlating_fft_filter_impl(const channel_settings& settings,
                                 const engine_options& options);

    void set_taps(const std::vector<Tap>& taps) override;
    void set_center_freq(double center_freq) override;
    void set_nthreads(int n) override;
    std::vector<Tap> taps() const override;
    double center_freq() const override { return settings().centers.front(); }
    std::int64_t decimation() const override { return settings().decimation; }
    int nthreads() const override { return settings().nthreads; }
    std::int64_t max_taps() const override { return room(); }
};

} // namespace gpufft
} // namespace gr

#endif
