// SPDX-License-Identifier: GPL-3.0-or-later
//
// Moves between vectors and streams, each of which has one item of every vector. The
// streams lie in GNU Radio's buffers, which the kernel reaches over the link, or in rings
// on the card. Shared memory keeps both sides in the order of memory.

#ifndef INCLUDED_GPUFFT_KERNELS_STREAMS_CUH
#define INCLUDED_GPUFFT_KERNELS_STREAMS_CUH

#include "device.cuh"

namespace gr {
namespace gpufft {
namespace kernels {

// A tile has Streams streams and Vectors vectors, as many as fill lines of memory on both
// sides. Vector 0 of the launch is vector `lead` of its tile: so the tiles of a stream
// begin where its lines do.
template <class Item, int Streams, int Vectors, int Threads>
struct stream_tile {
    static constexpr int rounds = (Streams * Vectors + Threads - 1) / Threads;
    static constexpr int pitch = Vectors | 1; // neither side meets a bank twice

    const streams_arguments& arguments;
    const unsigned first_stream;
    const long long first_vector;

    static GPUFFT_DEVICE unsigned across(const streams_arguments& arguments)
    {
        return (arguments.streams + Streams - 1) / Streams;
    }
    static GPUFFT_DEVICE unsigned long long tiles(const streams_arguments& arguments)
    {
        return (arguments.vectors + arguments.lead + Vectors - 1) / Vectors *
               across(arguments);
    }
    GPUFFT_DEVICE stream_tile(const streams_arguments& all, unsigned long long tile)
        : arguments(all),
          first_stream(static_cast<unsigned>(tile % across(all)) * Streams),
          first_vector(static_cast<long long>(tile / across(all) * Vectors) - all.lead)
    {
    }

    GPUFFT_DEVICE bool has(int e, int stream, int vector) const
    {
        const long long at = first_vector + vector;
        return e < Streams * Vectors && first_stream + stream < arguments.streams &&
               at >= 0 && at < static_cast<long long>(arguments.vectors);
    }
    GPUFFT_DEVICE Item* in_vector(int stream, int vector) const
    {
        return static_cast<Item*>(arguments.items) +
               (first_vector + vector) * arguments.vector_items +
               arguments.places[first_stream + stream].item;
    }
    // Null for an item without a stream.
    GPUFFT_DEVICE Item* in_stream(int stream, int vector) const
    {
        const stream_place place = arguments.places[first_stream + stream];
        if (place.memory == nullptr)
            return nullptr;
        return static_cast<Item*>(place.memory) +
               (place.start + arguments.begin) % place.items + first_vector + vector;
    }
};

// Computes  for every stream s and vector v: stream s at begin + v = item places[s].item
//           of vector v.
// Layout    block b takes tiles b, b + grid ...: few blocks fill the link, and leave the
//           multiprocessors to other kernels.
// Launch    grid: any, block = Threads, shared = Streams * pitch items.
// Requires  the streams do not overlap.
template <class Item, int Streams, int Vectors, int Threads>
GPUFFT_KERNEL(Threads, 1)
vectors_to_streams_kernel(streams_arguments arguments)
{
    begin_kernel();
    typedef stream_tile<Item, Streams, Vectors, Threads> tile_type;
    Item* const shared = shared_memory<Item>();
    const unsigned long long tiles = tile_type::tiles(arguments);
    for (unsigned long long t = blockIdx.x; t < tiles; t += gridDim.x) {
        const tile_type tile(arguments, t);
#pragma unroll
        for (int i = 0; i < tile_type::rounds; ++i) {
            const int e = i * Threads + threadIdx.x;
            const int stream = e % Streams, vector = e / Streams;
            if (tile.has(e, stream, vector))
                shared[stream * tile_type::pitch + vector] =
                    *tile.in_vector(stream, vector);
        }
        __syncthreads();
#pragma unroll
        for (int i = 0; i < tile_type::rounds; ++i) {
            const int e = i * Threads + threadIdx.x;
            const int stream = e / Vectors, vector = e % Vectors;
            if (tile.has(e, stream, vector))
                *tile.in_stream(stream, vector) =
                    shared[stream * tile_type::pitch + vector];
        }
        __syncthreads();
    }
}

// The reverse: item places[s].item of vector v = stream s at begin + v, or 0 without a
// stream. Layout, launch and requirements are the same.
template <class Item, int Streams, int Vectors, int Threads>
GPUFFT_KERNEL(Threads, 1)
streams_to_vectors_kernel(streams_arguments arguments)
{
    begin_kernel();
    typedef stream_tile<Item, Streams, Vectors, Threads> tile_type;
    Item* const shared = shared_memory<Item>();
    const unsigned long long tiles = tile_type::tiles(arguments);
    for (unsigned long long t = blockIdx.x; t < tiles; t += gridDim.x) {
        const tile_type tile(arguments, t);
        Item items[tile_type::rounds] = {}; // all loads before the first store
#pragma unroll
        for (int i = 0; i < tile_type::rounds; ++i) {
            const int e = i * Threads + threadIdx.x;
            const int stream = e / Vectors, vector = e % Vectors;
            if (tile.has(e, stream, vector))
                if (const Item* from = tile.in_stream(stream, vector))
                    items[i] = *from;
        }
#pragma unroll
        for (int i = 0; i < tile_type::rounds; ++i) {
            const int e = i * Threads + threadIdx.x;
            const int stream = e / Vectors, vector = e % Vectors;
            if (tile.has(e, stream, vector))
                shared[stream * tile_type::pitch + vector] = items[i];
        }
        __syncthreads();
#pragma unroll
        for (int i = 0; i < tile_type::rounds; ++i) {
            const int e = i * Threads + threadIdx.x;
            const int stream = e % Streams, vector = e / Streams;
            if (tile.has(e, stream, vector))
                *tile.in_vector(stream, vector) =
                    shared[stream * tile_type::pitch + vector];
        }
        __syncthreads();
    }
}

} // namespace kernels
} // namespace gpufft
} // namespace gr

#endif
