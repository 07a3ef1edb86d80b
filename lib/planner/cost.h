// SPDX-License-Identifier: GPL-3.0-or-later
//
// How long recipes take: shapes of the Stockham kernel in calls that fill the card, where
// memory sets the pace; and any launch in small calls, where launches and the few blocks
// of the busiest multiprocessor do. cost_constants.h has the numbers.

#ifndef INCLUDED_GPUFFT_COST_H
#define INCLUDED_GPUFFT_COST_H

#include "card.h"
#include "recipe.h"
#include <gnuradio/gpufft/problem.h>
#include <vector>

namespace gr {
namespace gpufft {

// Multiplications and additions of a butterfly, or of one in a convolution's axis, a
// point, roughly.
double butterfly_operations(int radix);
double convolution_operations(int radix);

int largest_prime(const std::vector<int>& radices);

// What a level or step costs beyond its tiles if it reads or writes only `bytes` side by
// side.
double segment_cost(std::size_t bytes, bool is_read);

// Registers that a thread needs.
int register_target(const stockham_shape& shape);

// Blocks that a multiprocessor holds, by registers, threads and shared memory.
int resident_blocks(const stockham_shape& shape, const device_traits& card);

// Estimated time in a call that fills the card, over that of a copy of the data, >= 1.
double estimated_cost(const stockham_shape& shape, const device_traits& card);

// True if the call has enough points to fill any current card.
bool fills_card(const problem& what);

// True for the calls that this model ranks: those that do not fill the card. Powers are
// ranked like full ones, because they are made to be averaged over many frames.
bool is_small_call(const problem& what);

// What the blocks of a launch do.
struct launch_work {
    double blocks = 1;   // of the launch
    double resident = 1; // blocks that a multiprocessor holds at once
    double points = 0;   // of a block
    int cluster = 1;     // blocks that wait for each other

    // A thread's work over all passes.
    double threads = 0; // of a block, in whole warps
    double passes = 0;
    double partial = 0;    // passes that leave threads idle
    double operations = 0; // on the points of a thread
    double spilled = 0;    // points of a thread that registers cannot hold
    double first = 0;      // points that a thread starts with
    double exchanged = 0;  // points of the block, over all passes
    bool segments = false; // reads parts of lines
    bool gathers = false;  // reads points one by one
};

launch_work
work_of_tile(const stockham_shape& shape, double blocks, const device_traits& card);
launch_work work_of_cluster(const recipe& how,
                            double resident,
                            double frames,
                            const device_traits& card);

// A convolution with `transforms` transforms for each frame. gathers: its first pass
// reads points one by one and holds them over all rounds.
launch_work work_of_convolution(const block_shape& shape,
                                double transforms,
                                bool gathers,
                                double frames,
                                const device_traits& card);

// Time of a launch over that of copying the call's data; `full` is the same ratio in a
// call that fills the card.
double launch_cost(double full,
                   const launch_work& work,
                   const problem& what,
                   const device_traits& card);

// The share of this call in a cost of memory that is `full` in calls that fill the card.
double cost_of_moves(double full, const problem& what);

// Lower bound on the cost of a recipe of `launches` launches that costs at least `full`
// in calls that fill the card.
double least_launch_cost(double full, int launches, const problem& what);

// The bound on blocks per multiprocessor, at most `blocks`, that a call of `all_blocks`
// blocks needs: a higher one only takes registers away.
int useful_bound(int blocks,
                 double all_blocks,
                 const problem& what,
                 const device_traits& card);

} // namespace gpufft
} // namespace gr

#endif
