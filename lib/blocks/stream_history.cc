// SPDX-License-Identifier: GPL-3.0-or-later
//
// The zeros are the items that a reader has before its writer has written any: GNU Radio
// starts all blocks before it calls any work().

#include "stream_history.h"
#include "engine/forks.h"
#include <algorithm>
#include <cstring>
#include <gnuradio/block_detail.h>
#include <gnuradio/buffer_reader.h>
#include <mutex>

namespace gr {
namespace gpufft {

namespace {

// Readers of one buffer may start at the same time.
std::mutex& s_mutex = free_at_forks(process_mutex::history, *new std::mutex);

} // namespace

std::size_t zeros_before_stream(gr::block& reader, int port)
{
    const gr::block_detail_sptr detail = reader.detail();
    const gr::buffer_sptr buffer = detail->input(port)->buffer();
    const std::lock_guard<std::mutex> lock(s_mutex);
    const gr::buffer_reader_sptr before = detail->input(port);
    if (buffer->get_mapping_type() != gr::buffer_mapping_type::double_mapped)
        return reader.history() - 1; // otherwise GNU Radio hangs after unlock()
    const int there = before->items_available();
    const int zeros = std::min<int>(reader.history(), buffer->bufsize()) - 1;
    if (there > 0 || zeros == 0)
        return there;
    const gr::buffer_reader_sptr now =
        gr::buffer_add_reader(buffer, zeros, before->link(), before->sample_delay());
    std::memset(const_cast<void*>(now->read_pointer()),
                0,
                std::size_t(zeros) * buffer->get_sizeof_item());
    detail->set_input(port, now);
    return zeros;
}

} // namespace gpufft
} // namespace gr
