// SPDX-License-Identifier: GPL-3.0-or-later
//
// One channel, with taps of either type.

#include "channel_core.h"
#include "radio_tags.h"
#include <gnuradio/gpufft/freq_xlating_fft_filter.h>
#include <gnuradio/io_signature.h>

namespace gr {
namespace gpufft {

namespace {

float as_tap(const gr_complex& value, float) { return value.real(); }
gr_complex as_tap(const gr_complex& value, gr_complex) { return value; }

// Of the messages that gr-filter's freq_xlating_fir_filter takes: a pair of a name and
// the frequency, or a dictionary with the key freq. Else not a number.
pmt::pmt_t frequency_in(const pmt::pmt_t& message)
{
    if (pmt::is_dict(message) && pmt::dict_has_key(message, pmt::mp("freq")))
        return pmt::dict_ref(message, pmt::mp("freq"), pmt::PMT_NIL);
    return pmt::is_pair(message) ? pmt::cdr(message) : pmt::PMT_NIL;
}

// A core of one channel.
template <class Tap>
class freq_xlating_fft_filter_impl : public freq_xlating_fft_filter<Tap>,
                                     public channel_core
{
public:
    freq_xlating_fft_filter_impl(const channel_settings& settings,
                                 const engine_options& options)
        : gr::block("freq_xlating_fft_filter", settings.inputs(), settings.outputs()),
          channel_core(settings, options)
    {
        const pmt::pmt_t port = pmt::mp("freq");
        message_port_register_in(port);
        set_msg_handler(port, [this](const pmt::pmt_t& message) { take(message); });
    }

    void set_taps(const std::vector<Tap>& taps) override
    {
        change(
            [&](channel_settings& next) { next.taps.assign(taps.begin(), taps.end()); });
    }
    void set_center_freq(double center_freq) override
    {
        change([&](channel_settings& next) { next.centers = { center_freq }; });
    }
    void set_nthreads(int n) override
    {
        change([&](channel_settings& next) { next.nthreads = n; });
    }
    void set_output_scale(double factor) override
    {
        change([&](channel_settings& next) { next.formats.output_scale = factor; });
    }
    double output_scale() const override { return settings().formats.output_scale; }
    std::vector<Tap> taps() const override
    {
        std::vector<Tap> taps;
        for (const gr_complex& tap : settings().taps)
            taps.push_back(as_tap(tap, Tap()));
        return taps;
    }
    double center_freq() const override { return settings().centers.front(); }
    std::int64_t decimation() const override { return settings().decimation; }
    int nthreads() const override { return settings().nthreads; }
    std::int64_t max_taps() const override { return most_taps(); }

private:
    // An exception would end the block's thread.
    void take(const pmt::pmt_t& message)
    {
        const pmt::pmt_t value = frequency_in(message);
        if (!is_real_value(value))
            return;
        try {
            set_center_freq(real_value(value));
        } catch (const std::invalid_argument& error) {
            d_logger->warn("dropped a message at the port freq: {}", error.what());
        }
    }
};

} // namespace

template <class Tap>
typename freq_xlating_fft_filter<Tap>::sptr
freq_xlating_fft_filter<Tap>::make(std::int64_t decim,
                                   const std::vector<Tap>& taps,
                                   double center_freq,
                                   double samp_rate,
                                   int nthreads,
                                   const std::string& engine,
                                   const device_list& device,
                                   const std::string& on_error,
                                   double device_timeout,
                                   const item_formats& formats)
{
    channel_settings settings;
    settings.decimation = decim;
    settings.taps.assign(taps.begin(), taps.end());
    settings.centers = { center_freq };
    settings.samp_rate = samp_rate;
    settings.nthreads = nthreads;
    settings.formats = formats;
    return gnuradio::make_block_sptr<freq_xlating_fft_filter_impl<Tap>>(
        settings, engine_options{ engine, device, on_error, device_timeout });
}

template class freq_xlating_fft_filter<gr_complex>;
template class freq_xlating_fft_filter<float>;

} // namespace gpufft
} // namespace gr
