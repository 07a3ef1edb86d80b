// SPDX-License-Identifier: GPL-3.0-or-later
//
// A stream through a running filter bank or synthesis: what stands behind the polyphase
// channelizers and synthesizers. Their settings say what frames, rows and plan are.

#ifndef INCLUDED_GPUFFT_BANK_CORE_H
#define INCLUDED_GPUFFT_BANK_CORE_H

#include "channelizer_settings.h"
#include "shared_settings.h"
#include "stream/engine_base.h"
#include "stream/framer.h"
#include "synthesizer_settings.h"
#include <functional>

namespace gr {
namespace gpufft {

template <class Settings>
class bank_core : virtual public gr::block, public engine_base
{
public:
    typedef std::shared_ptr<bank_core> sptr;

    static sptr make(const Settings& settings, const engine_options& options);
    bank_core(const Settings& settings, const engine_options& options);

    // The next row is the first of the new settings. Throws std::invalid_argument, and
    // has changed nothing.
    void change(const std::function<void(Settings&)>& how);

    // May be longer than the first ones as far as there is room.
    void set_taps(const std::vector<float>& taps);
    void set_nthreads(int n);
    Settings settings() const { return d_settings.get(); }

    void forecast(int noutput_items, gr_vector_int& ninput_items_required) override;
    bool check_topology(int ninputs, int noutputs) override;
    bool start() override;
    bool stop() override;
    int general_work(int noutput_items,
                     gr_vector_int& ninput_items,
                     gr_vector_const_void_star& input_items,
                     gr_vector_void_star& output_items) override;

private:
    void keep_tags(std::size_t items);
    void forward_tags(std::size_t rows);

    const Settings d_first;         // as it was made
    const std::size_t d_item_bytes; // of the input
    const std::size_t d_hop_bytes;  // of the input, from row to row
    const std::size_t d_row_items;  // of the output
    framer d_framer;
    bool d_is_placed = false;     // d_history is known
    std::uint64_t d_history = 0;  // bytes of zeros before this run's first sample
    std::vector<tag_t> d_tags;    // of samples whose output is still to come
    std::uint64_t d_tags_end = 0; // no tag from this item on is among them yet
    shared_settings<Settings> d_settings;
};

typedef bank_core<channelizer_settings> channelizer_core;
typedef bank_core<synthesizer_settings> synthesizer_core;

} // namespace gpufft
} // namespace gr

#endif
