// SPDX-License-Identifier: GPL-3.0-or-later
//
// The way of chunks through one device: while one chunk is computed, the next is uploaded
// and the previous one downloaded. A card has a copy engine for each direction that works
// beside the kernels, so three queues overlap. plan::execute(), the streams of blocks and
// the break-even measurement all send their chunks through this class.

#ifndef INCLUDED_GPUFFT_CHUNK_PIPELINE_H
#define INCLUDED_GPUFFT_CHUNK_PIPELINE_H

#include "async_device.h"
#include <gnuradio/gpufft/problem.h>
#include <vector>

namespace gr {
namespace gpufft {

// Memory that only grows: of the device, or pinned on the host.
struct growing_memory {
    bool is_pinned = false;
    std::unique_ptr<async_device::memory> memory = nullptr;
    std::size_t bytes = 0;
};

// Samples on the host: `count` pieces that begin `pitch` bytes apart.
struct sample_pieces {
    const char* begin = nullptr;
    std::size_t bytes = 0; // of one piece
    std::size_t pitch = 0;
    std::size_t count = 1;
};

// Layout of a chunk's frames and rows. Frames with gaps (hop > n) are packed for the
// upload.
struct GPUFFT_API frame_layout {
    frame_layout() = default;
    explicit frame_layout(const problem& what);

    std::size_t n = 1;    // samples that a frame spans
    std::size_t hop = 1;  // samples from frame to frame in the caller's memory
    std::size_t bins = 1; // bins of a row
    std::size_t sample_bytes = 8;
    std::size_t bin_bytes = 8;
    std::size_t average = 1; // frames a row

    std::size_t device_hop() const { return hop < n ? hop : n; }
    std::size_t input_bytes(std::size_t frames) const // on the device; frames >= 1
    {
        return ((frames - 1) * device_hop() + n) * sample_bytes;
    }
    std::size_t row_bytes() const { return bins * bin_bytes; }
    std::size_t most_output_bytes(std::size_t frames) const
    {
        return (frames + average - 1) / average * row_bytes();
    }

    // What a chunk grows by for each frame: the bytes that go up or come down, whichever
    // are more.
    std::size_t frame_bytes() const;

    // True if a kernel should access the frames and their rows in host memory.
    bool is_small(std::size_t frames, std::size_t rows) const;

    // The samples of the frames that begin here, without the gaps between frames.
    sample_pieces pieces(const void* begin, std::size_t frames) const;
};

class GPUFFT_API chunk_pipeline
{
public:
    typedef std::shared_ptr<async_device::event> event_sptr;
    typedef async_device::event_use event_use;

    // Chunks in flight: one each in upload, compute and download.
    static constexpr std::size_t SLOTS = 3;

    // Bytes of input or output, whichever is larger, in a whole chunk of a stream. From a
    // chunk's end to the next chunk in its slot, the CPU wakes up and GNU Radio's
    // scheduler comes round: 120 ... 220 us on an H200 in a virtual machine, which the
    // other two chunks must cover. `gpufft bench --flowgraph` there gives, as a share of
    // the link's rate, with CPU load in cores: 4 MiB 0.66 ... 0.94 with 0.6 ... 0.9, 8
    // MiB 1.0 with 0.3 ... 0.8, 16 MiB 1.0 with 0.2 ... 0.5.
    static constexpr std::size_t CHUNK_BYTES = std::size_t(16) << 20;

    // Buffers of one chunk. The staging buffers are for host memory that is not pinned.
    struct slot {
        growing_memory input, output, staged_input{ true }, staged_output{ true };
        event_sptr last_use; // end of the kernels that the next upload must wait for
    };

    // A chunk on its way. Without `uploaded`, its samples go up in the compute queue;
    // without `computed`, its rows come down there.
    struct passage {
        slot* at = nullptr;
        event_sptr uploaded, computed, downloaded;
        char* output = nullptr; // destination of the rows on the host
        std::size_t output_bytes = 0;
        const char* staged = nullptr; // staging memory of the rows, if they need it
    };

    explicit chunk_pipeline(async_device::sptr device);

    const async_device::sptr& device() const { return d_device; }
    async_device::queue& compute() const { return *d_compute; }
    slot& at(std::size_t index) { return d_slots[index]; }

    // Returns the memory with at least `bytes`. Before device memory grows, this waits
    // until the card has finished with it: it may still compute a chunk that the host has
    // already returned.
    char* reserve(growing_memory& what, std::size_t bytes);
    void release(); // of all slots

    // An event that nobody else holds, from a pool: making one takes the driver longer
    // than all other calls for a chunk.
    event_sptr take_event(event_use use);

    // Records an event after everything queued on `compute` so far.
    void mark(async_device::event& when) { d_device->record(when, *d_compute); }

    // Queues the upload of the chunk's samples and makes `compute` wait for it. Returns
    // where they will be. If the device cannot reach them, they go through the staging
    // buffer.
    char* upload(const passage& chunk, const sample_pieces& samples, bool is_reachable);

    // Queues the download of the chunk's rows after `computed`, which is recorded. If the
    // device cannot reach the chunk's `output`, they stop in the staging buffer.
    void download(passage& chunk, const char* rows, bool is_reachable);

    // Waits until the chunk's rows are down, or its samples up; then moves rows from the
    // staging buffer to their destination.
    void wait(const passage& chunk);
    static void unstage(const passage& chunk);

    // Makes `compute` wait for the event of `card`. A card would wait for ever for
    // another one in trouble, so the host waits for another card's event. If that card is
    // in trouble, this returns false, or throws what is wrong unless the card `may_fail`.
    bool follow(async_device& card, const async_device::event& done, bool may_fail);

    // Waits for all queues. Never throws: the caller has met the device's trouble
    // already, or will.
    void finish_all() noexcept;

private:
    struct event_pool {
        std::vector<event_sptr> events;
        std::size_t next = 0;
    };

    const async_device::sptr d_device;
    const std::unique_ptr<async_device::queue> d_upload, d_compute, d_download;
    slot d_slots[SLOTS];
    event_pool d_pools[3]; // for each use
};

} // namespace gpufft
} // namespace gr

#endif
