// SPDX-License-Identifier: GPL-3.0-or-later
//
// Moves tiles of whole frames between global and shared memory, where rows lie without
// gaps, as in global memory. Plain tiles are moved by the copy engine or by the threads,
// 16 bytes at a time. On an H200 the threads reach 0.98 of the copy rate with tiles of 3
// to 10 KB, the engine 0.91; but the engine leaves the threads time to compute. Other
// tiles (overlap, the ends of the input) are moved item by item.

#ifndef INCLUDED_GPUFFT_KERNELS_FRAME_TILES_CUH
#define INCLUDED_GPUFFT_KERNELS_FRAME_TILES_CUH

#include "read_polyphase.cuh"
#include "store.cuh"
#include "tile_layout.cuh"
#include "tile_moves.cuh"

namespace gr {
namespace gpufft {
namespace kernels {

// `area` has room for `points` points. ByCard: the copy engine moves plain tiles, if the
// card has one.
template <int N, int Frames, int Threads, class Load, bool ByCard>
class tile_reader
{
    static constexpr bool is_raw = has_rows<Load>;
    static constexpr bool has_bulk = ByCard && GPUFFT_HAS_BULK_COPY;
    typedef tile_layout<Load, N, Frames, ByCard> layout;
    typedef typename layout::item item;

    const transform_arguments& d_arguments;
    complex* const d_area;
    transfer_barrier* const d_arrived;
    unsigned d_parity = 0;
    bool d_by_bulk = false;
    const item* d_tile = nullptr;

public:
    static constexpr int points = layout::points;

    GPUFFT_DEVICE tile_reader(const transform_arguments& arguments,
                              complex* area,
                              transfer_barrier* arrived)
        : d_arguments(arguments),
          d_area(area),
          d_arrived(arrived)
    {
        if constexpr (has_bulk) {
            if (threadIdx.x == 0)
                start_barrier(arrived, 1);
            __syncthreads();
        }
    }

    // Called by all threads: starts to read the frames from `first` on. No thread may
    // still read the area.
    GPUFFT_DEVICE void start(unsigned long long first)
    {
        d_tile = reinterpret_cast<const item*>(d_area);
        d_by_bulk = false;
        if constexpr (is_raw) {
            const char* input = static_cast<const char*>(d_arguments.input);
            const unsigned long long begin = first * layout::frame_bytes;
            const int before = bytes_beyond_16(input + begin);
            const int copied = (before + layout::copied_bytes + 15) / 16 * 16;
            const unsigned long long end = begin - before + copied * layout::copies;
            const bool is_plain = d_arguments.hop == layout::row_items &&
                                  begin >= static_cast<unsigned long long>(before) &&
                                  end <= layout::row_count(d_arguments) *
                                             (layout::row_items * sizeof(item)) &&
                                  (!layout::is_spaced || before == 0);
            if (is_plain) {
                d_tile = reinterpret_cast<const item*>(reinterpret_cast<char*>(d_area) +
                                                       before);
                read_plain(round_down_16(input + begin), copied);
                return;
            }
        }
        read_by_threads(first);
        if constexpr (has_bulk)
            show_to_bulk_copies(); // bulk copies come next
    }

    // Called by all threads: returns once the tile has arrived.
    GPUFFT_DEVICE void wait()
    {
        if (d_by_bulk) {
            wait_for_phase(d_arrived, d_parity);
            d_parity ^= 1;
        } else {
            __syncthreads();
        }
    }

    GPUFFT_DEVICE const item* frame(int slot) const
    {
        return d_tile + slot * layout::distance;
    }

    // Sample m of a frame of the tile.
    GPUFFT_DEVICE complex sample(const item* frame, int m) const
    {
        if constexpr (is_raw)
            return Load::template sample<N>(d_arguments, frame, m);
        else
            return frame[m];
    }

