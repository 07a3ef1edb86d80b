// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tiles of whole frames on their way between global and shared memory, where frame after
// frame lies without a gap, as in global memory. Plain tiles go by the copy engine, all
// others (other sample formats, overlap, the ends of the input, older cards) by threads.

#ifndef INCLUDED_GPUFFT_KERNELS_FRAME_TILES_CUH
#define INCLUDED_GPUFFT_KERNELS_FRAME_TILES_CUH

#include "bulk_copy.cuh"
#include "load_bank.cuh"
#include "store.cuh"

namespace gr {
namespace gpufft {
namespace kernels {

// Calls body(frame of the tile, sample, element) for all elements of a tile, thread after
// thread: sample after sample, or frame after frame.
template <int N, int Frames, int Threads, bool FrameFastest = false, class Body>
GPUFFT_DEVICE void for_each_element(Body&& body)
{
    constexpr int samples = N * Frames;
#pragma unroll 8
    for (int e = threadIdx.x; e < samples; e += Threads)
        FrameFastest ? body(e % Frames, e / Frames, e % Frames * N + e / Frames)
                     : body(e / N, e % N, e);
}

// Elements of the 16 bytes that the copy engine takes at least.
constexpr int COPIED_TOGETHER = 16 / static_cast<int>(sizeof(complex));

// Samples stay as they are in global memory if they are of the working precision, else
// they are converted on the way. `area` has room for N Frames + 1 elements.
template <int N, int Frames, int Threads, class Load>
class tile_reader
{
    static constexpr bool is_raw = sizeof(typename Load::item) == sizeof(complex);

    const transform_arguments& d_arguments;
    complex* const d_area;
    transfer_barrier* const d_arrived;
    unsigned d_parity = 0;
    bool d_by_bulk = false;
    const complex* d_tile = nullptr;

public:
    GPUFFT_DEVICE tile_reader(const transform_arguments& arguments,
                              complex* area,
                              transfer_barrier* arrived)
        : d_arguments(arguments),
          d_area(area),
          d_arrived(arrived)
    {
        if (GPUFFT_HAS_BULK_COPY) {
            if (threadIdx.x == 0)
                start_barrier(arrived, 1);
            __syncthreads();
        }
    }

    // By all threads: starts to read the frames from `first` on. Nobody reads the area.
    GPUFFT_DEVICE void start(unsigned long long first)
    {
        d_tile = d_area;
        d_by_bulk = false;
        if constexpr (GPUFFT_HAS_BULK_COPY && is_raw) {
            const auto* input = static_cast<const complex*>(d_arguments.input);
            const complex* from = input + first * N;
            const int phase = phase_of(from);
            // with what lies before and behind it up to multiples of 16 bytes
            const int elements = (phase + N * Frames + COPIED_TOGETHER - 1) /
                                 COPIED_TOGETHER * COPIED_TOGETHER;
            d_by_bulk = d_arguments.hop == N && from >= input + phase &&
                        first * N + elements - phase <= d_arguments.frames * N;
            if (d_by_bulk) {
                d_tile = d_area + phase;
                if (threadIdx.x == 0) {
                    const int bytes = elements * static_cast<int>(sizeof(complex));
                    arrive_and_expect(d_arrived, bytes);
                    start_bulk_load(d_area, from - phase, bytes, d_arrived);
                }
                return;
            }
        }
        for_each_element<N, Frames, Threads>([&](int frame, int m, int e) {
            if (first + frame >= d_arguments.frames)
                return;
            if constexpr (is_raw)
                d_area[e] = load_item(first + frame, m);
            else
                d_area[e] = Load::template get<N>(d_arguments, first + frame, m);
        });
        if (GPUFFT_HAS_BULK_COPY)
            show_to_bulk_copies(); // which come next
    }

    // By all threads: returns frame 0 of the tile when it is there.
    GPUFFT_DEVICE const complex* wait()
    {
        if (d_by_bulk) {
            wait_for_phase(d_arrived, d_parity);
            d_parity ^= 1;
        } else {
            __syncthreads();
        }
        return d_tile;
    }

