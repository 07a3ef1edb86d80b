// SPDX-License-Identifier: GPL-3.0-or-later
//
// How long recipes take. In calls that fill the card, memory sets the pace; one model
// ranks shapes of the Stockham kernel there. In small calls, the launches and the busiest
// multiprocessor set it; the other model ranks launches of any kernel there.
// cost_constants.h has the numbers.

#ifndef INCLUDED_GPUFFT_COST_H
#define INCLUDED_GPUFFT_COST_H

#include "card.h"
#include "recipe.h"
#include <gnuradio/gpufft/problem.h>
#include <vector>

namespace gr {
namespace gpufft {

// Multiplications and additions for each point of a butterfly, roughly: in an FFT, and in
// an axis of a convolution.
double butterfly_operations(int radix);
double convolution_operations(int radix);

int largest_prime(int radix);
int largest_prime(const std::vector<int>& radices);

// What a level or step costs beyond its tiles if it reads or writes runs of `bytes`.
double segment_cost(std::size_t bytes, bool is_read);

// What it costs if runs of `bytes` bytes, `pitch` bytes apart, do not begin on sectors:
// two blocks touch parts of the same sectors. is_read: they are read and written, else
// only written.
double off_sectors_cost(std::size_t pitch, std::size_t bytes, bool is_read);

// Registers that a thread of the shape needs.
int register_target(const stockham_shape& shape);

// Cycles in which the lanes that are served together read their first points of a tile.
int cycles_of_tile(const stockham_shape& shape);

// Bytes that a block reads and writes.
double bytes_of_block(const stockham_shape& shape);

// Time of the same instructions relative to a copy, compared with an H100's.
double relative_time_of_instructions(const device_traits& card);

// Blocks that a multiprocessor holds, limited by registers, threads and shared memory.
int resident_blocks(const stockham_shape& shape, const device_traits& card);

// Estimated time in a call that fills the card, relative to a copy of the data; >= 1. Of
// complex vectors, and of a real transform without what its ends cost.
double estimated_cost(const stockham_shape& shape, const device_traits& card);
double estimated_cost_of_real(const stockham_shape& shape, const device_traits& card);

// True if the call has enough points to fill any current card.
bool fills_card(const problem& what);

// True for the calls that launch_cost() ranks: those that do not fill the card. Calls for
// powers always count as full, because powers are averaged over many frames.
bool is_small_call(const problem& what);

// The work of a launch's blocks.
struct launch_work {
    double blocks = 1;   // blocks of the launch
    double resident = 1; // blocks that a multiprocessor holds at once
    double points = 0;   // points of a block
    int cluster = 1;     // blocks of a cluster, which wait for each other

    // The work over all passes, of a thread unless a comment says otherwise.
    double threads = 0; // threads of a block, rounded up to whole warps
    double passes = 0;
    double partial = 0;      // passes in which some threads are idle
    double operations = 0;   // multiplications and additions
    double spilled = 0;      // points that registers cannot hold
    double first = 0;        // points that the thread reads first
    double exchanged = 0;    // points that the block exchanges
    double stored_apart = 0; // sectors that the block stores in part, in addition
    bool segments = false;   // reads parts of lines
    bool gathers = false;    // reads points that are not neighbours
};

launch_work
work_of_tile(const stockham_shape& shape, double blocks, const device_traits& card);
launch_work work_of_cluster(const recipe& how,
                            double resident,
                            double frames,
                            const device_traits& card);

// A convolution with `transforms` transforms for each frame. gathers: its first pass
// reads points that are not neighbours and holds those of all rounds.
launch_work work_of_convolution(const block_shape& shape,
                                double transforms,
                                bool gathers,
                                double frames,
                                const device_traits& card);

// Time of a launch, relative to copying the call's data. `full` is this ratio in a call
// that fills the card.
double launch_cost(double full,
                   const launch_work& work,
                   const problem& what,
                   const device_traits& card);

// What memory accesses cost in this call if they cost `full` in one that fills the card.
double cost_of_moves(double full, const problem& what);

// Lower bound on the cost of a recipe of `launches` launches, if it costs at least `full`
// in calls that fill the card.
double least_launch_cost(double full, int launches, const problem& what);

// The bound on blocks per multiprocessor, at most `blocks`, that a call of `all_blocks`
// blocks needs: a higher bound only takes registers away.
int useful_bound(int blocks,
                 double all_blocks,
                 const problem& what,
                 const device_traits& card);

} // namespace gpufft
} // namespace gr

#endif
