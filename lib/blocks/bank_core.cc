// SPDX-License-Identifier: GPL-3.0-or-later
//
// Settings and ports of a running bank.

#include "bank_core.h"
#include <cmath>
#include <gnuradio/io_signature.h>
#include <gnuradio/sptr_magic.h>
#include <limits>
#include <spdlog/fmt/fmt.h>

namespace gr {
namespace gpufft {

namespace {

// From 1 to `ports` ports; the first may be connected alone.
gr::io_signature::sptr ports_of(std::size_t item_bytes, std::size_t ports)
{
    if (item_bytes == 0 || item_bytes > std::numeric_limits<int>::max())
        throw std::invalid_argument(
            fmt::format("numchans is {}: must be 1 ... {}",
                        item_bytes / sizeof(gr_complex),
                        std::numeric_limits<int>::max() / sizeof(gr_complex)));
    return gr::io_signature::make(
        1, static_cast<int>(ports), static_cast<int>(item_bytes));
}

} // namespace

template <class Settings>
typename bank_core<Settings>::sptr
bank_core<Settings>::make(const Settings& settings, const engine_options& options)
{
    return gnuradio::make_block_sptr<bank_core>(settings, options);
}

template <class Settings>
bank_core<Settings>::bank_core(const Settings& settings, const engine_options& options)
    : gr::block(Settings::NAME,
                ports_of(settings.input_item_bytes(), settings.input_ports()),
                ports_of(settings.output_item_bytes(), settings.output_ports())),
      filter_block(settings.resolve(), options),
      d_first(settings),
      d_settings(settings)
{
}

template <class Settings>
void bank_core<Settings>::change(const std::function<void(Settings&)>& how)
{
    d_settings.change(how, [this](const Settings& next) { configure(next.resolve()); });
}

template <class Settings>
void bank_core<Settings>::set_taps(const std::vector<float>& taps)
{
    change([&](Settings& next) { next.taps = taps; });
}

template <class Settings>
std::string bank_core<Settings>::describe() const
{
    const std::size_t arms = d_first.arms(), taps = settings().taps.size();
    return describe_taps(taps, arm_taps_of(arms, taps) * arms);
}

template <class Settings>
std::int64_t bank_core<Settings>::max_taps() const
{
    return room() / d_first.channels * d_first.arms();
}

template <class Settings>
std::uint64_t bank_core<Settings>::origin(std::uint64_t zeros) const
{
    return d_first.origin(zeros);
}

template <class Settings>
double bank_core<Settings>::center_of(std::size_t item, double rate) const
{
    const double bands = d_settings.read(
        [item](const Settings& now) -> double { return now.center_of(item); });
    return bands == 0 ? 0 : rate > 0 ? bands * rate : std::nan("");
}

template class bank_core<channelizer_settings>;
template class bank_core<synthesizer_settings>;

} // namespace gpufft
} // namespace gr
