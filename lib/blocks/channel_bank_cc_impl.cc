// SPDX-License-Identifier: GPL-3.0-or-later
//
// Makes a stream of each channel of a core.

#include "channel_core.h"
#include "hier_core.h"
#include "ranges.h"
#include <cmath>
#include <gnuradio/gpufft/channel_bank_cc.h>
#include <gnuradio/io_signature.h>

namespace gr {
namespace gpufft {

namespace {

constexpr std::int64_t MAX_CHANNELS = 4096; // a limit for GNU Radio's buffers and readers

double check_center(std::size_t channel, double center, double samp_rate)
{
    if (!(std::abs(center) <= samp_rate / 2))
        throw std::invalid_argument(fmt::format(
            "center {} is {} Hz: must be {} ... {} Hz from the middle of the input's "
            "band, half of samp_rate",
            channel,
            center,
            -samp_rate / 2,
            samp_rate / 2));
    return center;
}

void check_centers(const std::vector<double>& centers, double samp_rate)
{
    for (std::size_t c = 0; c < centers.size(); ++c)
        check_center(c, centers[c], samp_rate);
}

class channel_bank_cc_impl : public hier_core<channel_bank_cc, channel_core>
{
public:
    explicit channel_bank_cc_impl(const channel_core::sptr& core)
        : gr::hier_block2("channel_bank_cc", core->input_signature(), all_outputs(*core)),
          hier_core(core)
    {
        connect_core();
    }

    void set_taps(const std::vector<gr_complex>& taps) override
    {
        d_core->change([&](channel_settings& next) { next.taps = taps; });
    }
    void set_center(std::int64_t channel, double center) override;
    void set_centers(const std::vector<double>& centers) override;
    std::vector<gr_complex> taps() const override { return d_core->settings().taps; }
    std::vector<double> centers() const override { return d_core->settings().centers; }
    std::int64_t decimation() const override { return d_core->settings().decimation; }
    double samp_rate() const override { return d_core->settings().samp_rate; }
};

void channel_bank_cc_impl::set_center(std::int64_t channel, double center)
{
    d_core->change([&](channel_settings& next) {
        check_range("channel", channel, 0, next.centers.size() - 1);
        next.centers[channel] = check_center(channel, center, next.samp_rate);
    });
}

void channel_bank_cc_impl::set_centers(const std::vector<double>& centers)
{
    d_core->change([&](channel_settings& next) {
        if (centers.size() != next.centers.size())
            throw std::invalid_argument(fmt::format(
                "there are {} centers: must be {}, the channels that the block has",
                centers.size(),
                next.centers.size()));
        check_centers(centers, next.samp_rate);
        next.centers = centers;
    });
}

} // namespace

channel_bank_cc::sptr channel_bank_cc::make(std::int64_t decimation,
                                            const std::vector<gr_complex>& taps,
                                            const std::vector<double>& centers,
                                            double samp_rate,
                                            int nthreads,
                                            const std::string& engine,
                                            const device_list& device,
                                            const std::string& on_error,
                                            double device_timeout,
                                            const item_formats& formats)
{
    check_range("number of centers", centers.size(), 1, MAX_CHANNELS);
    check_centers(centers, check_positive("samp_rate", samp_rate));
    channel_settings settings;
    settings.decimation = decimation;
    settings.taps = taps;
    settings.centers = centers;
    settings.samp_rate = samp_rate;
    settings.nthreads = nthreads;
    settings.formats = formats;
    settings.has_streams = true;
    return gnuradio::make_block_sptr<channel_bank_cc_impl>(channel_core::make(
        settings, engine_options{ engine, device, on_error, device_timeout }));
}

} // namespace gpufft
} // namespace gr
