// SPDX-License-Identifier: GPL-3.0-or-later
//
// Times chunks of frames as the blocks compute them: on the CPU at once, on a card three
// at a time by way of upload, compute and download queues. No figure takes much longer
// than CELL_SECONDS, if a chunk does not.

#ifndef INCLUDED_GPUFFT_CHUNK_METER_H
#define INCLUDED_GPUFFT_CHUNK_METER_H

#include "async_device.h"
#include <gnuradio/gpufft/plan.h>
#include <memory>

namespace gr {
namespace gpufft {

constexpr double CELL_SECONDS = 0.01;

// The clock that measures, in seconds. Tests put one that they control in its place.
struct meter_clock {
    static double steady();
    static double (*now)(); // = steady
};

template <class Step>
double seconds_of(Step&& step)
{
    const double start = meter_clock::now();
    step();
    return meter_clock::now() - start;
}

// Pages of the host with samples in them.
class sample_pages
{
public:
    explicit sample_pages(std::size_t bytes);
    char* address() const { return d_pages.get(); }
    std::shared_ptr<const void> owner() const { return d_pages; }

private:
    std::shared_ptr<char> d_pages;
};

class cpu_meter
{
public:
    // For chunks of up to so many frames.
    cpu_meter(plan::uptr with, std::size_t most_frames);

    void compute(std::size_t frames);

    // Of a chunk.
    double seconds(std::size_t frames);

private:
    const plan::uptr d_plan;
    const sample_pages d_input, d_output;
};

class cuda_meter
{
public:
    // The frames of a chunk that lie apart are uploaded one by one.
    cuda_meter(plan::uptr with,
               async_device::sptr device,
               std::size_t most_frames,
               bool frames_apart);
    ~cuda_meter();

    // A chunk by itself.
    void compute(std::size_t frames);

    // Of such a chunk, from its first copy to the end of its last.
    double delay(std::size_t frames);

    // Between the ends of successive chunks. A chunk that is slow by itself is not
    // repeated: it takes that delay.
    double seconds(std::size_t frames, double delay);

private:
    static constexpr std::size_t SLOTS = 3;

    // Host memory that the card reaches: registered, as a stream's buffers are, or where
    // that is refused beside pinned memory to which the CPU copies.
    struct reachable_memory {
        reachable_memory(async_device& device, std::size_t bytes);
        char* address() const;

        const sample_pages pages;
        std::unique_ptr<async_device::registration> registered;
        std::unique_ptr<async_device::memory> pinned;
    };
    struct slot {
        std::unique_ptr<async_device::memory> input, output;
        std::shared_ptr<async_device::event> uploaded, computed, downloaded;
        std::size_t rows = 0;
    };

    void begin(std::size_t index, std::size_t frames);
    bool is_direct(std::size_t frames) const;
    void upload(std::size_t index, std::size_t frames);
    void end(std::size_t index);

    const plan::uptr d_plan;
    const async_device::sptr d_device;
    const bool d_frames_apart;
    const std::size_t d_input_bytes, d_output_bytes; // of the largest chunk
    reachable_memory d_input, d_output;              // of all slots
    slot d_slots[SLOTS];
    std::unique_ptr<async_device::queue> d_upload, d_compute, d_download;
};

} // namespace gpufft
} // namespace gr

#endif
