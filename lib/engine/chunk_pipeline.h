// SPDX-License-Identifier: GPL-3.0-or-later
//
// Moves chunks through one device: while one chunk is computed, the next is uploaded and
// the previous one downloaded. A card has a copy engine for each direction, which works
// beside the kernels, so three queues overlap. plan::execute(), the streams of blocks and
// the break-even measurement all send their chunks through this class.

#ifndef INCLUDED_GPUFFT_CHUNK_PIPELINE_H
#define INCLUDED_GPUFFT_CHUNK_PIPELINE_H

#include "async_device.h"
#include <algorithm>
#include <gnuradio/gpufft/problem.h>
#include <vector>

namespace gr {
namespace gpufft {

// Memory of the device, or pinned memory of the host, that only grows.
struct growing_memory {
    bool is_pinned = false;
    std::unique_ptr<async_device::memory> memory = nullptr;
    std::size_t bytes = 0;
};

// Samples on the host: `count` pieces that begin `pitch` bytes apart.
struct sample_pieces {
    const char* begin = nullptr;
    std::size_t bytes = 0; // bytes of one piece
    std::size_t pitch = 0;
    std::size_t count = 1;
};

// Layout of a chunk's frames and rows. Frames with gaps (hop > n) are packed for the
// upload. Samples are counted in items: see problem::samples_in_item().
struct GPUFFT_API frame_layout {
    frame_layout() = default;
    explicit frame_layout(const problem& what);

    std::size_t n = 1;    // samples that a frame spans
    std::size_t hop = 1;  // samples from frame to frame in the caller's memory
    std::size_t bins = 1; // bins of a row
    std::size_t samples_in_item = 1;
    std::size_t sample_bytes = 8; // of an item
    std::size_t bin_bytes = 8;
    std::size_t average = 1; // frames a row

    std::size_t device_hop() const { return hop < n ? hop : n; }
    std::size_t kernel_hop() const { return device_hop() * samples_in_item; }
    std::size_t input_bytes(std::size_t frames) const // on the device; frames >= 1
    {
        return ((frames - 1) * device_hop() + n) * sample_bytes;
    }
    std::size_t row_bytes() const { return bins * bin_bytes; }
    std::size_t most_output_bytes(std::size_t frames) const
    {
        return (frames + average - 1) / average * row_bytes();
    }

    // Bytes that each frame adds to a chunk's upload or download, whichever is larger.
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

    // Bytes of input or output, whichever is larger, in a whole chunk of a stream.
    // Between a chunk's end and the next chunk in its slot, the CPU wakes up and GNU
    // Radio's scheduler runs: 120 ... 220 us on an H200 in a virtual machine, which the
    // other two chunks must cover. There `gpufft bench --flowgraph` reached 0.66 ... 0.94
    // of the link's rate with 4 MiB, at a CPU load of 0.6 ... 0.9 cores; 1.0 with 8 MiB,
    // at 0.3 ... 0.8; and 1.0 with 16 MiB, at 0.2 ... 0.5.
    static constexpr std::size_t CHUNK_BYTES = std::size_t(16) << 20;

    // The same of a block with `streams` streams. A call of work() takes GNU Radio some
    // 0.7 us for each (1024 streams on that host), in which the link moves 32 KiB. The
    // buffers on both sides have six times these bytes, hence the limit.
    static constexpr std::size_t STREAM_BYTES = std::size_t(64) << 10;
    static constexpr std::size_t MOST_CHUNK_BYTES = std::size_t(64) << 20;
    static constexpr std::size_t bytes_of_chunk(std::size_t streams)
    {
        return std::clamp(streams * STREAM_BYTES, CHUNK_BYTES, MOST_CHUNK_BYTES);
    }

    // Buffers of one chunk; the staging buffers serve host memory that is not pinned.
    struct port_memory {
        growing_memory memory, staged{ true };
    };
    struct slot {
        growing_memory input, output, staged_input{ true }, staged_output{ true };
        std::vector<port_memory> inputs, outputs; // instead, of blocks with several ports
        event_sptr last_use; // end of the kernels that the next upload must wait for
    };

    // A chunk in flight. If `uploaded` is null, its samples are uploaded in the compute
    // queue; if `computed` is null, its rows are downloaded there.
    struct passage {
        slot* at = nullptr;
        event_sptr uploaded, computed, downloaded;
        char* output = nullptr; // destination of the rows on the host
        std::size_t output_bytes = 0;
        const char* staged = nullptr; // staging buffer of the rows, if they need one
    };

    explicit chunk_pipeline(async_device::sptr device);

    const async_device::sptr& device() const { return d_device; }
    async_device::queue& compute() const { return *d_compute; }
    slot& at(std::size_t index) { return d_slots[index]; }

    // Returns the memory with at least `bytes`. Before device memory grows, waits until
    // the card, which may still compute a chunk that the host has already returned, has
    // finished with it.
    char* reserve(growing_memory& what, std::size_t bytes);
    void release(); // frees the buffers of all slots

    // An event that nobody else holds, from a pool: making an event takes the driver
    // longer than all other calls for a chunk.
    event_sptr take_event(event_use use);

    // Records an event after everything queued on `compute` so far.
    void mark(async_device::event& when) { d_device->record(when, *d_compute); }

    // Queues the upload of the chunk's samples and makes `compute` wait for it. Returns
    // their address on the device. Samples that the device cannot reach go through the
    // staging buffer.
    char* upload(const passage& chunk, const sample_pieces& samples, bool is_reachable);

    // The same with copy(queue), which queues what brings the samples to the device.
    template <class Copy>
    void upload_by(const passage& chunk, Copy&& copy)
    {
        copy(begin_upload(chunk));
        end_upload(chunk);
    }

    // Queues a copy of samples to the device, through `staged` unless it is null.
    void copy_samples(async_device::queue& on,
                      char* there,
                      const sample_pieces& samples,
                      growing_memory* staged);

    // Records `computed` and queues the download of the chunk's rows after it. If the
    // device cannot reach the chunk's `output`, the rows go to the staging buffer.
    void download(passage& chunk, const char* rows, bool is_reachable);

    // The same with copy(queue), which queues what brings the rows to the host.
    template <class Copy>
    void download_by(passage& chunk, Copy&& copy)
    {
        async_device::queue& on = begin_download(chunk);
        copy(on);
        d_device->record(*chunk.downloaded, on);
    }

    // Waits for the chunk's download, or if there is none its upload.
    void wait(const passage& chunk);
    // After wait(): copies rows from the staging buffer to their destination.
    static void unstage(const passage& chunk);

    // Makes `compute` wait for the event of `card`. The host waits for another card's
    // event, because a card would wait for ever if the other one is in trouble. Then this
    // returns false if the card `may_fail`, else throws what is wrong.
    bool follow(async_device& card, const async_device::event& done, bool may_fail);

    // Waits for all queues. Never throws: other calls report the device's trouble.
    void finish_all() noexcept;

private:
    async_device::queue& begin_upload(const passage& chunk);
    void end_upload(const passage& chunk);
    async_device::queue& begin_download(const passage& chunk);

    struct event_pool {
        std::vector<event_sptr> events;
        std::size_t next = 0;
    };

    const async_device::sptr d_device;
    const std::unique_ptr<async_device::queue> d_upload, d_compute, d_download;
    slot d_slots[SLOTS];
    event_pool d_pools[3]; // one for each event_use
};

} // namespace gpufft
} // namespace gr

#endif
