// SPDX-License-Identifier: GPL-3.0-or-later
//
// How frames lie in a tile, where rows lie without gaps as in global memory.
//
// Load and store steps say it: a frame is `rows` rows of row_items<N> items each, and
// row_count() is the number of rows in the launch. With 0 rows a tile has points of the
// working precision, and the threads convert.

#ifndef INCLUDED_GPUFFT_KERNELS_TILE_LAYOUT_CUH
#define INCLUDED_GPUFFT_KERNELS_TILE_LAYOUT_CUH

#include "arguments.cuh"

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

// Points in 16 bytes, which are moved together.
constexpr int COPIED_TOGETHER = 16 / static_cast<int>(sizeof(complex));

template <class Step, class = void>
constexpr bool has_rows = false;

template <class Step>
constexpr bool has_rows<Step, decltype(static_cast<void>(Step::rows))> = Step::rows > 0;

// How a frame of N samples lies in a tile of this load or store step.
template <class Step, int N, bool HasRows = has_rows<Step>>
struct frame_in_tile {
    typedef typename Step::item item;
    static constexpr int rows = Step::rows, row_items = Step::template row_items<N>;

    static GPUFFT_DEVICE unsigned long long
    row_count(const transform_arguments& arguments)
    {
        return Step::row_count(arguments);
    }
};

template <class Step, int N>
struct frame_in_tile<Step, N, false> {
    typedef complex item;
    static constexpr int rows = 1, row_items = N;

    static GPUFFT_DEVICE unsigned long long
    row_count(const transform_arguments& arguments)
    {
        return arguments.frames;
    }
};

// The tile. Frames whose size is a multiple of 32 bytes lie 16 bytes apart if threads
// move them or if they are two rows: without gaps accesses would fall into few banks. The
// copy engine copies such frames one by one, which is too slow for short rows.
template <class Step, int N, int Frames, bool ByCard>
struct tile_layout : frame_in_tile<Step, N> {
    typedef frame_in_tile<Step, N> frame;
    typedef typename frame::item item;
    static constexpr int frame_items = frame::rows * frame::row_items;
    static constexpr int frame_bytes = frame_items * static_cast<int>(sizeof(item));
    static constexpr bool is_spaced = (frame::rows > 1 || !ByCard) && Frames > 1 &&
                                      frame_bytes % 32 == 0 && 16 % sizeof(item) == 0;
    static constexpr int space = is_spaced ? 16 / static_cast<int>(sizeof(item)) : 0;
    static constexpr int distance = frame_items + space;
    static constexpr int items = frame_items * Frames;

    // The size of one copy, and the number of copies.
    static constexpr int copies = is_spaced ? Frames : 1;
    static constexpr int copied_items = items / copies;
    static constexpr int copied_bytes = frame_bytes * Frames / copies;

    // Includes what is missing at both ends to multiples of 16 bytes.
    static constexpr int points =
        (distance * Frames * static_cast<int>(sizeof(item)) + 31) / 16 * COPIED_TOGETHER;

    // Position of item e of the rows; of vector i of 16 bytes.
    static GPUFFT_DEVICE int at(int e)
    {
        return is_spaced ? e + e / frame_items * space : e;
    }
    static GPUFFT_DEVICE int vector_at(int i)
    {
        return is_spaced ? i + i / (frame_bytes / 16) : i;
    }
};

} // namespace kernels
} // namespace gpufft
} // namespace gr

#endif
