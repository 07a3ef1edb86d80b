// SPDX-License-Identifier: GPL-3.0-or-later
//
// A source and a sink that cost nothing, to time the blocks between them. The source
// counts items out without writing them: zeros once its pages are touched, not dirty in
// any cache.

#ifndef INCLUDED_GPUFFT_PHANTOM_BLOCKS_H
#define INCLUDED_GPUFFT_PHANTOM_BLOCKS_H

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <gnuradio/io_signature.h>
#include <gnuradio/sync_block.h>
#include <memory>

namespace gr {
namespace gpufft {

class phantom_source : public gr::sync_block
{
public:
    phantom_source(std::size_t item_bytes, std::uint64_t total)
        : gr::sync_block("phantom_source",
                         gr::io_signature::make(0, 0, 0),
                         gr::io_signature::make(1, 1, static_cast<int>(item_bytes))),
          d_left(total)
    {
    }

    int work(int noutput_items, gr_vector_const_void_star&, gr_vector_void_star&) override
    {
        if (d_left == 0)
            return WORK_DONE;
        const std::uint64_t count = std::min<std::uint64_t>(noutput_items, d_left);
        d_left -= count;
        return static_cast<int>(count);
    }

private:
    std::uint64_t d_left;
};

// Times from the first items to the last, so that start and stop of the flowgraph do not
// count.
class phantom_sink : public gr::sync_block
{
public:
    explicit phantom_sink(std::size_t item_bytes)
        : gr::sync_block("phantom_sink",
                         gr::io_signature::make(1, 1, static_cast<int>(item_bytes)),
                         gr::io_signature::make(0, 0, 0))
    {
    }

    int work(int noutput_items, gr_vector_const_void_star&, gr_vector_void_star&) override
    {
        const clock::time_point now = clock::now();
        if (!d_started) {
            d_started = true;
            d_first = now;
        } else {
            d_items += noutput_items;
        }
        d_last = now;
        return noutput_items;
    }

    // 0 if all came at once.
    double items_per_second() const
    {
        const std::chrono::duration<double> span = d_last - d_first;
        return d_items > 0 ? d_items / span.count() : 0;
    }

private:
    typedef std::chrono::steady_clock clock;

    bool d_started = false;
    clock::time_point d_first;
    clock::time_point d_last;
    std::uint64_t d_items = 0;
};

} // namespace gpufft
} // namespace gr

#endif
