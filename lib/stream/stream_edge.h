// SPDX-License-Identifier: GPL-3.0-or-later
//
// Decides whether the data stays on the card between two blocks of this module at the
// ends of one of GNU Radio's buffers. Readers announce themselves in start(). GNU Radio
// calls no work() before every start() has returned, so in its first work() the writer
// knows all readers and makes the ring, or does not. A reader asks for the ring when it
// first has input; by then the writer has decided.

#ifndef INCLUDED_GPUFFT_STREAM_EDGE_H
#define INCLUDED_GPUFFT_STREAM_EDGE_H

#include "shadow_ring.h"
#include <cstdint>
#include <gnuradio/buffer.h>
#include <string>
#include <vector>

namespace gr {
namespace gpufft {

class GPUFFT_API stream_edge
{
public:
    // Where a reader can read.
    enum class reader {
        of_host,   // host memory only
        of_either, // the card, but also needs a copy in host memory
        of_card    // the card, without a copy in host memory
    };

    // The reader's end, from its start() to its stop().
    class input
    {
    public:
        // `cards`: the indices of the cards that read.
        input(const gr::buffer_sptr& buffer, reader can, const std::vector<int>& cards);
        ~input();
        input(const input&) = delete;
        input& operator=(const input&) = delete;

        shadow_ring::sptr ring() const; // null: the data is in host memory only

    private:
        const gr::buffer_sptr d_buffer;
        const reader d_can;
        const std::vector<int> d_cards;
    };

    // The writer's end, from its first work() to its stop().
    class output
    {
    public:
        // What the rings of a block's outputs have together.
        struct common {
            shadow_ring::log_sptr log = std::make_shared<ring_log>();
            std::size_t bytes = SIZE_MAX; // that further rings may have
        };

        // Makes the ring on the device, if there is one and a reader can use it.
        // `keep_host`: the data is also copied to host memory. `ahead`: bytes that the
        // writer may write before GNU Radio's buffer has room for them. `with`: null for
        // a single output.
        output(const gr::buffer_sptr& buffer,
               const async_device::sptr& device,
               bool keep_host,
               std::size_t ahead = 0,
               common* with = nullptr);
        ~output();
        output(const output&) = delete;
        output& operator=(const output&) = delete;

        const shadow_ring::sptr& ring() const { return d_ring; }
        bool to_host() const { return d_to_host; }

        // One sentence: where the data goes, and why.
        const std::string& reason() const { return d_reason; }

    private:
        const gr::buffer_sptr d_buffer;
        shadow_ring::sptr d_ring;
        bool d_to_host = true;
        std::string d_reason;
    };

    static std::size_t count(); // edges in use, for tests
};

} // namespace gpufft
} // namespace gr

#endif
