// SPDX-License-Identifier: GPL-3.0-or-later
//
// Reads the points of several frames of a polyphase bank, and each sample once for many
// points. Point m of frame f sums the samples f hop + m + p N with the weights of arm m.
// So samples N apart belong together, and a thread takes all that the frames of a tile
// share.

#ifndef INCLUDED_GPUFFT_KERNELS_READ_BANK_CUH
#define INCLUDED_GPUFFT_KERNELS_READ_BANK_CUH

#include "cluster_memory.cuh"
#include "load_polyphase.cuh"

namespace gr {
namespace gpufft {
namespace kernels {

// The frames of a tile, for a thread that sums some of them.
template <int N, class Load>
struct bank_tile {
    static constexpr int hop = (N * Load::shift + Load::drift) / Load::apart;
    typedef typename Load::step::item item;

    const transform_arguments& arguments;
    const unsigned long long first; // first frame of the tile
    const int frames;               // frames of the tile that exist

    GPUFFT_DEVICE
    bank_tile(const transform_arguments& all, unsigned long long begin, int most)
        : arguments(all),
          first(begin),
          frames(begin + most <= all.frames ? most
                 : begin < all.frames       ? static_cast<int>(all.frames - begin)
                                            : 0)
    {
    }

    GPUFFT_DEVICE const item* samples_of(int frame) const
    {
        return static_cast<const item*>(arguments.input) + (first + frame) * hop;
    }

