// SPDX-License-Identifier: GPL-3.0-or-later
//
// Rows on the host, of a block that has a stream for each item of a row: the CPU joins
// them from a call's input buffers, or splits them into its output buffers.

#ifndef INCLUDED_GPUFFT_HOST_ROWS_H
#define INCLUDED_GPUFFT_HOST_ROWS_H

#include "engine/cpu/aligned_buffer.h"
#include "engine/cpu/thread_pool.h"
#include "row_maps.h"
#include "row_streams.h"

namespace gr {
namespace gpufft {

class host_rows
{
public:
    // inputs, outputs: null for one stream of whole rows.
    void start(const row_streams* inputs, const row_streams* outputs);

    bool joins() const { return d_inputs != nullptr; }
    bool splits() const { return d_outputs != nullptr; }
    const row_streams& inputs() const { return *d_inputs; }
    const row_streams& outputs() const { return *d_outputs; }

    // Rows are counted from the streams' start.
    row_maps& maps() { return d_maps; }
    void need_rows(std::int64_t end) { d_maps.need(end, d_inputs->map.get()); }

    // streams[s] points to the item of row `begin`. Returns the address of row `begin` in
    // memory that has rows `first` ... `end` - 1, which stay until the next call.
    const char* join(const std::vector<const void*>& streams,
                     std::int64_t begin,
                     std::int64_t first,
                     std::int64_t end,
                     thread_pool* threads);

    // Room for `rows` rows of row_bytes each, which split() moves.
    char* reserve(std::size_t rows, std::size_t row_bytes);
    void
    split(std::size_t rows, const std::vector<void*>& streams, thread_pool* threads) const
    {
        d_outputs->split(d_split.data(), rows, streams, threads);
    }

private:
    const row_streams* d_inputs = nullptr;
    const row_streams* d_outputs = nullptr;
    row_maps d_maps; // of the inputs
    aligned_buffer<char> d_joined, d_split;
};

} // namespace gpufft
} // namespace gr

#endif
