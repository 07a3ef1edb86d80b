// SPDX-License-Identifier: GPL-3.0-or-later
//
// Sizes of buffers.

#include "stream_buffers.h"
#include <algorithm>
#include <gnuradio/buffer_reader.h>

namespace gr {
namespace gpufft {

stream_buffers::stream_buffers(gr::block_detail& detail, const port_sizes* sizes)
    : sizes(sizes)
{
    for (int port = 0; port < detail.ninputs(); ++port)
        inputs.push_back(detail.input(port)->buffer());
    for (int port = 0; port < detail.noutputs(); ++port)
        outputs.push_back(detail.output(port));
}

std::size_t stream_buffers::bytes_of(const gr::buffer_sptr& buffer)
{
    return std::size_t(buffer->bufsize()) * buffer->get_sizeof_item();
}

bool stream_buffers::is_double_mapped(const gr::buffer_sptr& buffer)
{
    return buffer->get_mapping_type() == gr::buffer_mapping_type::double_mapped;
}

bool stream_buffers::are_double_mapped() const
{
    for (std::size_t i = 0; i < inputs.size(); ++i)
        if (!is_double_mapped(inputs[i]) && !(sizes && sizes->inputs[i].on_card))
            return false;
    for (std::size_t k = 0; k < outputs.size(); ++k)
        if (!is_double_mapped(outputs[k]) && !(sizes && sizes->rows_on_card[k]))
            return false;
    return true;
}

std::size_t stream_buffers::frames_at_inputs(std::size_t frame_bytes,
                                             std::size_t streams) const
{
    std::size_t frames = SIZE_MAX;
    for (std::size_t i = 0; i < inputs.size(); ++i)
        frames = std::min(frames,
                          sizes ? bytes_of(inputs[i]) / sizes->inputs[i].frame
                                : bytes_of(inputs[i]) * streams / frame_bytes);
    return frames;
}

std::size_t stream_buffers::rows_at_outputs(std::size_t row_bytes) const
{
    std::size_t rows = SIZE_MAX;
    for (std::size_t k = 0; k < outputs.size(); ++k)
        rows = std::min(rows,
                        bytes_of(outputs[k]) / 2 / (sizes ? sizes->rows[k] : row_bytes));
    return rows;
}

} // namespace gpufft
} // namespace gr
