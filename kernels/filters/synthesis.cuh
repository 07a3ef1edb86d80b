// SPDX-License-Identifier: GPL-3.0-or-later
//
// The second half of a polyphase synthesis, after the inverse transforms of its frames:
// each sample is a weighted sum over the transforms that reach it (Crochiere, "A weighted
// overlap-add method of short-time Fourier analysis/synthesis", IEEE Trans. ASSP 28,
// 1980).

#ifndef INCLUDED_GPUFFT_KERNELS_SYNTHESIS_CUH
#define INCLUDED_GPUFFT_KERNELS_SYNTHESIS_CUH

#include "store.cuh"

namespace gr {
namespace gpufft {
namespace kernels {

// Rows of R samples from transforms of N points. A thread makes sample i of `Rows` rows
// that are `Apart` rows apart. If N = Apart R, these rows read one column of the
// transforms, each point of which serves several rows; else `Apart` is 1, and each row
// reads its own column.
template <int N, int R, int Taps, int Rows, int Apart, int Threads>
struct synthesis_shape {
    static constexpr int n = N, samples = R, taps = Taps, rows = Rows, apart = Apart;
    static constexpr bool shares_column = N == Apart * R;
    static constexpr int chains = R * Apart; // threads of a tile
    static constexpr int tile_rows = Rows * Apart;
    static constexpr int parts = (chains + Threads - 1) / Threads; // blocks of a tile
    static constexpr int tiles = chains < Threads ? Threads / chains : 1; // of a block
    static constexpr int threads = Threads;
};

// Adds taps `first` ... of each row to its sum, counted from the oldest transform.
template <class Shape, int Together>
GPUFFT_DEVICE void add_taps(const transform_arguments& arguments,
                            unsigned long long row,
                            int i,
                            int column,
                            int first,
                            complex (&sums)[Shape::rows])
{
    const unsigned long long end = arguments.frames + Shape::taps - 1;
    const complex* const points = static_cast<const complex*>(arguments.input);
    real weights[Together];
#pragma unroll
    for (int t = 0; t < Together; ++t) {
        const int p = Shape::taps - 1 - (first + t);
        weights[t] = p < 0 ? 0 : load_constant(arguments.window + p * Shape::samples + i);
    }
    const auto point = [&](int later, int at) {
        const unsigned long long transform = row + first + later;
        return transform < end ? points[transform * Shape::n + at] : complex{ 0, 0 };
    };
    if constexpr (Shape::shares_column) {
#pragma unroll
        for (int j = 0; j < Together + (Shape::rows - 1) * Shape::apart; ++j) {
            const complex x = point(j, column);
#pragma unroll
            for (int r = 0; r < Shape::rows; ++r) {
                const int t = j - r * Shape::apart;
                if (t >= 0 && t < Together)
                    sums[r] = sums[r] + x * weights[t];
            }
        }
    } else {
#pragma unroll
        for (int r = 0; r < Shape::rows; ++r) {
#pragma unroll
            for (int t = 0; t < Together; ++t)
                sums[r] = sums[r] + point(r + t, column) * weights[t];
            column += Shape::samples;
            column -= column < Shape::n ? 0 : Shape::n;
        }
    }
}

// Computes  Kind of y[f][i] = sum_p w[p R + i] v[f + Taps-1 - p][(i + t + f R) mod N], i
// < R,
//           with t = R (position / N + Taps - 1).
// Layout    input: transforms of N points, Taps - 1 more than rows; output: rows of R.
//           Thread c of a tile makes sample c mod R of rows c / R + r Apart of it.
// Launch    grid = ceil(frames / (tile_rows tiles)) parts, block = Threads.
// Requires  rows and transforms do not overlap; R <= N; window has R Taps numbers.
template <class Shape, class Kind = as_complex>
GPUFFT_KERNEL(Shape::threads, 2)
synthesis_sum_kernel(transform_arguments arguments)
{
    begin_kernel();
    constexpr int N = Shape::n, R = Shape::samples;
    constexpr int together = Shape::taps < 16 ? Shape::taps : 16;
    const unsigned block = blockIdx.x / Shape::parts;
    const int place = blockIdx.x % Shape::parts * Shape::threads + threadIdx.x;
    const int slot = place / Shape::chains, chain = place % Shape::chains;
    if (slot >= Shape::tiles)
        return;
    const unsigned long long tile = block * (unsigned long long)Shape::tiles + slot;
    const unsigned long long row = tile * Shape::tile_rows + chain / R;
    const int i = chain % R;
    const unsigned long long begin =
        arguments.position / N + Shape::taps - 1 + row; // in rows
    const int column = static_cast<int>((begin % N * R + i) % N);

    complex sums[Shape::rows] = {};
    for (int first = 0; first < Shape::taps; first += together)
        add_taps<Shape, together>(arguments, row, i, column, first, sums);
    auto* const y = static_cast<typename Kind::item*>(arguments.output);
#pragma unroll
    for (int r = 0; r < Shape::rows; ++r) {
        const unsigned long long to = row + r * Shape::apart;
        if (to >= arguments.frames)
            continue;
        if constexpr (sizeof(typename Kind::item) == sizeof(complex)) // no format
            y[to * R + i] = sums[r];
        else
            y[to * R + i] = stored_value<Kind>(arguments, sums[r], 1);
    }
}

} // namespace kernels
} // namespace gpufft
} // namespace gr

#endif