    // Samples m and N-m, m > 0.
    GPUFFT_DEVICE void pair(const item* frame, int m, complex& y, complex& opposite) const
    {
        if constexpr (is_raw) {
            Load::template pair<N>(d_arguments, frame, m, y, opposite);
        } else {
            y = frame[m];
            opposite = frame[N - m];
        }
    }

private:
    // Reads layout::copies times `copied` bytes.
    GPUFFT_DEVICE void read_plain(const char* from, int copied)
    {
        if constexpr (has_bulk) {
            d_by_bulk = true;
            if (threadIdx.x == 0)
                arrive_and_expect(d_arrived, copied * layout::copies);
            if (threadIdx.x < layout::copies)
                start_bulk_load(reinterpret_cast<complex*>(
                                    reinterpret_cast<char*>(d_area) +
                                    threadIdx.x * (layout::distance * sizeof(item))),
                                reinterpret_cast<const complex*>(
                                    from + threadIdx.x * layout::copied_bytes),
                                copied,
                                d_arrived);
        } else {
            constexpr int most = (layout::copied_bytes * layout::copies + 30) / 16;
            read_vectors<most, Threads>(d_area,
                                        from,
                                        copied * layout::copies / 16,
                                        [](int i) { return layout::vector_at(i); });
        }
    }

    // There are no branches, so that a thread starts all its loads before it waits. Rows
    // beyond the last read as 0, because two rows may be one vector.
    GPUFFT_DEVICE void read_by_threads(unsigned long long first)
    {
        if constexpr (shares_samples<Load, Frames>) {
            read_bank<N, Frames, Threads, Load>(
                d_arguments, first, threadIdx.x, [&](int frame, int m, complex point) {
                    d_area[layout::at(frame * N + m)] = point;
                });
            return;
        }
        constexpr int rows = layout::rows * Frames;
        const unsigned long long first_row = first * layout::rows;
        const unsigned long long left = layout::row_count(d_arguments) - first_row;
        const int last = left < rows ? static_cast<int>(left) - 1 : rows - 1;
        item* tile = reinterpret_cast<item*>(d_area);
        for_each_element<layout::row_items, rows, Threads>([&](int row, int i, int e) {
            const unsigned long long from = first_row + (row < last ? row : last);
            if constexpr (is_raw) {
                const item x = static_cast<const item*>(
                    d_arguments.input)[from * d_arguments.hop + i];
                tile[layout::at(e)] = row <= last ? x : item{};
            } else {
                tile[layout::at(e)] = Load::template get<N>(d_arguments, from, i);
            }
        });
    }
};

// Copies rows in their final form from shared memory; threads convert other rows on the
// way. `area` has room for `points` points. ByCard: see tile_reader.
template <int N, int Frames, int Threads, class Store, bool ByCard>
class tile_writer
{
    static constexpr bool is_final = has_rows<Store>;
    static constexpr bool has_bulk = ByCard && GPUFFT_HAS_BULK_COPY && is_final;
    typedef tile_layout<Store, N, Frames, ByCard> layout;
    typedef typename layout::item item;

    const transform_arguments& d_arguments;
    const unsigned long long d_first;
    complex* const d_area;
    item* d_tile;

public:
    static constexpr bool in_pairs = needs_pairs<Store>;

    GPUFFT_DEVICE tile_writer(const transform_arguments& arguments,
                              complex* area,
                              unsigned long long first)
        : d_arguments(arguments),
          d_first(first),
          d_area(area),
          d_tile(reinterpret_cast<item*>(area))
    {
        if constexpr (is_final)
            d_tile = beside(output(), area);
    }

    GPUFFT_DEVICE item* frame(int slot) const { return d_tile + slot * layout::distance; }

    GPUFFT_DEVICE void put(item* frame, int k, complex value) const
    {
        if constexpr (is_final)
            Store::template put<N>(d_arguments, frame, k, value);
        else
            frame[k] = value;
    }

