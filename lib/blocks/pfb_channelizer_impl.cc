// SPDX-License-Identifier: GPL-3.0-or-later
//
// Polyphase channelizers of any number of channels.

#include "arms.h"
#include "bank_core.h"
#include "channel_streams.h"
#include "hier_core.h"
#include "item_format.h"
#include "ranges.h"
#include <gnuradio/gpufft/pfb_channelizer.h>
#include <gnuradio/io_signature.h>
#include <numeric>

namespace gr {
namespace gpufft {

namespace {

gr::io_signature::sptr outputs(std::size_t channels, bool splits)
{
    const int bytes = sizeof(gr_complex);
    const int ports = static_cast<int>(channels);
    return splits ? gr::io_signature::make(ports, ports, bytes)
                  : gr::io_signature::make(1, 1, bytes * ports);
}

// The core and, for streams, the splitter after it, which has its own thread. If channels
// are left out, the core picks the channels, else the splitter does.
template <class T>
class pfb_channelizer_impl : public hier_core<pfb_channelizer<T>, channelizer_core>
{
    typedef hier_core<pfb_channelizer<T>, channelizer_core> base;
    using base::d_core;

public:
    pfb_channelizer_impl(const channelizer_settings& settings,
                         const engine_options& options,
                         bool splits)
        : gr::hier_block2("pfb_channelizer",
                          gr::io_signature::make(1, 1, sizeof(T)),
                          outputs(settings.outputs(), splits)),
          base(channelizer_core::make(settings, options)),
          d_splitter(splits ? channel_splitter::make(static_cast<int>(settings.outputs()))
                            : nullptr)
    {
        const gr::basic_block_sptr self = this->self();
        this->connect(self, 0, d_core, 0);
        if (splits) {
            this->connect(d_core, 0, d_splitter, 0);
            for (int port = 0; port < static_cast<int>(settings.outputs()); ++port)
                this->connect(d_splitter, port, self, port);
        } else {
            this->connect(d_core, 0, self, 0);
        }
    }

    void set_taps(const std::vector<float>& taps) override { d_core->set_taps(taps); }
    void set_channel_map(const std::vector<int>& map) override;
    std::vector<std::vector<float>> taps() const override;
    void print_taps() const override { print_arms(taps()); }
    std::vector<int> channel_map() const override;

private:
    void set_picked(const std::vector<int>& map);

    const channel_splitter::sptr d_splitter; // or null
};

template <class T>
void pfb_channelizer_impl<T>::set_channel_map(const std::vector<int>& map)
{
    if (map.empty())
        return;
    if (!d_core->settings().map.empty())
        set_picked(map);
    else if (d_splitter)
        d_splitter->set_map(map);
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
    if (d_splitter)
        return d_splitter->map();
    std::vector<int> all(now.channels);
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
                                                           double device_timeout)
{
    channelizer_settings settings;
    settings.channels = check_range("numchans", numchans, 1, MAX_ROW / 2);
    settings.hop = hop_of(numchans, oversample_rate);
    settings.format = FORMAT<T>;
    settings.items_per_sample = static_cast<int>(ITEMS_PER_SAMPLE<T>);
    settings.nthreads = nthreads;
    settings.map.resize(check_range("outchans", outchans, 0, numchans));
    std::iota(settings.map.begin(), settings.map.end(), 0);
    const auto outputs = static_cast<std::int64_t>(settings.outputs());
    if (vlen != 1 && vlen != outputs)
        throw std::invalid_argument(
            fmt::format("vlen is {}: must be 1 (streams) or {} (vectors, {})",
                        vlen,
                        outputs,
                        outchans > 0 ? "outchans" : "numchans"));
    settings.taps = taps.empty() ? channel_filter(numchans, atten) : taps;
    return gnuradio::make_block_sptr<pfb_channelizer_impl<T>>(
        settings, engine_options{ engine, device, on_error, device_timeout }, vlen == 1);
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