    // The place of point m of a frame, -N <= m < 2 N; with Load::is_running, samples N
    // apart go to the same place in every frame.
    GPUFFT_DEVICE int place(int frame, int m) const
    {
        if constexpr (Load::is_running) {
            m += rotation_of<N>(arguments, first + frame);
            m += m < 0 ? N : m < N ? 0 : m < 2 * N ? -N : -2 * N;
        }
        return m;
    }
};

// Taps that a thread holds in registers.
template <class Load>
constexpr int HELD_TAPS = Load::taps < 16 ? Load::taps : 16;

// The sums of Together frames from all samples N apart, starting at x. Every frame (Apart
// = 1) or every second one begins at the same point modulo N, and w is the weight of x in
// these frames; the others begin Late samples later. Calls put(i, sum) for all frames, to
// avoid branches; only the first `there` exist.
template <int N, int Together, int Late, class Load, class Put>
GPUFFT_DEVICE void
sum_samples(const typename Load::step::item* x, const real* w, int there, Put&& put)
{
    constexpr int arms = Load::apart, taps = HELD_TAPS<Load>;
    constexpr int hop = bank_tile<N, Load>::hop;
    const auto begin = [](int i) { // start of frame i, in samples from x on
        return i / arms * Load::shift + i % arms * Late;
    };
    const int end = begin(there - 1) + Load::taps;
    complex sums[Together] = {};
    for (int first = 0; first < Load::taps; first += taps) {
        real weights[arms][taps];
#pragma unroll
        for (int i = 0; i < arms * taps; ++i) {
            const int a = i / taps, p = i % taps;
            weights[a][p] = first + p < Load::taps
                                ? load_constant(w + (first + p + a * Late) * N - a * hop)
                                : real(0);
        }
#pragma unroll
        for (int q = 0; q < begin(Together - 1) + taps; ++q) {
            complex sample = { 0, 0 };
            if (first + q < end)
                sample = Load::step::value_of(x[(first + q) * N]);
#pragma unroll
            for (int i = 0; i < Together; ++i) {
                const int p = q - begin(i);
                if (p >= 0 && p < taps)
                    sums[i] = sums[i] + sample * weights[i % arms][p];
            }
        }
    }
#pragma unroll
    for (int i = 0; i < Together; ++i)
        put(i, sums[i]);
}

// Called by thread `thread` of Threads. All frames, or every second one, begin at the
// same point modulo N.
template <int N, int Frames, int Threads, class Load, class Put>
GPUFFT_DEVICE void
read_samples_once(const bank_tile<N, Load>& tile, int thread, Put&& put)
{
    constexpr int together = Frames < 16 ? Frames : 16;
    constexpr int groups = (Frames + together - 1) / together;
    constexpr int arms = Load::apart, hop = bank_tile<N, Load>::hop;
    for (int unit = thread; unit < N * groups; unit += Threads) {
        const int c = unit % N, begin = unit / N * together;
        const int left = tile.frames - begin, there = left < together ? left : together;
        if (there <= 0)
            break;
        const auto* x = held(tile.samples_of(begin) + c);
        const real* w = held(tile.arguments.window + c);
        const int place = tile.place(begin, c);
        const bool wraps = c < hop % N; // point 0 lies between two samples of this thread
        const auto store = [&](int i, complex sum) {
            const int m = i % arms == 0 ? c : c - hop + (hop / N + wraps) * N;
            if (Frames % together == 0 || begin + i < Frames)
                put(begin + i, Load::is_running ? place : m, sum);
        };
        if (arms == 2 && wraps)
            sum_samples<N, together, hop / N + 1, Load>(x, w, there, store);
        else
            sum_samples<N, together, hop / N, Load>(x, w, there, store);
    }
}

// The frames i of a group that exist and have point m - i Drift.
struct arm_frames {
    int begin, end;
};

template <int N, int Drift>
GPUFFT_DEVICE arm_frames frames_with(int m, int count)
{
    int begin = 0, last = count - 1;
    if constexpr (Drift > 0) {
        begin = m < N ? 0 : (m - N) / Drift + 1;
        last = m / Drift < last ? m / Drift : last;
    }
    if constexpr (Drift < 0) {
        begin = m >= 0 ? 0 : (-m - Drift - 1) / -Drift;
        last = (N - 1 - m) / -Drift < last ? (N - 1 - m) / -Drift : last;
    }
    return { begin, last + 1 };
}

// The sums of point m of the first of Together frames, Load::apart apart, and of point m
// - i Drift of each frame i: x is sample m of the first frame. Calls put(i, sum) for the
// frames in `range`.
template <int N, int Together, class Load, class Put>
GPUFFT_DEVICE void sum_arms(const typename Load::step::item* x,
                            const real* window,
                            int m,
                            arm_frames range,
                            Put&& put)
{
    constexpr int shift = Load::shift, drift = Load::drift, taps = HELD_TAPS<Load>;
    constexpr int arms = drift == 0 ? 1 : Together;
    const real* w[arms]; // frames outside the range: any readable address
#pragma unroll
    for (int i = 0; i < arms; ++i) {
        const int arm = m - i * drift;
        w[i] = held(window + (arm < 0 ? 0 : arm < N ? arm : N - 1));
    }
    complex sums[Together] = {};
    for (int first = 0; first < Load::taps; first += taps) {
        const auto weight = [&](int i, int p) {
            return first + p < Load::taps ? load_constant(w[i] + (first + p) * N)
                                          : real(0);
        };
        real weights[taps] = {};
        if constexpr (drift == 0) {
#pragma unroll
            for (int p = 0; p < taps; ++p)
                weights[p] = weight(0, p);
        }
        const int begin = shift * range.begin;
        const int end = shift * (range.end - 1) + Load::taps - first;
#pragma unroll
        for (int q = 0; q < shift * (Together - 1) + taps; ++q) {
            complex sample = { 0, 0 };
            if (q >= begin && q < end)
                sample = Load::step::value_of(x[(first + q) * N]);
#pragma unroll
            for (int i = 0; i < Together; ++i) {
                const int p = q - i * shift;
                if (p >= 0 && p < taps)
                    sums[i] = sums[i] + sample * (drift == 0 ? weights[p] : weight(i, p));
            }
        }
    }
#pragma unroll
    for (int i = 0; i < Together; ++i)
        if (i >= range.begin && i < range.end)
            put(i, sums[i]);
}

// Called by thread `thread` of Threads: reads every frame with those Load::apart from it,
// whose points drift.
template <int N, int Frames, int Threads, class Load, class Put>
GPUFFT_DEVICE void read_by_arms(const bank_tile<N, Load>& tile, int thread, Put&& put)
{
    constexpr int apart = Load::apart, drift = Load::drift;
    constexpr int rows = (Frames + apart - 1) / apart;
    constexpr int together = rows < 8 ? rows : 8;
    constexpr int groups = (rows + together - 1) / together;
    constexpr int reach = drift * (together - 1);
    constexpr int points = N + (reach < 0 ? -reach : reach);
    for (int unit = thread; unit < points * apart * groups; unit += Threads) {
        const int m = unit % points + (reach < 0 ? reach : 0), part = unit / points;
        const int begin = part / apart * (together * apart) + part % apart;
        const int there = (tile.frames - begin + apart - 1) / apart;
        const arm_frames range =
            frames_with<N, drift>(m, there < together ? there : together);
        const int place = tile.place(begin, m); // the same for all its frames
        if (range.begin < range.end)
            sum_arms<N, together, Load>(
                held(tile.samples_of(begin) + m),
                tile.arguments.window,
                m,
                range,
                [&](int i, complex sum) {
                    put(begin + i * apart, Load::is_running ? place : m - i * drift, sum);
                });
    }
}

// Called by thread `thread` of Threads: calls put(frame of the tile, m, y[m]) for all
// points of the tile's existing frames from `first` on, and maybe for others.
template <int N, int Frames, int Threads, class Load, class Put>
GPUFFT_DEVICE void read_bank(const transform_arguments& arguments,
                             unsigned long long first,
                             int thread,
                             Put&& put)
{
    const bank_tile<N, Load> tile(arguments, first, Frames);
    if (arguments.hop != bank_tile<N, Load>::hop) {
        for (int e = thread; e < N * tile.frames; e += Threads)
            put(e / N, e % N, Load::template get<N>(arguments, first + e / N, e % N));
    } else if constexpr (Load::apart <= 2 && Load::drift == 0) {
        read_samples_once<N, Frames, Threads, Load>(tile, thread, put);
    } else {
        read_by_arms<N, Frames, Threads, Load>(tile, thread, put);
    }
}

// Called by all blocks of a cluster, each with Frames frames from `first` on: reads these
// into the blocks' shared memory, point m of frame i of a block to at(i, m), and waits.
template <int N, int Frames, int Threads, int Cluster, class Load, class At>
GPUFFT_DEVICE void read_bank_to_cluster(const transform_arguments& arguments,
                                        unsigned long long first,
                                        complex* shared,
                                        At&& at)
{
    const int rank = cluster_rank();
    cluster_arrive_as_reader();
    cluster_wait(); // every block has begun
    read_bank<N, Frames * Cluster, Threads * Cluster, Load>(
        arguments,
        first - rank * Frames,
        rank * Threads + threadIdx.x,
        [&](unsigned frame, int m, complex point) {
            store_in_block(in_block(shared, frame / Frames) + at(frame % Frames, m),
                           point);
        });
    cluster_arrive();
    cluster_wait();
}

} // namespace kernels
} // namespace gpufft
} // namespace gr

#endif