    // Bins k and N-k, k > 0.
    GPUFFT_DEVICE void put_pair(item* frame, int k, complex value, complex opposite) const
    {
        if constexpr (in_pairs) {
            Store::template put_pair<N>(d_arguments, frame, k, value, opposite);
        } else {
            put(frame, k, value);
            put(frame, N - k, opposite);
        }
    }

    // Called by all threads, after the last put(): starts to write.
    GPUFFT_DEVICE void start() const
    {
        if constexpr (has_bulk)
            show_to_bulk_copies();
        __syncthreads();
        if constexpr (is_final)
            start_rows();
        else if constexpr (needs_whole_frames<Store>)
            run_items();
        else
            for_each_element<N, Frames, Threads, Store::rows_are_neighbours>(
                [&](int frame, int k, int e) {
                    if (d_first + frame < d_arguments.frames)
                        Store::template put<N>(
                            d_arguments, d_first + frame, k, d_tile[layout::at(e)]);
                });
    }

    // Called by all threads, before a barrier after which the area may change.
    static GPUFFT_DEVICE void finish()
    {
        if constexpr (has_bulk)
            if (threadIdx.x < layout::copies)
                wait_for_bulk_stores();
    }

private:
    // The tile's place in global memory.
    GPUFFT_DEVICE item* output() const
    {
        return static_cast<item*>(d_arguments.output) + d_first * layout::frame_items;
    }

    GPUFFT_DEVICE void start_rows() const
    {
        constexpr int rows = layout::rows * Frames, most = layout::items;
        constexpr int most_vectors = layout::frame_bytes * Frames / 16;
        const unsigned long long left =
            layout::row_count(d_arguments) - d_first * layout::rows;
        item* to = output();
        const bool is_whole = left >= rows;
        const int count = (is_whole ? rows : static_cast<int>(left)) * layout::row_items;
        if constexpr (!layout::is_spaced && !has_bulk) {
            store_run<most, Threads>(to, d_area, count);
            return;
        }
        if (is_whole && (!layout::is_spaced || bytes_beyond_16(to) == 0)) {
            if constexpr (!has_bulk)
                store_vectors<most_vectors, Threads>(
                    round_down_16(to), d_area, most_vectors, [](int i) {
                        return layout::vector_at(i);
                    });
            else if (threadIdx.x < layout::copies)
                store_whole(to + threadIdx.x * layout::copied_items,
                            d_tile + threadIdx.x * layout::distance);
            return;
        }
#pragma unroll 8
        for (int e = threadIdx.x; e < count; e += Threads)
            to[e] = d_tile[layout::at(e)];
    }

    GPUFFT_DEVICE void run_items() const
    {
        if constexpr (needs_whole_frames<Store>)
            for_each_element<Store::items, Frames, Threads>(
                [&](int frame, int item, int) {
                    const complex* bins = d_tile + frame * layout::distance;
                    if (d_first + frame < d_arguments.frames)
                        Store::run(d_arguments, d_first + frame, item, [&](int k) {
                            return bins[k];
                        });
                });
    }

    // Stores one copy: the copy engine its multiples of 16 bytes, threads its ends.
    GPUFFT_DEVICE void store_whole(item* to, const item* from) const
    {
        constexpr int size = sizeof(item), together = 16 / size;
        constexpr int items = layout::copied_items;
        const int before = (16 - bytes_beyond_16(to)) % 16 / size;
        const int whole = (items - before) / together * together;
#pragma unroll
        for (int i = 0; i < together - 1; ++i) {
            if (i < before)
                to[i] = from[i];
            if (before + whole + i < items)
                to[before + whole + i] = from[before + whole + i];
        }
        if constexpr (has_bulk)
            start_bulk_store(reinterpret_cast<complex*>(to + before),
                             reinterpret_cast<const complex*>(from + before),
                             whole * size);
    }
};

} // namespace kernels
} // namespace gpufft
} // namespace gr

#endif
