// SPDX-License-Identifier: GPL-3.0-or-later
//
// A row comes as soon as the newest samples that it needs are there. GNU Radio puts the
// zeros that the first ones need before the stream: its history.

#include "bank_core.h"
#include "stream_history.h"
#include <algorithm>
#include <gnuradio/block_detail.h>
#include <gnuradio/buffer_reader.h>
#include <gnuradio/io_signature.h>
#include <gnuradio/sptr_magic.h>
#include <limits>
#include <spdlog/fmt/fmt.h>

namespace gr {
namespace gpufft {

namespace {

gr::io_signature::sptr port_of(std::size_t item_bytes)
{
    if (item_bytes == 0 || item_bytes > std::numeric_limits<int>::max())
        throw std::invalid_argument(
            fmt::format("numchans is {}: must be 1 ... {}",
                        item_bytes / sizeof(gr_complex),
                        std::numeric_limits<int>::max() / sizeof(gr_complex)));
    return gr::io_signature::make(1, 1, static_cast<int>(item_bytes));
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
                port_of(settings.input_item_bytes()),
                port_of(settings.output_item_bytes())),
      engine_base(*this, d_logger, settings.resolve(), options),
      d_first(settings),
      d_item_bytes(settings.input_item_bytes()),
      d_hop_bytes(settings.hop_samples() * settings.sample_bytes()),
      d_row_items(settings.row_items()),
      d_framer(settings.frame_samples(), settings.sample_bytes()),
      d_settings(settings)
{
    set_tag_propagation_policy(TPP_DONT); // forward_tags() does it
    set_relative_rate(d_row_items, d_hop_bytes / d_item_bytes);
    set_history(static_cast<unsigned>(
        settings.history() * settings.sample_bytes() / d_item_bytes + 1));
}

template <class Settings>
void bank_core<Settings>::change(const std::function<void(Settings&)>& how)
{
    d_settings.change(how,
                      [this](const Settings& next) { d_plan.configure(next.resolve()); });
}

template <class Settings>
void bank_core<Settings>::set_taps(const std::vector<float>& taps)
{
    change([&](Settings& next) { next.taps = taps; });
}

template <class Settings>
void bank_core<Settings>::set_nthreads(int n)
{
    change([&](Settings& next) { next.nthreads = n; });
}

template <class Settings>
bool bank_core<Settings>::check_topology(int, int)
{
    const std::size_t row_bytes = d_row_items * output_signature()->sizeof_stream_item(0);
    const std::size_t samples =
        stream_chunk(d_first.frame_samples(), d_first.sample_bytes());
    const std::size_t rows =
        std::min(samples / d_first.hop_samples(), chunk_bytes() / row_bytes);
    ask_for_output(std::max<std::size_t>(rows, 1) * d_row_items);
    return true;
}

template <class Settings>
bool bank_core<Settings>::start()
{
    clear_error();
    set_output_multiple(static_cast<int>(d_row_items));
    d_is_placed = false;
    d_tags.clear();
    d_tags_end = 0;
    guarded([this] {
        d_framer.start(chunked_stream::samples_at_once(
                           *detail(), d_first.frame_samples(), d_first.sample_bytes()),
                       0);
        d_stream.start(*detail(), d_framer);
        return 0;
    });
    return true;
}

template <class Settings>
bool bank_core<Settings>::stop()
{
    d_stream.stop();
    return true;
}

template <class Settings>
void bank_core<Settings>::forecast(int, gr_vector_int& ninput_items_required)
{
    const std::size_t wanted = d_stream.samples_in_flight() > 0 ? 0 : d_framer.wanted();
    ninput_items_required[0] = static_cast<int>(
        (wanted * d_first.sample_bytes() + d_item_bytes - 1) / d_item_bytes);
}

template <class Settings>
int bank_core<Settings>::general_work(int noutput_items,
                                      gr_vector_int& ninput_items,
                                      gr_vector_const_void_star& input_items,
                                      gr_vector_void_star& output_items)
{
    return guarded([&] {
        const std::size_t sample_bytes = d_first.sample_bytes();
        if (!d_is_placed)
            d_history = bytes_before_stream(*detail(),
                                            nitems_read(0),
                                            input_items[0],
                                            d_first.history() * sample_bytes);
        d_is_placed = true;
        keep_tags(ninput_items[0]);
        chunked_stream::window now;
        now.input = input_items[0];
        now.samples = ninput_items[0] * d_item_bytes / sample_bytes;
        now.output = output_items[0];
        now.rows = noutput_items / d_row_items;
        now.bytes_read = nitems_read(0) * d_item_bytes;
        now.bytes_written = nitems_written(0) * output_signature()->sizeof_stream_item(0);
        now.history = d_history;
        now.origin = d_first.origin(d_history / sample_bytes);
        const chunked_stream::result next = d_stream.step(now, d_framer);
        forward_tags(next.rows);
        consume(0, static_cast<int>(next.consumed * sample_bytes / d_item_bytes));
        return static_cast<int>(next.rows * d_row_items);
    });
}

// Those of the samples that have come: once they are consumed GNU Radio forgets them, and
// a frame that is collected is consumed before its output is there.
template <class Settings>
void bank_core<Settings>::keep_tags(std::size_t items)
{
    const std::uint64_t zeros = d_history / d_item_bytes;
    const std::uint64_t end = std::max(nitems_read(0) + items, zeros) - zeros;
    std::vector<tag_t> tags;
    get_tags_in_range(tags, 0, d_tags_end, end);
    d_tags.insert(d_tags.end(), tags.begin(), tags.end());
    d_tags_end = end;
}

// To the row that their sample is the first to be in.
template <class Settings>
void bank_core<Settings>::forward_tags(std::size_t rows)
{
    const std::size_t hop = d_hop_bytes / d_item_bytes;
    const std::uint64_t end = nitems_written(0) / d_row_items + rows;
    const auto later =
        std::stable_partition(d_tags.begin(), d_tags.end(), [&](const tag_t& tag) {
            return tag.offset / hop < end;
        });
    for (auto tag = d_tags.begin(); tag != later; ++tag) {
        tag->offset = tag->offset / hop * d_row_items;
        add_item_tag(0, *tag);
    }
    d_tags.erase(d_tags.begin(), later);
}

template class bank_core<channelizer_settings>;
template class bank_core<synthesizer_settings>;

} // namespace gpufft
} // namespace gr
