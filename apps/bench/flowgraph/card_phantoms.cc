// SPDX-License-Identifier: GPL-3.0-or-later
//
// A source and a sink on a card.

#include "card_phantoms.h"
#include "random_samples.h"
#include <gnuradio/block_detail.h>
#include <gnuradio/buffer_reader.h>

namespace gr {
namespace gpufft {

card_source::card_source(std::size_t item_bytes,
                         int device,
                         std::shared_ptr<run_span> span)
    : phantom_source(item_bytes, true, 0, std::move(span)),
      d_device(make_cuda_device(device))
{
}

void card_source::fill_ring()
{
    d_edge = std::make_unique<stream_edge::output>(detail()->output(0), d_device, false);
    const shadow_ring::sptr& ring = d_edge->ring();
    if (!ring)
        throw std::runtime_error("card_source: " + d_edge->reason());
    const auto samples = d_device->allocate_pinned(ring->bytes());
    fill_with_samples(static_cast<char*>(samples->address()), ring->bytes(), true);
    const auto queue = d_device->make_queue();
    d_filled = d_device->make_event(async_device::event_use::awaited);
    d_device->copy(*queue, ring->at(0), samples->address(), ring->bytes());
    d_device->record(*d_filled, *queue);
    d_device->synchronize(*d_filled);
}

bool card_source::stop()
{
    d_edge.reset();
    return true;
}

int card_source::work(int noutput_items,
                      gr_vector_const_void_star& input_items,
                      gr_vector_void_star& output_items)
{
    try {
        if (!d_edge)
            fill_ring();
    } catch (const std::exception& error) { // may not leave work()
        d_span->source_error = error.what();
        return WORK_DONE;
    }
    const int made = phantom_source::work(noutput_items, input_items, output_items);
    if (made > 0) {
        const std::size_t item_bytes = output_signature()->sizeof_stream_item(0);
        const std::uint64_t begin = nitems_written(0) * item_bytes;
        const std::uint64_t end = begin + made * item_bytes;
        d_edge->ring()->log()->before_writing(end); // forgets what was read
        d_edge->ring()->log()->written(begin, end, d_filled);
    }
    return made;
}

card_sink::card_sink(std::size_t item_bytes, int device, std::shared_ptr<run_span> span)
    : phantom_sink(item_bytes, std::move(span)),
      d_device(make_cuda_device(device)),
      d_queue(d_device->make_queue())
{
}

bool card_sink::start()
{
    d_edge = std::make_unique<stream_edge::input>(detail()->input(0)->buffer(),
                                                  stream_edge::reader::of_card,
                                                  std::vector<int>{ d_device->index() });
    return phantom_sink::start();
}

bool card_sink::stop()
{
    d_edge.reset();
    return true;
}

// Items are read as soon as they are there.
int card_sink::work(int noutput_items,
                    gr_vector_const_void_star& input_items,
                    gr_vector_void_star& output_items)
{
    const std::size_t item_bytes = input_signature()->sizeof_stream_item(0);
    const std::uint64_t begin = nitems_read(0) * item_bytes;
    const std::uint64_t end = begin + noutput_items * item_bytes;
    const shadow_ring::sptr ring = d_edge->ring();
    const auto written = ring ? ring->log()->before_reading(begin, end) : std::nullopt;
    if (!written) {
        d_span->sink_error = "card_sink: the items are not on the card";
        return WORK_DONE;
    }
    ring->log()->read(begin, end, ring->bytes(), { ring->device(), *written }, *d_queue);
    return phantom_sink::work(noutput_items, input_items, output_items);
}

} // namespace gpufft
} // namespace gr
