// SPDX-License-Identifier: GPL-3.0-or-later
//
// The zeros that GNU Radio puts before a stream, as a block finds them.

#ifndef INCLUDED_GPUFFT_STREAM_HISTORY_H
#define INCLUDED_GPUFFT_STREAM_HISTORY_H

#include <cstdint>
#include <gnuradio/block_detail.h>
#include <gnuradio/buffer_reader.h>

namespace gr {
namespace gpufft {

// Bytes before the first item of a stream of which `read` items are consumed and `input`
// is next, given what the block asked for: none after GNU Radio's unlock(), which lets a
// stream begin anew without them.
inline std::uint64_t bytes_before_stream(const gr::block_detail& detail,
                                         std::uint64_t read,
                                         const void* input,
                                         std::uint64_t asked)
{
    const gr::buffer_sptr buffer =
        const_cast<gr::block_detail&>(detail).input(0)->buffer();
    if (buffer->get_mapping_type() != gr::buffer_mapping_type::double_mapped)
        return asked;
    const std::size_t bytes = buffer->bufsize() * buffer->get_sizeof_item();
    const std::size_t at = read * buffer->get_sizeof_item() % bytes;
    const std::size_t place = static_cast<const char*>(input) - buffer->base();
    return (at + bytes - place % bytes) % bytes;
}

} // namespace gpufft
} // namespace gr

#endif
