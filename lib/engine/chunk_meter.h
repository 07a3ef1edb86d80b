// SPDX-License-Identifier: GPL-3.0-or-later
//
// Times chunks of frames as blocks compute them: on the CPU one by one, on a card three
// in flight through upload, compute and download queues. A figure takes little longer
// than CELL_SECONDS, unless a chunk does.

#ifndef INCLUDED_GPUFFT_CHUNK_METER_H
#define INCLUDED_GPUFFT_CHUNK_METER_H

#include "async_device.h"
#include <gnuradio/gpufft/plan.h>
#include <memory>

namespace gr {
namespace gpufft {

constexpr double CELL_SECONDS = 0.01;

// The clock, in seconds. Tests replace it by one that they control.
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

// Pages of host memory filled with samples.
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
    // For chunks of up to most_frames frames.
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
    // With frames_apart a chunk's frames have gaps, which are not uploaded.
    cuda_meter(plan::uptr with,
               async_device::sptr device,
               std::size_t most_frames,
               bool frames_apart);
    ~cuda_meter();

    // Computes one chunk.
    void compute(std::size_t frames);

    // Time of one chunk alone, from the start of its first copy to the end of its last.
    double delay(std::size_t frames);

    // Time between the ends of successive chunks. A chunk with a long `delay` is not
    // repeated: the result is its delay.
    double seconds(std::size_t frames, double delay);

private:
    static constexpr std::size_t SLOTS = 3;

    // Host memory for the card: registered, as a stream's buffers are, or, if that fails,
    // with pinned memory beside it, to which the CPU copies.
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
