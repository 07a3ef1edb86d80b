// SPDX-License-Identifier: GPL-3.0-or-later
//
// Blocks, buffers and their readers do not change while a flowgraph runs. A block's own
// thread marks it as done, and then wakes up its neighbours.

#include "last_reader.h"
#include <gnuradio/block_detail.h>
#include <gnuradio/buffer_reader.h>
#include <mutex>

namespace gr {
namespace gpufft {

namespace {

// 1 / PART_AT_ONCE of the buffer stays free for what a writer writes while its reader
// ends. If the writer writes more, the buffer just becomes empty.
constexpr int PART_AT_ONCE = 64;

// True if the predicate holds for any reader of the block's outputs.
template <class Predicate>
bool any_reader(const gr::block& writer, Predicate&& is_so)
{
    const gr::block_detail_sptr detail = writer.detail();
    for (int port = 0; port < detail->noutputs(); ++port) {
        const gr::buffer_sptr buffer = detail->output(port);
        for (std::size_t i = 0; i < buffer->nreaders(); ++i)
            if (is_so(*buffer->reader(i)->link()))
                return true;
    }
    return false;
}

// True for a sink that is not done, and for blocks upstream of one.
bool is_needed(const gr::block& block)
{
    const gr::block_detail_sptr detail = block.detail();
    return !detail->done() && (detail->noutputs() == 0 || any_reader(block, is_needed));
}

bool is_behind_needed_ones(const gr::block& block)
{
    const gr::block_detail_sptr detail = block.detail();
    for (int port = 0; port < detail->ninputs(); ++port) {
        const gr::block_sptr writer = detail->input(port)->buffer()->link();
        if (is_needed(*writer) || is_behind_needed_ones(*writer))
            return true;
    }
    return false;
}

// Makes the buffer look nearly full to its writer, whatever the buffer holds.
void fill(gr::buffer_reader& reader)
{
    const gr::buffer_sptr buffer = reader.buffer();
    const int most = buffer->bufsize() - 1 - buffer->bufsize() / PART_AT_ONCE;
    std::unique_lock<gr::thread::mutex> lock(*buffer->mutex());
    const int there = reader.items_available();
    lock.unlock(); // what is written meanwhile fits the free part
    if (there < most)
        reader.update_read_pointer(there + buffer->bufsize() - most);
}

} // namespace

bool is_unread(const gr::block& block)
{
    const auto reads = [](const gr::block& other) { return !other.detail()->done(); };
    return !any_reader(block, reads) && !is_behind_needed_ones(block);
}

bool ends_unread(const gr::block& block)
{
    if (!is_unread(block))
        return false;
    const gr::block_detail_sptr detail = block.detail();
    for (int port = 0; port < detail->ninputs(); ++port)
        if (detail->input(port)->buffer()->get_mapping_type() ==
            gr::buffer_mapping_type::double_mapped)
            fill(*detail->input(port));
    return true;
}

} // namespace gpufft
} // namespace gr
