// SPDX-License-Identifier: GPL-3.0-or-later
//
// The Stockham FFT of kernels/stockham/stockham.cuh, whose block moves all its vectors
// together, as one tile. It is for short vectors, of which a few threads would touch
// parts of sectors of global memory, and for lengths whose vectors do not begin on
// sectors. With the shape of a tensor the vectors are frames of several axes.

#ifndef INCLUDED_GPUFFT_KERNELS_STOCKHAM_TILES_CUH
#define INCLUDED_GPUFFT_KERNELS_STOCKHAM_TILES_CUH

#include "frame_tiles.cuh"
#include "stockham/stockham.cuh"

namespace gr {
namespace gpufft {
namespace kernels {

// Computes  for every frame f: Store(sum_m Load(f, m) exp(-2 pi j m k / N)).
// Layout    block b takes the frames b Transforms ... (b+1) Transforms - 1. Shared
//           memory: the vectors or the exchange areas.
// Launch    grid = ceil(frames / Transforms), block = Threads * Transforms, shared =
//           max(D Transforms + 2, Stride Transforms) complex, at least 32 bytes, and a
//           barrier before them if ByCard; D points from one vector to the next, see
//           tile_layout.
// Requires  input and output do not overlap.
template <class Shape, class Load, class Store, bool ByCard>
GPUFFT_KERNEL(Shape::block_threads, Shape::blocks)
stockham_tiles_kernel(transform_arguments arguments)
{
    begin_kernel();
    constexpr int last = Shape::pass_count - 1;
    const int lane = threadIdx.x % Shape::threads;
    const int slot = threadIdx.x / Shape::threads;
    const unsigned long long first = blockIdx.x * (unsigned long long)Shape::transforms;
    complex* area = shared_memory<complex>() + (ByCard ? COPIED_TOGETHER : 0);
    complex points[Shape::points()] = {};
    complex results[Shape::results()];

    tile_reader<Shape::n, Shape::transforms, Shape::block_threads, Load, ByCard> reader(
        arguments, area, shared_memory<transfer_barrier>());
    reader.start(first);
    reader.wait();
    const auto* own = reader.frame(slot);
    for_each_point<Shape, 0>(lane, [&](int i, int k, int j) {
        points[i] = reader.sample(
            own, Shape::template first_input<0>(j) + k * Shape::template count<0>());
    });
    __syncthreads();

    transform<Shape>(points,
                     area + slot * Shape::stride,
                     arguments.twiddles,
                     lane,
                     false,
                     [&](int i, int, int, complex value) { results[i] = value; });
    __syncthreads();

    typedef tile_writer<Shape::n, Shape::transforms, Shape::block_threads, Store, ByCard>
        writer_type;
    const writer_type writer(arguments, area, first);
    auto* bins = writer.frame(slot);
    for_each_point<Shape, last>(lane, [&](int i, int k, int j) {
        writer.put(bins,
                   Shape::template first_output<last>(j) +
                       k * Shape::template span<last>(),
                   results[i]);
    });
    writer.start();
    writer_type::finish();
}

} // namespace kernels
} // namespace gpufft
} // namespace gr

#endif
