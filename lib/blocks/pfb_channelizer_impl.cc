// SPDX-License-Identifier: GPL-3.0-or-later
//
// Polyphase channelizers of any number of channels.

#include "arms.h"
#include "bank_core.h"
#include "hier_core.h"
#include "item_format.h"
#include "ranges.h"
#include <gnuradio/gpufft/pfb_channelizer.h>
#include <gnuradio/io_signature.h>
#include <numeric>

namespace gr {
namespace gpufft {

namespace {

template <class T>
class pfb_channelizer_impl : public hier_core<pfb_channelizer<T>, channelizer_core>
{
    typedef hier_core<pfb_channelizer<T>, channelizer_core> base;
    using base::d_core;

public:
    pfb_channelizer_impl(const channelizer_core::sptr& core)
        : gr::hier_block2("pfb_channelizer", core->input_signature(), all_outputs(*core)),
          base(core)
    {
        this->connect_core();
    }

    void set_taps(const std::vector<float>& taps) override { d_core->set_taps(taps); }
    void set_channel_map(const std::vector<int>& map) override;
    std::vector<std::vector<float>> taps() const override;
    void print_taps() const override { print_arms(taps()); }
    std::vector<int> channel_map() const override;

private:
    void set_picked(const std::vector<int>& map);
};

template <class T>
void pfb_channelizer_impl<T>::set_channel_map(const std::vector<int>& map)
{
    if (map.empty())
        return;
    if (!d_core->settings().map.empty())
        set_picked(map);
    else if (d_core->settings().has_streams)
        d_core->set_output_map(map);
    else
        throw std::invalid_argument("a channel map is for streams and for some channels: "
                                    "make the block with vlen=1 or with outchans");
}

template <class T>
void pfb_channelizer_impl<T>::set_picked(const std::vector<int>& map)
{
    d_core->change([&](channelizer_settings& next) {
        if (map.size() != next.map.size())
            throw std::invalid_argument(
                fmt::format("channel map has {} entries: must have {}, as outchans says",
                            map.size(),
                            next.map.size()));
        next.map = map;
    });
}

template <class T>
std::vector<int> pfb_channelizer_impl<T>::channel_map() const
{
    const channelizer_settings now = d_core->settings();
    if (!now.map.empty())
        return now.map;
    if (now.has_streams)
        return d_core->output_map();
    std::vector<int> all(now.outputs());
    std::iota(all.begin(), all.end(), 0);
    return all;
}

template <class T>
std::vector<std::vector<float>> pfb_channelizer_impl<T>::taps() const
{
    const channelizer_settings now = d_core->settings();
    return arms_of(now.taps, now.channels);
}

} // namespace

template <class T>
typename pfb_channelizer<T>::sptr pfb_channelizer<T>::make(std::int64_t numchans,
                                                           const std::vector<float>& taps,
                                                           double oversample_rate,
                                                           double atten,
                                                           int nthreads,
                                                           const std::string& engine,
                                                           const device_list& device,
                                                           const std::string& on_error,
                                                           std::int64_t vlen,
                                                           std::int64_t outchans,
                                                           double device_timeout,
                                                           const item_formats& formats)
{
    channelizer_settings settings;
    settings.channels = check_range("numchans", numchans, 1, MAX_ROW / 2);
    settings.hop = hop_of(numchans, oversample_rate);
    settings.format = FORMAT<T>;
    settings.formats = formats;
    settings.items_per_sample =
        formats.input.empty() ? static_cast<int>(ITEMS_PER_SAMPLE<T>) : 1;
    settings.nthreads = nthreads;
    settings.map.resize(check_range("outchans", outchans, 0, settings.bands()));
    std::iota(settings.map.begin(), settings.map.end(), 0);
    const auto outputs = static_cast<std::int64_t>(settings.outputs());
    if (vlen != 1 && vlen != outputs)
        throw std::invalid_argument(
            fmt::format("vlen is {}: must be 1 (streams) or {} (vectors, {})",
                        vlen,
                        outputs,
                        outchans > 0         ? "outchans"
                        : settings.is_real() ? "numchans / 2 + 1, of a real band"
                                             : "numchans"));
    settings.taps = taps.empty() ? channel_filter(numchans, atten) : taps;
    settings.has_streams = vlen == 1;
    return gnuradio::make_block_sptr<pfb_channelizer_impl<T>>(channelizer_core::make(
        settings, engine_options{ engine, device, on_error, device_timeout }));
}

template <class T>
std::vector<float> pfb_channelizer<T>::create_taps(std::int64_t numchans, double atten)
{
    return channel_filter(numchans, atten);
}

template class pfb_channelizer<gr_complex>;
template class pfb_channelizer<std::int16_t>;
template class pfb_channelizer<std::int8_t>;

} // namespace gpufft
} // namespace gr
