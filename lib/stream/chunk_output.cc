// SPDX-License-Identifier: GPL-3.0-or-later
//
// Rows into one buffer.

#include "chunk_output.h"
#include <algorithm>

namespace gr {
namespace gpufft {

bool is_in(const gr::buffer_sptr& buffer, const char* address)
{
    const std::less<const char*> before;
    return !before(address, buffer->base()) &&
           before(address,
                  buffer->base() +
                      2 * std::size_t(buffer->bufsize()) * buffer->get_sizeof_item());
}

void buffer_output::open(const async_device::sptr& device,
                         bool keep_host,
                         std::size_t ahead)
{
    d_edge =
        std::make_unique<stream_edge::output>(d_side.buffer, device, keep_host, ahead);
}

bool buffer_output::with_cards() const
{
    return d_edge->ring() && d_edge->ring()->shared().with_cards;
}

bool buffer_output::can_be_direct(const chunk& next, async_device& on)
{
    return !d_edge->ring() && is_in(d_side.buffer, next.output) &&
           d_side.is_reachable(on, *d_logger);
}

// The ring or, without one, the slot.
char* buffer_output::choose_destination(chunk& next, chunk_pipeline& on)
{
    if (const shadow_ring::sptr& ring = d_edge->ring()) {
        for (const ring_log::reading& each : ring->log()->before_writing(next.output_end))
            on.follow(*each.card, *each.done, true); // unless that card is in trouble
        return ring->at(next.output_begin);
    }
    return on.reserve(next.at->output,
                      std::max(next.output_bytes, next.layout.row_bytes()));
}

void buffer_output::hand_over(chunk& next, chunk_pipeline& on, const char* rows)
{
    on.mark(*next.computed);
    if (d_edge->ring() && next.output_bytes > 0)
        d_edge->ring()->log()->written(next.output_begin, next.output_end, next.computed);
    if (!d_edge->to_host())
        return;
    next.downloaded = on.take_event(async_device::event_use::awaited);
    on.download(next,
                rows,
                is_in(d_side.buffer, next.output) &&
                    d_side.is_reachable(*on.device(), *d_logger));
}

void buffer_output::forget_from(std::uint64_t output_begin)
{
    if (d_edge && d_edge->ring())
        d_edge->ring()->log()->forget_from(output_begin);
}

void buffer_output::leave_to_hung()
{
    if (d_side.registered)
        d_side.registered->move_away();
}

} // namespace gpufft
} // namespace gr
