// SPDX-License-Identifier: GPL-3.0-or-later
//
// Times chunks of frames as blocks compute them: on the CPU one by one, on a card with as
// many in flight as a chunk_pipeline has slots. A measurement takes little longer than
// CELL_SECONDS, unless a chunk does.

#ifndef INCLUDED_GPUFFT_CHUNK_METER_H
#define INCLUDED_GPUFFT_CHUNK_METER_H

#include "chunk_pipeline.h"
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

// Pages of host memory filled with samples. If possible they are registered with the
// card, as a stream's buffers are.
class sample_pages
{
public:
    explicit sample_pages(std::size_t bytes, async_device* card = nullptr);
    char* address() const { return d_pages.get(); }
    bool is_registered() const { return d_registration != nullptr; }

private:
    std::shared_ptr<char> d_pages;
    std::unique_ptr<async_device::registration> d_registration;
};

class cpu_meter
{
public:
    // For chunks of up to most_frames frames.
    cpu_meter(plan::uptr with, std::size_t most_frames);

    void compute(std::size_t frames);

    // Mean time of a chunk.
    double seconds(std::size_t frames);

private:
    const plan::uptr d_plan;
    const sample_pages d_input, d_output;
};

class cuda_meter
{
public:
    // With frames_apart a chunk's frames lie apart, and the gaps are not uploaded.
    cuda_meter(plan::uptr with,
               async_device::sptr device,
               std::size_t most_frames,
               bool frames_apart);
    ~cuda_meter();

    // Computes one chunk.
    void compute(std::size_t frames);

    // Time of one chunk alone, from the start of its first copy to the end of its last.
    double delay(std::size_t frames);

    // Mean time between the ends of successive chunks. If `delay` is long, chunks are not
    // repeated and the result is `delay`.
    double seconds(std::size_t frames, double delay);

private:
    static constexpr std::size_t SLOTS = chunk_pipeline::SLOTS;

    void begin(std::size_t index, std::size_t frames);
    void end(std::size_t index);

    const plan::uptr d_plan;
    const frame_layout d_layout;
    const bool d_frames_apart;
    const std::size_t d_input_bytes, d_output_bytes; // bytes of the largest chunk
    chunk_pipeline d_pipeline;
    const sample_pages d_input, d_output; // pages for all slots
    chunk_pipeline::passage d_chunks[SLOTS];
};

} // namespace gpufft
} // namespace gr

#endif
