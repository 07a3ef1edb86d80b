// SPDX-License-Identifier: GPL-3.0-or-later
//
// Gathers frames whose items lie apart, and scatters rows, for kernels that need frames
// and rows without gaps.

#ifndef INCLUDED_GPUFFT_KERNELS_STRIDED_CUH
#define INCLUDED_GPUFFT_KERNELS_STRIDED_CUH

#include "complex.cuh"

namespace gr {
namespace gpufft {
namespace kernels {

struct item_of_3 { // cs12
    unsigned char bytes[3];
};

struct alignas(16) item_of_16 {
    unsigned long long low, high;
};

// An axis of Length items that lie Stride apart.
template <unsigned long long Length, unsigned long long Stride>
struct strided_axis {
    static constexpr unsigned long long length = Length;
    static constexpr unsigned long long stride = Stride;
};

// Position of item i of a frame, where i counts along the axes in C order.
template <class... Axes>
struct strided_axes {
    static constexpr unsigned long long items = 1;
    template <bool IsWhole = true>
    static GPUFFT_DEVICE unsigned long long at(unsigned long long)
    {
        return 0;
    }
};

template <class First, class... Rest>
struct strided_axes<First, Rest...> {
    static constexpr unsigned long long inner = strided_axes<Rest...>::items;
    static constexpr unsigned long long items = First::length * inner;

    // IsWhole: i is less than `items`.
    template <bool IsWhole = true>
    static GPUFFT_DEVICE unsigned long long at(unsigned long long i)
    {
        constexpr unsigned long long length = IsWhole ? 0 : First::length;
        return digit_of<inner, length>(i) * First::stride +
               strided_axes<Rest...>::template at<false>(i);
    }
};

// Copies input frames to frames without gaps.
template <class Item, class Axes>
struct gather_items {
    typedef Item item;
    static constexpr unsigned long long items = Axes::items;

    static GPUFFT_DEVICE Item get(const transform_arguments& arguments,
                                  unsigned long long frame,
                                  unsigned long long i)
    {
        return static_cast<const Item*>(
            arguments.input)[frame * arguments.hop + Axes::at(i)];
    }
    static GPUFFT_DEVICE void put(const transform_arguments& arguments,
                                  unsigned long long frame,
                                  unsigned long long i,
                                  Item value)
    {
        static_cast<Item*>(arguments.output)[frame * items + i] = value;
    }
};

// Copies rows without gaps to output rows that lie Distance items apart.
template <class Item, class Axes, unsigned long long Distance>
struct scatter_items {
    typedef Item item;
    static constexpr unsigned long long items = Axes::items;

    static GPUFFT_DEVICE Item get(const transform_arguments& arguments,
                                  unsigned long long frame,
                                  unsigned long long i)
    {
        return static_cast<const Item*>(arguments.input)[frame * items + i];
    }
    static GPUFFT_DEVICE void put(const transform_arguments& arguments,
                                  unsigned long long frame,
                                  unsigned long long i,
                                  Item value)
    {
        static_cast<Item*>(arguments.output)[frame * Distance + Axes::at(i)] = value;
    }
};

// Computes  Copy::put(Copy::get) for all items of all frames.
// Layout    a thread copies one item; frames of few items share a block.
// Launch    grid = ceil(frames / floor(Threads / items)), or frames * ceil(items /
//           Threads); block = Threads.
// Requires  input and output do not overlap.
template <class Copy, int Threads>
GPUFFT_KERNEL(Threads, 1)
strided_kernel(transform_arguments arguments)
{
    begin_kernel();
    constexpr unsigned long long items = Copy::items;
    constexpr unsigned together = items < Threads ? Threads / items : 1;
    constexpr unsigned blocks = (items + Threads - 1) / Threads; // blocks of a frame
    const unsigned slot = blocks == 1 ? threadIdx.x / items : 0;
    const unsigned long long frame =
        blockIdx.x / blocks * (unsigned long long)together + slot;
    const unsigned long long i =
        blocks == 1 ? threadIdx.x % items
                    : blockIdx.x % blocks * (unsigned long long)Threads + threadIdx.x;
    if (slot < together && frame < arguments.frames && i < items)
        Copy::put(arguments, frame, i, Copy::get(arguments, frame, i));
}

// Computes  the same if items of neighbouring frames are neighbours on the strided side.
// Layout    block b copies a tile of 32 frames and 32 items through shared memory: lanes
//           go along the frames on the strided side, along the items on the other.
// Launch    grid = ceil(frames / 32) * ceil(items / 32), block = Threads, shared = 32 *
//           33 items.
// Requires  input and output do not overlap.
template <class Copy, bool Gathers, int Threads>
GPUFFT_KERNEL(Threads, 1)
strided_tile_kernel(transform_arguments arguments)
{
    begin_kernel();
    constexpr int side = 32, pitch = side + 1; // no bank conflicts either way
    constexpr unsigned tiles = (Copy::items + side - 1) / side;
    const unsigned long long first = blockIdx.x / tiles * (unsigned long long)side;
    const unsigned long long first_item = blockIdx.x % tiles * (unsigned long long)side;
    auto* tile = shared_memory<typename Copy::item>();
    const auto for_each = [&](bool along_frames, auto&& body) {
#pragma unroll
        for (int e = threadIdx.x; e < side * side; e += Threads) {
            const int frame = along_frames ? e % side : e / side;
            const int i = along_frames ? e / side : e % side;
            if (first + frame < arguments.frames && first_item + i < Copy::items)
                body(frame, i);
        }
    };
    for_each(Gathers, [&](int frame, int i) {
        tile[frame * pitch + i] = Copy::get(arguments, first + frame, first_item + i);
    });
    __syncthreads();
    for_each(!Gathers, [&](int frame, int i) {
        Copy::put(arguments, first + frame, first_item + i, tile[frame * pitch + i]);
    });
}

} // namespace kernels
} // namespace gpufft
} // namespace gr

#endif
