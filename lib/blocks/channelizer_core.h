// SPDX-License-Identifier: GPL-3.0-or-later
//
// A stream of samples to vectors of channels, by a running filter bank: what stands
// behind the polyphase channelizers.

#ifndef INCLUDED_GPUFFT_CHANNELIZER_CORE_H
#define INCLUDED_GPUFFT_CHANNELIZER_CORE_H

#include "channelizer_settings.h"
#include "shared_settings.h"
#include "stream/engine_base.h"
#include "stream/framer.h"

namespace gr {
namespace gpufft {

class channelizer_core : virtual public gr::block, public engine_base
{
public:
    typedef std::shared_ptr<channelizer_core> sptr;

    // items_per_sample: stream items that make one sample, 2 for interleaved integers.
    static sptr make(const channelizer_settings& settings,
                     sample_format format,
                     std::size_t items_per_sample,
                     const engine_options& options);

    channelizer_core(const channelizer_settings& settings,
                     sample_format format,
                     std::size_t items_per_sample,
                     const engine_options& options);

    void set_taps(const std::vector<float>& taps);
    void set_nthreads(int n);
    channelizer_settings settings() const { return d_settings.get(); }

    void forecast(int noutput_items, gr_vector_int& ninput_items_required) override;
    bool check_topology(int ninputs, int noutputs) override;
    bool start() override;
    bool stop() override;
    int general_work(int noutput_items,
                     gr_vector_int& ninput_items,
                     gr_vector_const_void_star& input_items,
                     gr_vector_void_star& output_items) override;

private:
    template <class Change>
    void change(Change&& change);
    void keep_tags(std::size_t items);
    void forward_tags(std::size_t rows);

    const sample_format d_format;
    const std::size_t d_items_per_sample;
    const std::size_t d_sample_bytes;
    const channelizer_settings d_first; // as it was made
    framer d_framer;
    bool d_is_placed = false;     // d_history is known
    std::uint64_t d_history = 0;  // samples of zeros before this run's first
    std::vector<tag_t> d_tags;    // of samples whose output is still to come
    std::uint64_t d_tags_end = 0; // no tag from this item on is among them yet
    shared_settings<channelizer_settings> d_settings;
};

} // namespace gpufft
} // namespace gr

#endif
