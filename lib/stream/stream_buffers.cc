// SPDX-License-Identifier: GPL-3.0-or-later
//
// Sizes of buffers.

#include "stream_buffers.h"
#include "streams_output.h"
#include <algorithm>

namespace gr {
namespace gpufft {

stream_buffers::stream_buffers(gr::block_detail& detail,
                               const port_sizes* sizes,
                               std::size_t row_bytes)
    : input(detail.input(0)->buffer()),
      sizes(sizes),
      row_bytes(row_bytes)
{
    for (int port = 1; sizes && port < detail.ninputs(); ++port)
        more_inputs.push_back(detail.input(port)->buffer());
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
    const auto on_card = [&](std::size_t i) { return sizes && sizes->inputs[i].on_card; };
    bool all = is_double_mapped(input) || on_card(0);
    for (std::size_t i = 0; i < more_inputs.size(); ++i)
        all = all && (is_double_mapped(more_inputs[i]) || on_card(i + 1));
    for (std::size_t k = 0; k < outputs.size(); ++k)
        all = all && (is_double_mapped(outputs[k]) || (sizes && sizes->rows_on_card[k]));
    return all;
}

std::unique_ptr<chunk_output>
stream_buffers::make_output(const row_streams* streams,
                            const gr::logger_ptr& logger) const
{
    if (streams)
        return std::make_unique<streams_output>(outputs, *streams, logger);
    if (sizes)
        return std::make_unique<ports_output>(outputs, *sizes, logger);
    return std::make_unique<buffer_output>(outputs.front(), logger);
}

std::size_t stream_buffers::rows_at_outputs() const
{
    std::size_t rows = SIZE_MAX;
    for (std::size_t k = 0; k < outputs.size(); ++k)
        rows = std::min(rows,
                        bytes_of(outputs[k]) / 2 / (sizes ? sizes->rows[k] : row_bytes));
    return rows;
}

std::size_t stream_buffers::frames_at_more_inputs() const
{
    std::size_t frames = SIZE_MAX;
    for (std::size_t i = 0; i < more_inputs.size(); ++i)
        frames = std::min(frames, bytes_of(more_inputs[i]) / sizes->inputs[i + 1].frame);
    return frames;
}

} // namespace gpufft
} // namespace gr
