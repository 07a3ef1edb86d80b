// SPDX-License-Identifier: GPL-3.0-or-later
//
// Divides a run into chunks, and puts their rows into place.

#include "chunked_execution.h"
#include <algorithm>
#include <cstring>

namespace gr {
namespace gpufft {

// Simultaneous copies in both directions through PCIe 5 on an H200 reach, in each
// direction, 28.7 GB/s in pieces of 256 KiB, 44.7 of 1 MiB, 48.2 of 4 MiB, 50.1 of 16
// MiB.
static constexpr std::size_t MOST_CHUNK_BYTES = std::size_t(8) << 20;
static constexpr std::size_t LEAST_CHUNK_BYTES = std::size_t(512) << 10;
static constexpr std::size_t WANTED_CHUNKS = 4; // to overlap within one run
static constexpr std::size_t SLOTS = chunk_pipeline::SLOTS;

std::size_t choose_chunk(const frame_layout& layout, std::size_t frames)
{
    const std::size_t frame_bytes = layout.frame_bytes();
    const std::size_t share = (frames + WANTED_CHUNKS - 1) / WANTED_CHUNKS;
    return std::clamp(share,
                      std::max<std::size_t>(LEAST_CHUNK_BYTES / frame_bytes, 1),
                      std::max<std::size_t>(MOST_CHUNK_BYTES / frame_bytes, 1));
}

// Copies rows from a pinned buffer to their places, without changes between their bins.
static void unpack(const chunked_run& run, const chunk_pipeline::passage& chunk)
{
    const std::size_t rows = chunk.output_bytes / run.layout.row_bytes();
    const std::size_t bins = run.places.size(), bytes = run.layout.bin_bytes;
    const auto copy = [&](std::size_t row, std::size_t k) {
        std::memcpy(chunk.output + (row * run.distance + run.places[k]) * bytes,
                    chunk.staged + (row * bins + k) * bytes,
                    bytes);
    };
    if (run.distance < bins) { // one bin of successive rows is contiguous
        for (std::size_t k = 0; k < bins; ++k)
            for (std::size_t row = 0; row < rows; ++row)
                copy(row, k);
    } else {
        for (std::size_t row = 0; row < rows; ++row)
            for (std::size_t k = 0; k < bins; ++k)
                copy(row, k);
    }
}

// Number of slots that the run uses.
static std::size_t slots_used(const chunked_run& run)
{
    return std::min(SLOTS, (run.frames + run.chunk - 1) / run.chunk);
}

std::size_t chunked_run::needed_bytes() const
{
    return slots_used(*this) *
           (layout.input_bytes(chunk) + layout.most_output_bytes(chunk));
}

void reserve_chunks(const chunked_run& run, chunk_pipeline& with)
{
    const std::size_t most = std::min(run.chunk, run.frames);
    for (std::size_t i = 0; i < slots_used(run); ++i) {
        chunk_pipeline::slot& slot = with.at(i);
        with.reserve(slot.staged_input, run.layout.input_bytes(most));
        with.reserve(slot.input, run.layout.input_bytes(most));
        with.reserve(slot.output, run.layout.most_output_bytes(most));
        with.reserve(slot.staged_output, run.layout.most_output_bytes(most));
    }
}

// Queues a chunk's frames. A single chunk overlaps with nothing, so it takes one queue
// and no events.
static void submit(const chunked_run& run,
                   chunk_pipeline& with,
                   chunk_pipeline::passage& chunk,
                   const char* input,
                   std::size_t frames,
                   std::size_t frames_in_row,
                   const chunk_work& work)
{
    typedef chunk_pipeline::event_use use;
    chunk.downloaded = with.take_event(use::spun);
    if (frames < run.frames) {
        chunk.uploaded = with.take_event(use::ordering);
        chunk.computed = with.take_event(use::ordering);
    }
    const char* dev_input = with.upload(chunk, run.layout.pieces(input, frames), false);
    char* rows = with.reserve(chunk.at->output, run.layout.most_output_bytes(frames));
    work(dev_input, rows, frames, frames_in_row, with.compute().handle());
    if (chunk.computed)
        with.mark(*chunk.computed);
    with.download(chunk, rows, false);
}

static void
finish(const chunked_run& run, chunk_pipeline& with, const chunk_pipeline::passage& chunk)
{
    with.wait(chunk);
    if (run.places.empty())
        chunk_pipeline::unstage(chunk);
    else if (chunk.staged)
        unpack(run, chunk);
}

void execute_chunks(const chunked_run& run,
                    chunk_pipeline& with,
                    const void* input,
                    void* output,
                    const chunk_work& work)
{
    const frame_layout& layout = run.layout;
    const std::size_t bytes_between_rows =
        run.places.empty() ? layout.row_bytes() : run.distance * layout.bin_bytes;
    const char* source = static_cast<const char*>(input);
    char* destination = static_cast<char*>(output);
    std::size_t frames_in_row = run.frames_in_row;
    chunk_pipeline::passage chunks[SLOTS]; // chunks in flight; the oldest is next
    try {
        std::size_t next = 0;
        for (std::size_t done = 0; done < run.frames; next = (next + 1) % SLOTS) {
            chunk_pipeline::passage& now = chunks[next];
            finish(run, with, now);
            const std::size_t count = std::min(run.chunk, run.frames - done);
            const std::size_t rows = (frames_in_row + count) / layout.average;
            now = chunk_pipeline::passage();
            now.at = &with.at(next);
            now.output = destination;
            now.output_bytes = rows * layout.row_bytes();
            submit(run, with, now, source, count, frames_in_row, work);

            done += count;
            source += count * layout.hop * layout.sample_bytes;
            destination += rows * bytes_between_rows;
            frames_in_row = (frames_in_row + count) % layout.average;
        }
        for (std::size_t i = 0; i < SLOTS; ++i)
            finish(run, with, chunks[(next + i) % SLOTS]);
    } catch (...) {
        with.finish_all();
        throw;
    }
}

} // namespace gpufft
} // namespace gr
