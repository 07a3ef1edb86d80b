// SPDX-License-Identifier: GPL-3.0-or-later
//
// Samples from one buffer.

#include "chunk_input.h"
#include <algorithm>
#include <cstring>

namespace gr {
namespace gpufft {

void bring_zeros(const chunk& next,
                 chunk_pipeline& pipeline,
                 async_device::queue& on,
                 char* to)
{
    if (next.lead == 0)
        return;
    char* const zeros = pipeline.reserve(next.at->staged_input, next.lead);
    std::memset(zeros, 0, next.lead);
    pipeline.device()->copy(on, to, zeros, next.lead);
}

buffer_input::buffer_input(const gr::buffer_sptr& buffer,
                           stream_edge::reader can,
                           const std::vector<int>& cards,
                           gr::logger_ptr logger)
    : d_side{ buffer },
      d_logger(std::move(logger)),
      d_edge(buffer, can, cards)
{
}

std::string buffer_input::reason() const
{
    return d_ring ? "device: " + d_ring->device()->name()
                  : "host: the writer is no block of this module on a card";
}

bool buffer_input::is_elsewhere(const chunk_pipeline& on) const
{
    return d_ring && d_ring->device()->index() != on.device()->index();
}

bool buffer_input::can_be_direct(const chunk&, async_device& on)
{
    return !d_ring && d_side.is_reachable(on, *d_logger);
}

const char*
buffer_input::bring(chunk& next, chunk_pipeline& on, async_device::event_use uploaded)
{
    if (d_ring) {
        const auto written =
            d_ring->log()->before_reading(next.input_begin, next.input_end);
        if (written &&
            on.follow(*d_ring->device(), **written, d_ring->shared().with_host))
            return bring_from_ring(next, on);
    }
    const framer::run& run = next.returns.run;
    sample_pieces samples = next.layout.pieces(run.samples, run.frames);
    if (samples.count == 1)
        samples.bytes = next.input_bytes();
    next.bytes_up = samples.count * samples.bytes;
    next.uploaded = on.take_event(uploaded);
    return on.upload(next, samples, d_side.is_reachable(*on.device(), *d_logger));
}

const char* buffer_input::bring_from_ring(chunk& next, chunk_pipeline& on)
{
    next.reads_ring = true;
    char* there = d_ring->at(next.input_begin);
    if (next.lead == 0 && !is_elsewhere(on))
        return there;
    char* here = on.reserve(next.at->input, next.input_bytes());
    bring_zeros(next, on, on.compute(), here);
    on.device()->copy(
        on.compute(), here + next.lead, there, next.input_end - next.input_begin);
    return here;
}

void buffer_input::hand_back(const chunk& next, chunk_pipeline& on)
{
    if (next.reads_ring)
        d_ring->log()->read(next.input_begin,
                            next.input_end,
                            d_ring->bytes(),
                            { on.device(), next.computed },
                            on.compute());
}

} // namespace gpufft
} // namespace gr
