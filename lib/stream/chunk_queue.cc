// SPDX-License-Identifier: GPL-3.0-or-later
//
// Keeps the chunks in flight, and the sum of their samples.

#include "chunk_queue.h"
#include <algorithm>

namespace gr {
namespace gpufft {

port_part port_part::behind(std::uint64_t zeros, std::uint64_t from, std::uint64_t to)
{
    port_part part;
    part.lead = std::max(zeros, from) - from;
    part.begin = from + part.lead - zeros;
    part.end = std::max(to, zeros) - zeros;
    return part;
}

chunk& chunk_queue::push(const chunk& next)
{
    d_in_flight.push_back(next);
    d_samples += next.returns.consumed;
    d_rows += next.returns.rows;
    return d_in_flight.back();
}

// Nothing may throw after the chunk has left the queue: the chunk would be neither
// returned nor computed again.
chunk_result chunk_queue::pop()
{
    const chunk_result returns = oldest().returns;
    if (oldest().computed)
        d_outstanding.push_back(oldest());
    d_in_flight.pop_front();
    d_samples -= returns.consumed;
    d_rows -= returns.rows;
    return returns;
}

} // namespace gpufft
} // namespace gr
