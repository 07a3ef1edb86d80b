// SPDX-License-Identifier: GPL-3.0-or-later
//
// Where a block's samples come from: GNU Radio's buffers, or rings on a card where
// writers of this module run. The block's thread calls it, from start() to stop().

#ifndef INCLUDED_GPUFFT_CHUNK_INPUT_H
#define INCLUDED_GPUFFT_CHUNK_INPUT_H

#include "chunk_queue.h"
#include "host_buffer.h"
#include "stream_edge.h"
#include <memory>
#include <string>
#include <vector>

namespace gr {
namespace gpufft {

class chunk_input
{
public:
    virtual ~chunk_input() = default;

    // Once the writers have written samples: looks for their rings.
    virtual void find_rings() = 0;
    virtual std::string reason() const = 0; // where samples come from, then

    virtual bool is_on_card() const = 0; // all samples come from rings
    virtual bool is_elsewhere(const chunk_pipeline& on) const = 0; // some, another card's

    // True if a small chunk's kernel can read the chunk's samples in host memory.
    virtual bool can_be_direct(const chunk& next, async_device& on) = 0;

    // Brings the samples to where the kernels read them, before the compute queue
    // continues. If they come from the host, it records next.uploaded, made for this use.
    virtual const char*
    bring(chunk& next, chunk_pipeline& on, async_device::event_use uploaded) = 0;

    // After the kernels: hands the samples in rings back to their writers.
    virtual void hand_back(const chunk& next, chunk_pipeline& on) = 0;
};

// All samples in one buffer.
class buffer_input : public chunk_input
{
public:
    // Announces to the writer that its data may stay on a card.
    buffer_input(const gr::buffer_sptr& buffer,
                 stream_edge::reader can,
                 const std::vector<int>& cards,
                 gr::logger_ptr logger);

    void find_rings() override { d_ring = d_edge.ring(); }
    std::string reason() const override;
    bool is_on_card() const override { return d_ring != nullptr; }
    bool is_elsewhere(const chunk_pipeline& on) const override;
    bool can_be_direct(const chunk& next, async_device& on) override;
    const char*
    bring(chunk& next, chunk_pipeline& on, async_device::event_use uploaded) override;
    void hand_back(const chunk& next, chunk_pipeline& on) override;

private:
    const char* bring_from_ring(chunk& next, chunk_pipeline& on);

    host_side d_side;
    const gr::logger_ptr d_logger;
    const stream_edge::input d_edge;
    shadow_ring::sptr d_ring;
};

// Fills the chunk's first next.lead bytes, which are zeros before the stream.
void bring_zeros(const chunk& next,
                 chunk_pipeline& pipeline,
                 async_device::queue& on,
                 char* to);

} // namespace gpufft
} // namespace gr

#endif
