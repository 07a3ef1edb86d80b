// SPDX-License-Identifier: GPL-3.0-or-later
//
// Keeps the chunks in flight, and the sum of their samples.

#include "chunk_queue.h"

namespace gr {
namespace gpufft {

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
