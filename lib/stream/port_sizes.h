// SPDX-License-Identifier: GPL-3.0-or-later
//
// Blocks with several inputs or outputs, each with its own number of bytes for a frame.
// A frame takes from each input, and its row adds to each output.

#ifndef INCLUDED_GPUFFT_PORT_SIZES_H
#define INCLUDED_GPUFFT_PORT_SIZES_H

#include "chunk_queue.h"
#include "function_plan.h"
#include <vector>

namespace gr {
namespace gpufft {

// Bytes at the ports.
struct port_sizes {
    struct input {
        std::size_t frame = 0;   // new bytes of a frame
        std::size_t history = 0; // before them
        bool on_card = false;    // the buffer is one of cuda_buffers
    };
    std::vector<input> inputs;
    std::vector<std::size_t> rows;  // of the outputs
    std::vector<bool> rows_on_card; // buffers that are cuda_buffers

    bool are_on_card() const; // some
    bool are_several() const
    {
        return inputs.size() > 1 || rows.size() > 1 || are_on_card();
    }
    std::size_t most() const; // bytes of a frame or a row

    // Sets the parts of a chunk whose first row is `row` of the stream and `ahead` rows
    // behind what the ports show.
    void cut(std::uint64_t row,
             std::size_t ahead,
             const std::vector<const void*>& shown_inputs,
             const std::vector<void*>& shown_outputs,
             chunk& next) const;
};

// For the function: the ports after the first, of a chunk on the card, and of a call that
// computes in host memory.
more_places places_of(const chunk& on_card);
more_places places_of(const std::vector<const void*>& inputs,
                      const std::vector<void*>& outputs);

} // namespace gpufft
} // namespace gr

#endif
