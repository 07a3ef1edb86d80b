// SPDX-License-Identifier: GPL-3.0-or-later
//
// Computes from host memory to host memory on the GPU, in chunks: while one chunk is
// computed, the next is uploaded and the previous one downloaded, each on its own stream,
// through pinned buffers that the CPU fills and empties meanwhile.

#ifndef INCLUDED_GPUFFT_CUDA_TRANSFER_PIPELINE_H
#define INCLUDED_GPUFFT_CUDA_TRANSFER_PIPELINE_H

#include "device.h"
#include <array>
#include <functional>
#include <vector>

namespace gr {
namespace gpufft {

// Layout of frames and rows. Frames with gaps (hop > n) are packed for the upload.
struct frame_layout {
    std::size_t n = 1;    // samples that a frame spans
    std::size_t hop = 1;  // samples from frame to frame in the caller's memory
    std::size_t bins = 1; // bins of a row
    std::size_t sample_bytes = 8;
    std::size_t bin_bytes = 8;
    std::size_t average = 1; // frames a row

    // For rows that are not contiguous in the caller's memory: place of each bin in its
    // row, and distance from row to row, in bins. On the device rows are contiguous.
    std::vector<std::size_t> places;
    std::size_t distance = 0;

    std::size_t device_hop() const { return hop < n ? hop : n; }
    std::size_t input_bytes(std::size_t frames) const // on the device; frames >= 1
    {
        return ((frames - 1) * device_hop() + n) * sample_bytes;
    }
    std::size_t row_bytes() const { return bins * bin_bytes; }
    std::size_t bytes_between_rows() const // in the caller's memory
    {
        return places.empty() ? row_bytes() : distance * bin_bytes;
    }
    std::size_t most_output_bytes(std::size_t frames) const
    {
        return (frames + average - 1) / average * row_bytes();
    }
};

// Frames per chunk, at least 1, for a total of `frames`: few enough for chunks to
// overlap, and enough for efficient copies.
std::size_t choose_chunk(const frame_layout& layout, std::size_t frames);

class transfer_pipeline
{
public:
    // Queues the work on one chunk in device memory.
    typedef std::function<void(const void* dev_input,
                               void* dev_output,
                               std::size_t frames,
                               std::size_t frames_in_row,
                               CUstream stream)>
        compute;

    explicit transfer_pipeline(const device_context& context);

    // Allocates buffers for runs of `frames` frames in chunks of `chunk`.
    void reserve(const frame_layout& layout, std::size_t chunk, std::size_t frames);
    void release(); // all buffers

    // Bytes of device memory that reserve() takes, and as many of pinned memory.
    static std::size_t
    needed_bytes(const frame_layout& layout, std::size_t chunk, std::size_t frames);

    // Runs all frames and waits for the last row. Nothing is in flight when it returns or
    // throws.
    void run(const frame_layout& layout,
             std::size_t chunk,
             const void* input,
             void* output,
             std::size_t frames,
             std::size_t frames_in_row,
             const compute& work);

private:
    // A chunk's buffers, and where its rows go.
    struct slot {
        explicit slot(const device_context& context);
        memory_buffer host_input, dev_input, dev_output, host_output;
        event_uptr uploaded, computed, downloaded;
        char* destination = nullptr;
        std::size_t output_bytes = 0;
        bool in_flight = false;
    };

    void submit(slot& chunk,
                const frame_layout& layout,
                std::size_t frames,
                std::size_t frames_in_row,
                bool alone,
                const compute& work);
    void finish(slot& chunk, const frame_layout& layout);
    void wait_for_all() noexcept;

    static constexpr std::size_t SLOTS = 3; // upload, compute, download at once
    const device_context& d_context;
    stream_uptr d_upload, d_compute, d_download;
    std::array<slot, SLOTS> d_slots;
};

} // namespace gpufft
} // namespace gr

#endif
