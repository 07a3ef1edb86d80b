// SPDX-License-Identifier: GPL-3.0-or-later
//
// The two levels of a hierarchical transform in one launch. Column tiles run a few frames
// ahead of row tiles, and the points between them live in a ring of frames that is small
// enough to stay in the L2 cache: memory is read once and written once.

#ifndef INCLUDED_GPUFFT_KERNELS_CHAINED_CUH
#define INCLUDED_GPUFFT_KERNELS_CHAINED_CUH

#include "hierarchical.cuh"

namespace gr {
namespace gpufft {
namespace kernels {

// A tile of one of the two levels.
struct chained_tile {
    bool is_column;
    unsigned frame;
    unsigned tile;
};

// Tile number `ticket` of a launch: the columns of `lag` frames, then in turns the
// columns of the next frame and the rows of the frame `lag` before, at last the rows that
// are left.
template <int Columns, int Rows>
GPUFFT_DEVICE chained_tile tile_of_ticket(unsigned ticket, unsigned frames, unsigned lag)
{
    if (ticket < lag * Columns)
        return { true, ticket / Columns, ticket % Columns };
    ticket -= lag * Columns;
    const unsigned turn = ticket / (Columns + Rows), rest = ticket % (Columns + Rows);
    if (turn < frames - lag) {
        if (rest < Columns)
            return { true, lag + turn, rest };
        return { false, turn, rest - Columns };
    }
    ticket -= (frames - lag) * (Columns + Rows);
    return { false, frames - lag + ticket / Rows, ticket % Rows };
}

// Computes  as both levels' hierarchical_kernel, one after the other.
// Layout    the blocks draw tickets, see tile_of_ticket(). Frame f meets in slot f mod
// Ring
//           of arguments.scratch. counters: [0] tickets drawn, [1] blocks at their end,
//           then for every frame its columns and its rows that are done.
// Launch    grid = frames * (Columns::tiles + Rows::tiles), block = threads of either
// shape,
//           shared = the larger of both.
// Requires  Lag < Ring; counters are zero, and are left so. A tile only waits for tiles
//           with earlier tickets, which run already, so no block waits for ever.
template <class Columns, class Rows, int Threads, int Blocks, int Lag, int Ring>
GPUFFT_KERNEL(Threads, Blocks)
chained_kernel(transform_arguments arguments)
{
    const unsigned frames = static_cast<unsigned>(arguments.frames);
    unsigned* const drawn = arguments.counters;
    unsigned* const ended = arguments.counters + 1;
    unsigned* const columns_done = arguments.counters + 2;
    unsigned* const rows_done = columns_done + frames;

    const unsigned ticket = draw_for_block(drawn);
    const chained_tile now = tile_of_ticket<Columns::tiles, Rows::tiles>(
        ticket, frames, Lag < frames ? Lag : frames);
    const unsigned slot = now.frame % Ring;
    if (now.is_column) {
        if (now.frame >= Ring) // the slot's last frame has been read
            wait_for_count(rows_done + now.frame - Ring, Rows::tiles);
        arguments.output = arguments.scratch;
        run_tile<Columns>(arguments, now.frame, slot, now.tile);
        count_for_block(columns_done + now.frame);
    } else {
        wait_for_count(columns_done + now.frame, Columns::tiles);
        arguments.input = arguments.scratch;
        arguments.twiddles = arguments.more_twiddles;
        run_tile<Rows>(arguments, slot, now.frame, now.tile);
        count_for_block(rows_done + now.frame);
    }

    // The last block leaves the counters as they were.
    if (draw_for_block(ended) == gridDim.x - 1)
        for (unsigned i = threadIdx.x; i < 2 + 2 * frames; i += Threads)
            arguments.counters[i] = 0;
}

} // namespace kernels
} // namespace gpufft
} // namespace gr

#endif
