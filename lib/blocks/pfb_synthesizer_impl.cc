// SPDX-License-Identifier: GPL-3.0-or-later
//
// Polyphase synthesizers of any number of channels.

#include "arms.h"
#include "bank_core.h"
#include "hier_core.h"
#include "ranges.h"
#include <gnuradio/gpufft/pfb_synthesizer.h>
#include <gnuradio/io_signature.h>
#include <numeric>

namespace gr {
namespace gpufft {

namespace {

class pfb_synthesizer_impl : public hier_core<pfb_synthesizer_ccf, synthesizer_core>
{
public:
    pfb_synthesizer_impl(const synthesizer_settings& settings,
                         const engine_options& options,
                         bool twox)
        : pfb_synthesizer_impl(synthesizer_core::make(settings, options), twox)
    {
    }

    void set_taps(const std::vector<float>& taps) override { d_core->set_taps(taps); }
    void set_channel_map(const std::vector<int>& map) override;
    std::vector<std::vector<float>> taps() const override;
    void print_taps() const override { print_arms(taps()); }
    std::vector<int> channel_map() const override;

private:
    pfb_synthesizer_impl(const synthesizer_core::sptr& core, bool twox)
        : gr::hier_block2("pfb_synthesizer",
                          core->input_signature(),
                          core->output_signature()),
          hier_core(core),
          d_twox(twox)
    {
        connect_core();
    }

    const bool d_twox;
};

void pfb_synthesizer_impl::set_channel_map(const std::vector<int>& map)
{
    if (map.empty())
        return;
    if (!d_core->settings().has_streams)
        throw std::invalid_argument(
            "a channel map is for streams: make the block with vlen=1");
    d_core->set_input_map(map);
}

std::vector<int> pfb_synthesizer_impl::channel_map() const
{
    if (d_core->settings().has_streams)
        return d_core->input_map();
    std::vector<int> all(d_core->settings().channels);
    std::iota(all.begin(), all.end(), 0);
    return all;
}

std::vector<std::vector<float>> pfb_synthesizer_impl::taps() const
{
    const synthesizer_settings now = d_core->settings();
    filter_arms arms = arms_of(now.taps, now.hop);
    if (!d_twox)
        return arms;
    filter_arms both = arms; // the second half: taps 0, 2, ...
    for (filter_arms* half : { &arms, &both })
        for (std::vector<float>& arm : *half)
            for (std::size_t k = half == &arms ? 0 : 1; k < arm.size(); k += 2)
                arm[k] = 0;
    arms.insert(arms.end(), both.begin(), both.end());
    return arms;
}

} // namespace

pfb_synthesizer_ccf::sptr pfb_synthesizer_ccf::make(std::int64_t numchans,
                                                    const std::vector<float>& taps,
                                                    bool twox,
                                                    double oversample_rate,
                                                    double atten,
                                                    int nthreads,
                                                    const std::string& engine,
                                                    const device_list& device,
                                                    const std::string& on_error,
                                                    std::int64_t vlen,
                                                    double device_timeout,
                                                    const item_formats& formats)
{
    const std::int64_t most = twox ? MAX_ROW / 4 : MAX_ROW / 2;
    check_range("numchans", numchans, 1, most);
    if (twox && oversample_rate != 1.0)
        throw std::invalid_argument(fmt::format(
            "oversample_rate is {}: must be 1 with twox, which oversamples 2 times",
            oversample_rate));
    synthesizer_settings settings;
    settings.channels = twox ? 2 * numchans : numchans;
    settings.hop = twox ? numchans : hop_of(numchans, oversample_rate);
    settings.nthreads = nthreads;
    settings.formats = formats;
    settings.has_streams = vlen == 1;
    if (vlen != 1 && vlen != settings.channels)
        throw std::invalid_argument(
            fmt::format("vlen is {}: must be 1 (streams) or {} (vectors of all channels)",
                        vlen,
                        settings.channels));
    settings.taps =
        taps.empty() ? synthesis_filter(settings.channels, settings.hop, atten) : taps;
    return gnuradio::make_block_sptr<pfb_synthesizer_impl>(
        settings, engine_options{ engine, device, on_error, device_timeout }, twox);
}

std::vector<float> pfb_synthesizer_ccf::create_taps(std::int64_t channels,
                                                    double oversample_rate,
                                                    double atten)
{
    return synthesis_filter(channels, hop_of(channels, oversample_rate), atten);
}

} // namespace gpufft
} // namespace gr
