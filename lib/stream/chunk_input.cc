// SPDX-License-Identifier: GPL-3.0-or-later
//
// Samples from one buffer.

#include "chunk_input.h"
#include <algorithm>
#include <cstring>

namespace gr {
namespace gpufft {

void bring_zeros(const port_part& part,
                 growing_memory& staged,
                 chunk_pipeline& pipeline,
                 async_device::queue& on,
                 char* to)
{
    if (part.lead == 0)
        return;
    char* const zeros = pipeline.reserve(staged, part.lead);
    std::memset(zeros, 0, part.lead);
    pipeline.device()->copy(on, to, zeros, part.lead);
}

input_port::input_port(const gr::buffer_sptr& buffer,
                       stream_edge::reader can,
                       const std::vector<int>& cards)
    : side{ buffer },
      edge(std::make_unique<stream_edge::input>(buffer, can, cards))
{
}

bool input_port::is_elsewhere(const chunk_pipeline& on) const
{
    return ring && ring->device()->index() != on.device()->index();
}

char* input_port::take_from_ring(port_part& part,
                                 growing_memory& copied,
                                 growing_memory& staged,
                                 chunk_pipeline& on)
{
    if (!ring)
        return nullptr;
    const auto written = ring->log()->before_reading(part.begin, part.end);
    if (!written ||
        (*written && !on.follow(*ring->device(), **written, ring->shared().with_host)))
        return nullptr;
    part.reads_ring = true;
    char* const there = ring->at(part.begin);
    if (part.lead == 0 && !is_elsewhere(on))
        return there;
    char* const here = on.reserve(copied, part.bytes());
    bring_zeros(part, staged, on, on.compute(), here);
    on.device()->copy(on.compute(), here + part.lead, there, part.end - part.begin);
    return here;
}

void input_port::hand_back(const port_part& part,
                           const chunk& done,
                           chunk_pipeline& on) const
{
    if (part.reads_ring)
        ring->log()->read(part.begin,
                          part.end,
                          ring->bytes(),
                          { on.device(), done.computed },
                          on.compute());
}

buffer_input::buffer_input(const gr::buffer_sptr& buffer,
                           stream_edge::reader can,
                           const std::vector<int>& cards,
                           gr::logger_ptr logger)
    : d_port(buffer, can, cards),
      d_logger(std::move(logger))
{
}

std::string buffer_input::reason() const
{
    return d_port.ring ? "device: " + d_port.ring->device()->name()
                       : "host: the writer is no block of this module on a card";
}

bool buffer_input::can_be_direct(const chunk&, async_device& on)
{
    return !d_port.ring && d_port.side.is_reachable(on, *d_logger);
}

const char*
buffer_input::bring(chunk& next, chunk_pipeline& on, async_device::event_use uploaded)
{
    if (char* const there =
            d_port.take_from_ring(next.input, next.at->input, next.at->staged_input, on))
        return there;
    const framer::run& run = next.returns.run;
    sample_pieces samples = next.layout.pieces(run.samples, run.frames);
    if (samples.count == 1)
        samples.bytes = next.input.bytes();
    next.bytes_up = samples.count * samples.bytes;
    next.uploaded = on.take_event(uploaded);
    return on.upload(next, samples, d_port.side.is_reachable(*on.device(), *d_logger));
}

} // namespace gpufft
} // namespace gr
