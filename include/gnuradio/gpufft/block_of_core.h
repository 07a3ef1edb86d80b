// SPDX-License-Identifier: GPL-3.0-or-later
//
// A hierarchical block of a single one.

#ifndef INCLUDED_GPUFFT_BLOCK_OF_CORE_H
#define INCLUDED_GPUFFT_BLOCK_OF_CORE_H

#include <gnuradio/block.h>
#include <gnuradio/gpufft/api.h>
#include <gnuradio/hier_block2.h>

namespace gr {
namespace gpufft {

/*!
 * \brief Common part of channelizers, synthesizers and banks of channels: a hierarchical
 * block, which has a fixed number of ports, around the block that does the work.
 */
class GPUFFT_API block_of_core : virtual public gr::hier_block2
{
public:
    /*! \brief The block that does the work. It has what a hierarchical block has not:
     * set_max_noutput_items(), set_thread_priority(), performance counters and more. */
    virtual gr::block_sptr core() const = 0;

    /*! \brief Sets the delay of tags in items of the input, as gr::block's: a tag then
     * goes to the output of the item that comes `delay` items later. */
    void declare_sample_delay(unsigned delay) { core()->declare_sample_delay(delay); }
    void declare_sample_delay(int which, unsigned delay)
    {
        core()->declare_sample_delay(which, delay);
    }

    // Those of gr::hier_block2 have no effect on a single block within.

    /*! \brief Sizes of the output buffers in items, as gr::block's. */
    void set_max_output_buffer(long items) { core()->set_max_output_buffer(items); }
    void set_max_output_buffer(int port, long items)
    {
        core()->set_max_output_buffer(port, items);
    }
    void set_min_output_buffer(long items) { core()->set_min_output_buffer(items); }
    void set_min_output_buffer(int port, long items)
    {
        core()->set_min_output_buffer(port, items);
    }
    long max_output_buffer(int port = 0)
    {
        return core()->max_output_buffer(static_cast<std::size_t>(port));
    }
    long min_output_buffer(int port = 0)
    {
        return core()->min_output_buffer(static_cast<std::size_t>(port));
    }
};

} // namespace gpufft
} // namespace gr

#endif
