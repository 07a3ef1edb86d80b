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

// One of GNU Radio's buffers with a reader on a card. Announces to the writer that its
// data may stay there.
struct input_port {
    input_port(const gr::buffer_sptr& buffer,
               stream_edge::reader can,
               const std::vector<int>& cards);

    bool is_elsewhere(const chunk_pipeline& on) const; // the ring, on another card

    // Where the kernels read this part: in the ring, or a copy of it in `copied`, which
    // is needed after zeros or of another card's ring. Null if the ring has not all.
    char* take_from_ring(port_part& part,
                         growing_memory& copied,
                         growing_memory& staged,
                         chunk_pipeline& on);
    void hand_back(const port_part& part, const chunk& done, chunk_pipeline& on) const;

    host_side side;
    std::unique_ptr<stream_edge::input> edge;
    shadow_ring::sptr ring = nullptr; // find_rings() sets it
};

// All samples in one buffer.
class buffer_input : public chunk_input
{
public:
    buffer_input(const gr::buffer_sptr& buffer,
                 stream_edge::reader can,
                 const std::vector<int>& cards,
                 gr::logger_ptr logger);

    void find_rings() override { d_port.ring = d_port.edge->ring(); }
    std::string reason() const override;
    bool is_on_card() const override { return d_port.ring != nullptr; }
    bool is_elsewhere(const chunk_pipeline& on) const override
    {
        return d_port.is_elsewhere(on);
    }
    bool can_be_direct(const chunk& next, async_device& on) override;
    const char*
    bring(chunk& next, chunk_pipeline& on, async_device::event_use uploaded) override;
    void hand_back(const chunk& next, chunk_pipeline& on) override
    {
        d_port.hand_back(next.input, next, on);
    }

private:
    input_port d_port;
    const gr::logger_ptr d_logger;
};

// Fills the part's first `lead` bytes, which are zeros before the stream.
void bring_zeros(const port_part& part,
                 growing_memory& staged,
                 chunk_pipeline& pipeline,
                 async_device::queue& on,
                 char* to);

} // namespace gpufft
} // namespace gr

#endif
