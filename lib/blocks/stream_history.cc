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

bool is_double_mapped(const gr::buffer_sptr& buffer)
{
    return buffer->get_mapping_type() == gr::buffer_mapping_type::double_mapped;
}

// Those that this reader has or, after unlock(), can have.
int zeros_of(const gr::block& reader, gr::buffer_reader& input)
{
    const int wanted = static_cast<int>(reader.history()) - 1;
    if (!is_double_mapped(input.buffer()))
        return wanted; // otherwise GNU Radio hangs after unlock()
    const int there = input.items_available();
    return there > 0 ? there : std::min(wanted, int(input.buffer()->bufsize()) - 1);
}

void put_zeros(gr::block_detail& detail, int port, int zeros)
{
    const gr::buffer_reader_sptr before = detail.input(port);
    const gr::buffer_sptr buffer = before->buffer();
    if (!is_double_mapped(buffer) || before->items_available() == zeros)
        return;
    const gr::buffer_reader_sptr now =
        gr::buffer_add_reader(buffer, zeros, before->link(), before->sample_delay());
    std::memset(const_cast<void*>(now->read_pointer()),
                0,
                std::size_t(zeros) * buffer->get_sizeof_item());
    detail.set_input(port, now);
}

} // namespace

std::size_t zeros_before_stream(gr::block& reader)
{
    const gr::block_detail_sptr detail = reader.detail();
    const std::lock_guard<std::mutex> lock(s_mutex);
    int zeros = static_cast<int>(reader.history()) - 1;
    for (int port = 0; port < detail->ninputs(); ++port)
        zeros = std::min(zeros, zeros_of(reader, *detail->input(port)));
    for (int port = 0; port < detail->ninputs(); ++port)
        put_zeros(*detail, port, zeros);
    return zeros;
}

} // namespace gpufft
} // namespace gr
