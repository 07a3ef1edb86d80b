// SPDX-License-Identifier: GPL-3.0-or-later
//
// Sends chunks through the GPU.

#include "transfer_pipeline.h"
#include <algorithm>
#include <cstring>

namespace gr {
namespace gpufft {

// Copies both ways at once through PCIe 5 on an H200 reach, each way, 28.7 GB/s in pieces
// of 256 KiB, 44.7 of 1 MiB, 48.2 of 4 MiB, 50.1 of 16 MiB.
static constexpr std::size_t MOST_CHUNK_BYTES = std::size_t(8) << 20;
static constexpr std::size_t LEAST_CHUNK_BYTES = std::size_t(512) << 10;
static constexpr std::size_t WANTED_CHUNKS = 4; // to overlap within one run

std::size_t choose_chunk(const frame_layout& layout, std::size_t frames)
{
    const std::size_t frame_bytes = std::max({ layout.device_hop() * layout.sample_bytes,
                                               layout.row_bytes() / layout.average,
                                               std::size_t(1) });
    const std::size_t share = (frames + WANTED_CHUNKS - 1) / WANTED_CHUNKS;
    return std::clamp(share,
                      std::max<std::size_t>(LEAST_CHUNK_BYTES / frame_bytes, 1),
                      std::max<std::size_t>(MOST_CHUNK_BYTES / frame_bytes, 1));
}

// Copies the samples of `frames` frames to a pinned buffer, without the gaps of hop > n.
static void
pack(const frame_layout& layout, const char* input, std::size_t frames, char* packed)
{
    if (layout.hop <= layout.n) {
        std::memcpy(packed, input, layout.input_bytes(frames));
        return;
    }
    const std::size_t frame_bytes = layout.n * layout.sample_bytes;
    for (std::size_t frame = 0; frame < frames; ++frame)
        std::memcpy(packed + frame * frame_bytes,
                    input + frame * layout.hop * layout.sample_bytes,
                    frame_bytes);
}

// Copies rows from a pinned buffer to their places; memory between their bins is not
// changed.
static void
unpack(const frame_layout& layout, const char* packed, std::size_t bytes, char* output)
{
    if (layout.places.empty()) {
        std::memcpy(output, packed, bytes);
        return;
    }
    const std::size_t rows = bytes / layout.row_bytes(), bins = layout.places.size();
    const auto copy = [&](std::size_t row, std::size_t k) {
        std::memcpy(output +
                        (row * layout.distance + layout.places[k]) * layout.bin_bytes,
                    packed + (row * bins + k) * layout.bin_bytes,
                    layout.bin_bytes);
    };
    if (layout.distance < bins) { // one bin of successive rows is contiguous
        for (std::size_t k = 0; k < bins; ++k)
            for (std::size_t row = 0; row < rows; ++row)
                copy(row, k);
    } else {
        for (std::size_t row = 0; row < rows; ++row)
            for (std::size_t k = 0; k < bins; ++k)
                copy(row, k);
    }
}

// Later work on `to` waits for the earlier work on `from`.
static void order(CUstream from, CUstream to, CUevent event)
{
    if (from == to)
        return;
    GPUFFT_CUDA(cuEventRecord(event, from));
    GPUFFT_CUDA(cuStreamWaitEvent(to, event, CU_EVENT_WAIT_DEFAULT));
}

transfer_pipeline::slot::slot(const device_context& context)
    : host_input(context, memory_kind::pinned),
      dev_input(context, memory_kind::device),
      dev_output(context, memory_kind::device),
      host_output(context, memory_kind::pinned),
      uploaded(make_event(context)),
      computed(make_event(context)),
      downloaded(make_event(context))
{
}

transfer_pipeline::transfer_pipeline(const device_context& context)
    : d_context(context),
      d_upload(make_stream(context)),
      d_compute(make_stream(context)),
      d_download(make_stream(context)),
      d_slots{ slot(context), slot(context), slot(context) }
{
}

// Buffers in use when `frames` frames go in chunks of `chunk`.
static std::size_t slots_used(std::size_t slots, std::size_t chunk, std::size_t frames)
{
    return std::min(slots, (frames + chunk - 1) / chunk);
}

std::size_t transfer_pipeline::needed_bytes(const frame_layout& layout,
                                            std::size_t chunk,
                                            std::size_t frames)
{
    return slots_used(SLOTS, chunk, frames) *
           (layout.input_bytes(chunk) + layout.most_output_bytes(chunk));
}

void transfer_pipeline::reserve(const frame_layout& layout,
                                std::size_t chunk,
                                std::size_t frames)
{
    const std::size_t used = slots_used(SLOTS, chunk, frames);
    const std::size_t most = std::min(chunk, frames);
    for (std::size_t i = 0; i < used; ++i) {
        d_slots[i].host_input.reserve(layout.input_bytes(most));
        d_slots[i].dev_input.reserve(layout.input_bytes(most));
        d_slots[i].dev_output.reserve(layout.most_output_bytes(most));
        d_slots[i].host_output.reserve(layout.most_output_bytes(most));
    }
}

void transfer_pipeline::release()
{
    for (slot& chunk : d_slots)
        for (memory_buffer* buffer : { &chunk.host_input,
                                       &chunk.dev_input,
                                       &chunk.dev_output,
                                       &chunk.host_output })
            buffer->release();
}

void transfer_pipeline::submit(slot& chunk,
                               const frame_layout& layout,
                               std::size_t frames,
                               std::size_t frames_in_row,
                               bool alone,
                               const compute& work)
{
    // A single chunk overlaps with nothing: one stream saves the events.
    const CUstream upload = alone ? d_compute.get() : d_upload.get();
    const CUstream download = alone ? d_compute.get() : d_download.get();
    chunk.in_flight = true;
    GPUFFT_CUDA(cuMemcpyHtoDAsync(chunk.dev_input.device(),
                                  chunk.host_input.as(),
                                  layout.input_bytes(frames),
                                  upload));
    order(upload, d_compute.get(), chunk.uploaded.get());
    work(chunk.dev_input.as(),
         chunk.dev_output.as(),
         frames,
         frames_in_row,
         d_compute.get());
    order(d_compute.get(), download, chunk.computed.get());
    if (chunk.output_bytes > 0)
        GPUFFT_CUDA(cuMemcpyDtoHAsync(chunk.host_output.as(),
                                      chunk.dev_output.device(),
                                      chunk.output_bytes,
                                      download));
    GPUFFT_CUDA(cuEventRecord(chunk.downloaded.get(), download));
}

void transfer_pipeline::finish(slot& chunk, const frame_layout& layout)
{
    if (!chunk.in_flight)
        return;
    d_context.wait_for(chunk.downloaded.get());
    chunk.in_flight = false;
    if (chunk.output_bytes > 0)
        unpack(layout,
               chunk.host_output.as<const char>(),
               chunk.output_bytes,
               chunk.destination);
}

void transfer_pipeline::wait_for_all() noexcept
{
    for (const stream_uptr* stream : { &d_upload, &d_compute, &d_download }) {
        try {
            d_context.wait_for(stream->get());
        } catch (const std::exception&) {
            // another exception is already being thrown
        }
    }
    for (slot& chunk : d_slots)
        chunk.in_flight = false;
}

void transfer_pipeline::run(const frame_layout& layout,
                            std::size_t chunk,
                            const void* input,
                            void* output,
                            std::size_t frames,
                            std::size_t frames_in_row,
                            const compute& work)
{
    const char* source = static_cast<const char*>(input);
    char* destination = static_cast<char*>(output);
    try {
        std::size_t next = 0;
        for (std::size_t done = 0; done < frames; next = (next + 1) % SLOTS) {
            slot& current = d_slots[next];
            finish(current, layout);
            const std::size_t count = std::min(chunk, frames - done);
            const std::size_t rows = (frames_in_row + count) / layout.average;
            current.destination = destination;
            current.output_bytes = rows * layout.row_bytes();
            pack(layout, source, count, current.host_input.as<char>());
            submit(current, layout, count, frames_in_row, chunk >= frames, work);

            done += count;
            source += count * layout.hop * layout.sample_bytes;
            destination += rows * layout.bytes_between_rows();
            frames_in_row = (frames_in_row + count) % layout.average;
        }
        for (std::size_t i = 0; i < SLOTS; ++i)
            finish(d_slots[(next + i) % SLOTS], layout);
    } catch (...) {
        wait_for_all();
        throw;
    }
}

} // namespace gpufft
} // namespace gr
