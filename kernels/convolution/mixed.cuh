// SPDX-License-Identifier: GPL-3.0-or-later
//
// Transforms of N = R M points, whose rows of M points have prime factors that no radix
// has:
//     X[c + R d] = sum_b w_M^(b d) w_N^(b c) sum_a x[M a + b] w_R^(a c)
// If N points and R registers suffice, one kernel has a column pass before Rader's
// algorithm. Otherwise the column levels are those of hierarchical.cuh, and the rows go
// through rader.cuh or bluestein.cuh, which take each row as a frame of M samples; frame
// v is row v mod R of frame floor(v / R).

#ifndef INCLUDED_GPUFFT_KERNELS_MIXED_CUH
#define INCLUDED_GPUFFT_KERNELS_MIXED_CUH

#include "convolution/bluestein.cuh"
#include "convolution/rader.cuh"
#include "levels/hierarchical.cuh"

namespace gr {
namespace gpufft {
namespace kernels {

// Stores bin d of a row as bin c + R d of its frame, c = Levels::bin_of_row(row), R =
// Levels::product.
template <class Store, class Levels, int M>
struct store_bins {
    struct item { // a row's bins lie apart, so none are copied
    };
    static constexpr bool rows_are_neighbours = true;

    template <int>
    static GPUFFT_DEVICE void
    put(const transform_arguments& arguments, unsigned long long v, int d, complex value)
    {
        // there are less than 2^32 rows, which lie in a scratch of 2 GiB
        const unsigned frame = static_cast<unsigned>(v) / Levels::product;
        const int row = static_cast<int>(static_cast<unsigned>(v) % Levels::product);
        Store::template put<Levels::product * M>(
            arguments, frame, Levels::bin_of_row(row) + d * Levels::product, value);
    }
};

// The rows of M points that the column pass leaves, as read_samples() reads them.
template <int M>
struct rows_in_tile {
    GPUFFT_DEVICE complex sample(const complex* row, int m) const { return row[m]; }
    GPUFFT_DEVICE void
    pair(const complex* row, int m, complex& y, complex& opposite) const
    {
        y = row[m];
        opposite = row[M - m];
    }
};

// Bin d of row `column` is bin column + Columns d of the frame.
template <class Writer, int Columns, int M>
struct bins_of_row {
    const Writer& writer;
    int column;
    static_assert(!Writer::in_pairs, "bins k and N-k in different threads");
    static constexpr bool in_pairs = false;

    template <class Frame>
    GPUFFT_DEVICE void put(Frame frame, int d, complex value) const
    {
        writer.put(frame, column + Columns * d, value);
    }
    template <class Frame>
    GPUFFT_DEVICE void put_pair(Frame frame, int d, complex value, complex opposite) const
    {
        put(frame, d, value);
        put(frame, M - d, opposite);
    }
};

// Transforms the columns of all frames of the tile; the rows follow each other in `rows`.
// twiddles[(c - 1) M + b] is w_N^(b c).
template <int Columns, int M, int Vectors, int Threads, class Reader>
GPUFFT_DEVICE void
transform_columns(const Reader& reader, complex* rows, const complex* twiddles)
{
#pragma unroll 1
    for (int e = threadIdx.x; e < M * Vectors; e += Threads) {
        const int b = e % M;
        const auto* frame = reader.frame(e / M);
        complex points[Columns];
#pragma unroll
        for (int a = 0; a < Columns; ++a)
            points[a] = reader.sample(frame, a * M + b);
        butterfly<Columns>(points);
        complex* const column = rows + e / M * (Columns * M) + b;
        column[0] = points[0];
#pragma unroll
        for (int c = 1; c < Columns; ++c)
            column[c * M] = points[c] * load_constant(twiddles + (c - 1) * M + b);
    }
}

// Computes  Store(DFT of Load) for frames of N = Columns M points, M prime.
// Layout    tile t has the frames t F ... (t + 1) F - 1, F = Shape::frames / Columns;
//           block b takes the tiles b, b + blocks, ... order, Ahead: see rader_kernel.
//           more_twiddles: see transform_columns().
// Launch    grid = ceil(frames / F), with Ahead also fewer, block = Workers *
//           Shape::frames, shared = shared_bytes() of lib/planner/convolution/rader.cc.
// Requires  Shape::length = M - 1, input and output do not overlap.
template <class Shape, int Columns, class Load, class Store, bool Ahead>
GPUFFT_KERNEL(Shape::block_threads, Shape::blocks)
mixed_kernel(transform_arguments arguments)
{
    begin_kernel();
    constexpr int m = Shape::length + 1, n = Columns * m;
    constexpr int vectors = Shape::frames / Columns;
    constexpr int radix = Shape::template radix<0>();
    typedef tile_reader<n, vectors, Shape::block_threads, Load, true> reader_type;
    typedef tile_writer<n, vectors, Shape::block_threads, Store, true> writer_type;
    const int worker = threadIdx.x / Shape::frames, slot = threadIdx.x % Shape::frames;
    const int vector = slot / Columns, column = slot % Columns;
    const unsigned long long tiles = (arguments.frames + vectors - 1) / vectors;
    complex* const samples =
        shared_memory<complex>() + COPIED_TOGETHER; // the barrier comes first
    complex* const grid = samples + reader_type::points;
    complex points[Shape::template rounds<0>() * radix];
    reader_type reader(arguments, samples, shared_memory<transfer_barrier>());

    reader.start(blockIdx.x * (unsigned long long)vectors);
    for (unsigned long long tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
        reader.wait();
        writer_type::finish();
        __syncthreads();
        transform_columns<Columns, m, vectors, Shape::block_threads>(
            reader, grid, arguments.more_twiddles);
        __syncthreads();
        const complex* const row = grid + slot * m;
        const complex x0 = row[0];
        complex bin0 = { 0, 0 };
        for_each_held_butterfly<Shape, 0>(worker, [&](int round, int b) {
            read_samples<Shape>(
                points + round * radix, rows_in_tile<m>(), row, arguments.order, b);
        });
        __syncthreads();
        const unsigned long long next = tile + gridDim.x;
        if (Ahead && next < tiles)
            reader.start(next * vectors);

        convolve_held<Shape>(
            points, grid + slot * Shape::stride, arguments, worker, [&](complex sum) {
                bin0 = x0 + sum;
                return x0;
            });

        const writer_type writer(arguments, grid, tile * vectors);
        const bins_of_row<writer_type, Columns, m> bins = { writer, column };
        auto* frame = writer.frame(vector);
        for_each_held_butterfly<Shape, 0>(worker, [&](int round, int b) {
            write_bins<Shape>(
                points + round * radix, bins, frame, arguments.order + m - 1, b);
        });
        if (worker == 0)
            bins.put(frame, 0, bin0);
        writer.start();
        if (!Ahead)
            break;
    }
    writer_type::finish();
}

} // namespace kernels
} // namespace gpufft
} // namespace gr

#endif
