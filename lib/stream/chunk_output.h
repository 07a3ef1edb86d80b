// SPDX-License-Identifier: GPL-3.0-or-later
//
// Where a block's rows go: to GNU Radio's buffers, and to rings on a card where readers
// of this module run. The block's thread calls it, from start() to stop().

#ifndef INCLUDED_GPUFFT_CHUNK_OUTPUT_H
#define INCLUDED_GPUFFT_CHUNK_OUTPUT_H

#include "chunk_queue.h"
#include "host_buffer.h"
#include "stream_edge.h"
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace gr {
namespace gpufft {

class chunk_output
{
public:
    virtual ~chunk_output() = default;

    // In the first work(): decides where rows go. device: of all chunks, null if several
    // take turns; keep_host, ahead: see stream_edge::output.
    virtual void
    open(const async_device::sptr& device, bool keep_host, std::size_t ahead) = 0;
    virtual bool is_open() const = 0;
    virtual std::string reason() const = 0; // one sentence: where they go, and why

    virtual bool to_host() const = 0;    // rows also go to host memory
    virtual bool with_cards() const = 0; // other cards read the rows

    // True if a small chunk's kernel can write to the chunk's place in host memory.
    virtual bool can_be_direct(const chunk& next, async_device& on) = 0;

    // Where the kernels write.
    virtual char* choose_destination(chunk& next, chunk_pipeline& on) = 0;

    // Queues what brings the rows to all their readers, after the kernels. Records
    // next.computed, and next.downloaded if they go to host memory.
    virtual void hand_over(chunk& next, chunk_pipeline& on, const char* rows) = 0;

    // After the chunk's end: the rest of the way, for rows that the card could not bring.
    virtual void unstage(const chunk& done) = 0;

    // See chunk_transfer.
    virtual void forget_from(std::uint64_t output_begin) = 0;
    virtual void leave_to_hung() = 0;
};

// All rows in one buffer.
class buffer_output : public chunk_output
{
public:
    buffer_output(const gr::buffer_sptr& buffer, gr::logger_ptr logger)
        : d_side{ buffer },
          d_logger(std::move(logger))
    {
    }

    void
    open(const async_device::sptr& device, bool keep_host, std::size_t ahead) override;
    bool is_open() const override { return d_edge != nullptr; }
    std::string reason() const override { return d_edge->reason(); }
    bool to_host() const override { return d_edge->to_host(); }
    bool with_cards() const override;
    bool can_be_direct(const chunk& next, async_device& on) override;
    char* choose_destination(chunk& next, chunk_pipeline& on) override;
    void hand_over(chunk& next, chunk_pipeline& on, const char* rows) override;
    void unstage(const chunk& done) override { chunk_pipeline::unstage(done); }
    void forget_from(std::uint64_t output_begin) override;
    void leave_to_hung() override;

private:
    host_side d_side;
    const gr::logger_ptr d_logger;
    std::unique_ptr<stream_edge::output> d_edge;
};

} // namespace gpufft
} // namespace gr

#endif
