// SPDX-License-Identifier: GPL-3.0-or-later
//
// plan::execute() on a device: computes from host memory to host memory in chunks,
// through pinned buffers that the CPU fills and empties meanwhile.

#ifndef INCLUDED_GPUFFT_CHUNKED_EXECUTION_H
#define INCLUDED_GPUFFT_CHUNKED_EXECUTION_H

#include "chunk_pipeline.h"
#include <functional>

namespace gr {
namespace gpufft {

// Frames and rows of a run, and its division into chunks.
struct chunked_run {
    frame_layout layout;

    // If rows are not contiguous in the caller's memory: place of each bin in its row,
    // and distance from row to row, in bins. On the device rows are contiguous.
    std::vector<std::size_t> places;
    std::size_t distance = 0;

    std::size_t frames = 0;
    std::size_t frames_in_row = 0; // frames that the first row already has
    std::size_t chunk = 1;         // frames of a chunk

    // Bytes of device memory that the run takes. It takes the same of pinned memory.
    std::size_t needed_bytes() const;
};

// Frames per chunk, at least 1, for a total of `frames`: few enough for chunks to
// overlap, and enough for efficient copies.
GPUFFT_API std::size_t choose_chunk(const frame_layout& layout, std::size_t frames);

// Allocates buffers for the run.
GPUFFT_API void reserve_chunks(const chunked_run& run, chunk_pipeline& with);

// Queues the work on one chunk in device memory.
typedef std::function<void(const void* dev_input,
                           void* dev_output,
                           std::size_t frames,
                           std::size_t frames_in_row,
                           void* queue)>
    chunk_work;

// Runs all frames and waits for the last row. Nothing is in flight when it returns or
// throws.
GPUFFT_API void execute_chunks(const chunked_run& run,
                               chunk_pipeline& with,
                               const void* input,
                               void* output,
                               const chunk_work& work);

} // namespace gpufft
} // namespace gr

#endif
