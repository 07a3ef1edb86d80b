// SPDX-License-Identifier: GPL-3.0-or-later
//
// Sends a stream through a running polyphase bank or synthesis: the core of the polyphase
// channelizers and synthesizers, whose settings determine ports, phases and plan.

#ifndef INCLUDED_GPUFFT_BANK_CORE_H
#define INCLUDED_GPUFFT_BANK_CORE_H

#include "channelizer_settings.h"
#include "filter_block.h"
#include "shared_settings.h"
#include "synthesizer_settings.h"
#include <functional>

namespace gr {
namespace gpufft {

template <class Settings>
class bank_core : virtual public gr::block, public filter_block
{
public:
    typedef std::shared_ptr<bank_core> sptr;

    static sptr make(const Settings& settings, const engine_options& options);
    bank_core(const Settings& settings, const engine_options& options);

    // The next row is the first with the new settings. If it throws
    // std::invalid_argument, nothing has changed.
    void change(const std::function<void(Settings&)>& how);

    void set_taps(const std::vector<float>& taps);
    Settings settings() const { return d_settings.get(); }
    std::string describe() const override;

    // Largest number of taps that take over at once.
    std::int64_t max_taps() const;

private:
    std::uint64_t origin(std::uint64_t zeros) const override;
    double center_of(std::size_t item, double rate) const override;

    const Settings d_first; // settings at construction
    shared_settings<Settings> d_settings;
};

typedef bank_core<channelizer_settings> channelizer_core;
typedef bank_core<synthesizer_settings> synthesizer_core;

} // namespace gpufft
} // namespace gr

#endif
