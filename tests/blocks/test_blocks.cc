// SPDX-License-Identifier: GPL-3.0-or-later
//
// Sources and sinks of the tests.

#include "test_blocks.h"
#include <algorithm>
#include <chrono>
#include <cstring>
#include <gnuradio/host_buffer.h>
#include <gnuradio/io_signature.h>
#include <thread>

namespace gr {
namespace gpufft {

namespace {
const pmt::pmt_t TAG_KEY = pmt::mp("mark");
const pmt::pmt_t STATUS_PORT = pmt::mp("status");
} // namespace

pace random_pace(random_source& random, std::size_t items)
{
    pace how;
    switch (pick(random, 0, 5)) {
    case 0: // a few items in a call
        how.most_items = pick(random, 1, 7) * (1 + items / 2000);
        break;
    case 1: // slow
        how = { static_cast<int>(pick(random, 1, 100)), 1, 30, 0.002 };
        break;
    case 2: // bursts
        how = { 0, static_cast<int>(pick(random, 2, 6)), 8, 0.01 };
        break;
    default: // at once
        break;
    }
    return how;
}

int pacer::next(int items)
{
    if (d_how.pause_every > 0 && ++d_calls % d_how.pause_every == 0 &&
        d_pauses++ < d_how.pauses)
        std::this_thread::sleep_for(std::chrono::duration<double>(d_how.seconds));
    return d_how.most_items > 0 ? std::min(items, d_how.most_items) : items;
}

scripted_source::scripted_source(const stream_data& what,
                                 const pace& how,
                                 std::uint64_t repeats)
    : sync_block("scripted_source",
                 io_signature::make(0, 0, 0),
                 io_signature::make(1, 1, static_cast<int>(what.item_bytes))),
      d_what(what),
      d_repeats(repeats),
      d_pacer(how)
{
}

bool scripted_source::start()
{
    d_sent = 0;
    d_pacer.start();
    return true;
}

int scripted_source::work(int noutput_items,
                          gr_vector_const_void_star&,
                          gr_vector_void_star& output_items)
{
    const std::uint64_t size = d_what.count();
    if (size == 0 || (d_repeats > 0 && d_sent == size * d_repeats))
        return WORK_DONE;
    const std::uint64_t from = d_sent % size;
    const int count = d_pacer.next(
        static_cast<int>(std::min<std::uint64_t>(noutput_items, size - from)));
    std::memcpy(output_items[0],
                d_what.items.data() + from * d_what.item_bytes,
                count * d_what.item_bytes);
    auto tag = std::lower_bound(
        d_what.tags.begin(), d_what.tags.end(), tag_mark{ from, INT64_MIN });
    for (; tag != d_what.tags.end() && tag->offset < from + count; ++tag)
        add_item_tag(0, d_sent - from + tag->offset, TAG_KEY, pmt::from_long(tag->id));
    d_sent += count;
    return count;
}

gated_source::gated_source(const stream_data& what, std::size_t at_first)
    : sync_block("gated_source",
                 io_signature::make(0, 0, 0),
                 io_signature::make(1, 1, static_cast<int>(what.item_bytes))),
      d_what(what),
      d_at_first(at_first)
{
}

bool gated_source::start()
{
    d_sent = 0;
    return true;
}

int gated_source::work(int noutput_items,
                       gr_vector_const_void_star&,
                       gr_vector_void_star& output_items)
{
    while (d_sent == d_at_first && !d_is_open)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    const std::size_t end = d_sent < d_at_first ? d_at_first : d_what.count();
    const std::size_t count = std::min<std::size_t>(noutput_items, end - d_sent);
    std::copy_n(d_what.items.data() + d_sent * d_what.item_bytes,
                count * d_what.item_bytes,
                static_cast<char*>(output_items[0]));
    d_sent += count;
    return count > 0 ? static_cast<int>(count) : WORK_DONE;
}

recording_sink::recording_sink(std::size_t item_bytes,
                               const pace& how,
                               std::uint64_t most)
    : sync_block("recording_sink",
                 io_signature::make(1, 1, static_cast<int>(item_bytes)),
                 io_signature::make(0, 0, 0)),
      d_most(most),
      d_pacer(how)
{
    d_received.item_bytes = d_received_before.item_bytes = item_bytes;
    message_port_register_in(STATUS_PORT);
    set_msg_handler(STATUS_PORT, [this](const pmt::pmt_t& text) { note(text); });
}

bool recording_sink::start()
{
    std::swap(d_received, d_received_before);
    d_received.item_bytes = d_received_before.item_bytes;
    d_received.items.clear();
    d_received.tags.clear();
    d_pacer.start();
    d_count = 0;
    d_has_stopped = false;
    return true;
}

bool recording_sink::stop()
{
    d_has_stopped = true;
    return true;
}

int recording_sink::work(int noutput_items,
                         gr_vector_const_void_star& input_items,
                         gr_vector_void_star&)
{
    const int count = d_pacer.next(noutput_items);
    const char* in = static_cast<const char*>(input_items[0]);
    const std::uint64_t kept =
        std::min<std::uint64_t>(count, d_most - d_received.count());
    d_received.items.insert(
        d_received.items.end(), in, in + kept * d_received.item_bytes);
    std::vector<tag_t> tags;
    get_tags_in_window(tags, 0, 0, kept);
    for (const tag_t& tag : tags)
        d_received.tags.push_back({ tag.offset, pmt::to_long(tag.value) });
    d_count += count;
    return count;
}

void recording_sink::note(const pmt::pmt_t& status)
{
    d_errors += pmt::dict_has_key(status, pmt::mp("error"));
}

std::size_t recording_sink::errors()
{
    // Those that came when its thread had ended are still in the queue.
    while (const pmt::pmt_t status = delete_head_nowait(STATUS_PORT))
        note(status);
    return d_errors.exchange(0);
}

periodic_sink::periodic_sink(const stream_data& period)
    : sync_block("periodic_sink",
                 io_signature::make(1, 1, static_cast<int>(period.item_bytes)),
                 io_signature::make(0, 0, 0)),
      d_period(period)
{
}

bool periodic_sink::start()
{
    d_count = 0;
    return true;
}

int periodic_sink::work(int noutput_items,
                        gr_vector_const_void_star& input_items,
                        gr_vector_void_star&)
{
    const std::size_t bytes = d_period.item_bytes;
    const char* in = static_cast<const char*>(input_items[0]);
    for (int i = 0; i < noutput_items; i++) {
        const std::size_t at = (d_count + i) % d_period.count();
        d_wrong += !is_item(in + i * bytes, d_period, at);
    }
    d_count += noutput_items;
    return noutput_items;
}

custom_copy::custom_copy(std::size_t item_bytes)
    : sync_block(
          "custom_copy",
          io_signature::make(1, 1, static_cast<int>(item_bytes), gr::host_buffer::type),
          io_signature::make(1, 1, static_cast<int>(item_bytes), gr::host_buffer::type)),
      d_item_bytes(item_bytes)
{
}

int custom_copy::work(int noutput_items,
                      gr_vector_const_void_star& input_items,
                      gr_vector_void_star& output_items)
{
    std::memcpy(output_items[0], input_items[0], noutput_items * d_item_bytes);
    return noutput_items;
}

} // namespace gpufft
} // namespace gr
