// SPDX-License-Identifier: GPL-3.0-or-later
//
// Output sample f comes from the input samples up to f hop + hop - 1. GNU Radio puts the
// zeros that the first ones need before the stream: its history.

#include "channelizer_core.h"
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

int item_bytes(sample_format format, std::size_t items_per_sample)
{
    problem what;
    what.input = format;
    return static_cast<int>(what.input_item_bytes() / items_per_sample);
}

int vector_bytes(std::int64_t channels)
{
    constexpr std::int64_t most =
        std::numeric_limits<int>::max() / static_cast<int>(sizeof(gr_complex));
    if (channels < 1 || channels > most)
        throw std::invalid_argument(
            fmt::format("numchans is {}: must be 1 ... {}", channels, most));
    return static_cast<int>(channels * sizeof(gr_complex));
}

} // namespace

channelizer_core::sptr channelizer_core::make(const channelizer_settings& settings,
                                              sample_format format,
                                              std::size_t items_per_sample,
                                              const engine_options& options)
{
    return gnuradio::make_block_sptr<channelizer_core>(
        settings, format, items_per_sample, options);
}

channelizer_core::channelizer_core(const channelizer_settings& settings,
                                   sample_format format,
                                   std::size_t items_per_sample,
                                   const engine_options& options)
    : gr::block("pfb_channelizer",
                gr::io_signature::make(1, 1, item_bytes(format, items_per_sample)),
                gr::io_signature::make(1, 1, vector_bytes(settings.channels))),
      engine_base(*this, d_logger, settings.resolve(format), options),
      d_format(format),
      d_items_per_sample(items_per_sample),
      d_sample_bytes(items_per_sample * item_bytes(format, items_per_sample)),
      d_first(settings),
      d_framer(settings.channels * settings.arm_taps, d_sample_bytes),
      d_settings(settings)
{
    set_tag_propagation_policy(TPP_DONT); // forward_tags() does it
    set_relative_rate(1, settings.hop * items_per_sample);
    set_history(static_cast<unsigned>(settings.history() * items_per_sample + 1));
}

template <class Change>
void channelizer_core::change(Change&& change)
{
    d_settings.change(change, [this](const channelizer_settings& next) {
        d_plan.configure(next.resolve(d_format));
    });
}

void channelizer_core::set_taps(const std::vector<float>& taps)
{
    change([&](channelizer_settings& next) { next.taps = taps; });
}

void channelizer_core::set_nthreads(int n)
{
    change([&](channelizer_settings& next) { next.nthreads = n; });
}

bool channelizer_core::check_topology(int, int)
{
    const std::size_t row = d_first.channels * sizeof(gr_complex);
    const std::size_t samples =
        stream_chunk(d_first.channels * d_first.arm_taps, d_sample_bytes);
    ask_for_output(
        std::max<std::size_t>(std::min(samples / d_first.hop, chunk_bytes() / row), 1));
    return true;
}

bool channelizer_core::start()
{
    clear_error();
    set_output_multiple(1);
    d_is_placed = false;
    d_tags.clear();
    d_tags_end = 0;
    guarded([this] {
        const std::size_t frame = d_first.channels * d_first.arm_taps;
        d_framer.start(chunked_stream::samples_at_once(*detail(), frame, d_sample_bytes),
                       0);
        d_stream.start(*detail(), d_framer);
        return 0;
    });
    return true;
}

bool channelizer_core::stop()
{
    d_stream.stop();
    return true;
}

void channelizer_core::forecast(int, gr_vector_int& ninput_items_required)
{
    const std::size_t wanted = d_stream.samples_in_flight() > 0 ? 0 : d_framer.wanted();
    ninput_items_required[0] = static_cast<int>(wanted * d_items_per_sample);
}

int channelizer_core::general_work(int noutput_items,
                                   gr_vector_int& ninput_items,
                                   gr_vector_const_void_star& input_items,
                                   gr_vector_void_star& output_items)
{
    return guarded([&] {
        if (!d_is_placed)
            d_history = bytes_before_stream(*detail(),
                                            nitems_read(0),
                                            input_items[0],
                                            d_first.history() * d_sample_bytes) /
                        d_sample_bytes;
        d_is_placed = true;
        keep_tags(ninput_items[0]);
        const std::uint64_t channels = d_first.channels;
        chunked_stream::window now;
        now.input = input_items[0];
        now.samples = ninput_items[0] / d_items_per_sample;
        now.output = output_items[0];
        now.rows = noutput_items;
        now.bytes_read = nitems_read(0) / d_items_per_sample * d_sample_bytes;
        now.bytes_written = nitems_written(0) * channels * sizeof(gr_complex);
        now.history = d_history * d_sample_bytes;
        now.origin = channels - d_history % channels + d_first.phase_lead() % channels;
        const chunked_stream::result next = d_stream.step(now, d_framer);
        forward_tags(next.rows);
        consume(0, static_cast<int>(next.consumed * d_items_per_sample));
        return static_cast<int>(next.rows);
    });
}

// Those of the samples that have come: once they are consumed GNU Radio forgets them, and
// a frame that is collected is consumed before its output is there.
void channelizer_core::keep_tags(std::size_t items)
{
    const std::uint64_t zeros = d_history * d_items_per_sample;
    const std::uint64_t end = std::max(nitems_read(0) + items, zeros) - zeros;
    std::vector<tag_t> tags;
    get_tags_in_range(tags, 0, d_tags_end, end);
    d_tags.insert(d_tags.end(), tags.begin(), tags.end());
    d_tags_end = end;
}

// To the output sample that their input sample is the first to be in.
void channelizer_core::forward_tags(std::size_t rows)
{
    const std::size_t row = d_first.hop * d_items_per_sample;
    const std::uint64_t end = nitems_written(0) + rows;
    const auto later =
        std::stable_partition(d_tags.begin(), d_tags.end(), [&](const tag_t& tag) {
            return tag.offset / row < end;
        });
    for (auto tag = d_tags.begin(); tag != later; ++tag) {
        tag->offset /= row;
        add_item_tag(0, *tag);
    }
    d_tags.erase(d_tags.begin(), later);
}

} // namespace gpufft
} // namespace gr