    // Sample m of a frame of the tile.
    GPUFFT_DEVICE complex sample(const complex* frame, int m) const
    {
        if constexpr (is_raw)
            return Load::template value<N>(
                d_arguments, m, as_item(frame[Load::template read_at<N>(m)]));
        else
            return frame[m];
    }

private:
    static GPUFFT_DEVICE typename Load::item as_item(complex value) { return value; }

    GPUFFT_DEVICE complex load_item(unsigned long long frame, int m) const
    {
        return static_cast<const complex*>(
            d_arguments.input)[frame * d_arguments.hop + m];
    }
};

// Bins of the working precision take their final form in shared memory, others on the
// way. `area` has room for N Frames + 1 elements.
template <int N, int Frames, int Threads, class Store>
class tile_writer
{
    static constexpr bool is_raw = sizeof(typename Store::item) == sizeof(complex);
    static constexpr bool has_bulk = GPUFFT_HAS_BULK_COPY && is_raw;

    const transform_arguments& d_arguments;
    complex* const d_area;
    const unsigned long long d_first;
    complex* d_tile;

public:
    GPUFFT_DEVICE tile_writer(const transform_arguments& arguments,
                              complex* area,
                              unsigned long long first)
        : d_arguments(arguments),
          d_area(area),
          d_first(first),
          d_tile(area)
    {
        if constexpr (has_bulk)
            d_tile += phase_of(static_cast<complex*>(arguments.output) + first * N);
    }

    // Frame 0 of the tile.
    GPUFFT_DEVICE complex* tile() const { return d_tile; }

    GPUFFT_DEVICE void put(complex* frame, int k, complex value) const
    {
        if constexpr (is_raw)
            frame[Store::template at<N>(k)] = Store::value(d_arguments, value);
        else
            frame[k] = value;
    }

    // By all threads, after the last put(): starts to write.
    GPUFFT_DEVICE void start() const
    {
        if constexpr (has_bulk) {
            show_to_bulk_copies();
            __syncthreads();
            if (d_first + Frames <= d_arguments.frames) {
                if (threadIdx.x == 0)
                    store_whole();
                return;
            }
        } else {
            __syncthreads();
        }
        if constexpr (needs_whole_frames<Store>) {
            run_items();
            return;
        }
        constexpr bool frame_fastest = Store::rows_are_neighbours;
        for_each_element<N, Frames, Threads, frame_fastest>([&](int frame, int k, int e) {
            if (d_first + frame >= d_arguments.frames)
                return;
            if constexpr (is_raw)
                static_cast<complex*>(d_arguments.output)[d_first * N + e] = d_tile[e];
            else if constexpr (!needs_whole_frames<Store>)
                Store::template put<N>(d_arguments, d_first + frame, k, d_tile[e]);
        });
    }

    // By all threads, before a barrier after which the area may change.
    static GPUFFT_DEVICE void finish()
    {
        if constexpr (has_bulk)
            if (threadIdx.x == 0)
                wait_for_bulk_stores();
    }

private:
    GPUFFT_DEVICE void run_items() const
    {
        if constexpr (needs_whole_frames<Store>)
            for_each_element<Store::items, Frames, Threads>(
                [&](int frame, int item, int) {
                    const complex* bins = d_tile + frame * N;
                    if (d_first + frame < d_arguments.frames)
                        Store::run(d_arguments, d_first + frame, item, [&](int k) {
                            return bins[k];
                        });
                });
    }

    // The multiples of 16 bytes, and what is left at the ends.
    GPUFFT_DEVICE void store_whole() const
    {
        constexpr int count = N * Frames;
        complex* to = static_cast<complex*>(d_arguments.output) + d_first * N;
        const int before = static_cast<int>(d_tile - d_area);
        const int whole = (count - before) / COPIED_TOGETHER * COPIED_TOGETHER;
        if (before == 1)
            to[0] = d_tile[0];
        if (before + whole < count)
            to[count - 1] = d_tile[count - 1];
        start_bulk_store(
            to + before, d_tile + before, whole * static_cast<int>(sizeof(complex)));
    }
};

} // namespace kernels
} // namespace gpufft
} // namespace gr

#endif
