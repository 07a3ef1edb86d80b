// SPDX-License-Identifier: GPL-3.0-or-later
//
// Calls that do not fill the card: launches and the few blocks of the busiest
// multiprocessor take their time, not memory.

#ifndef INCLUDED_GPUFFT_SMALL_CALLS_H
#define INCLUDED_GPUFFT_SMALL_CALLS_H

#include "algorithm.h"

namespace gr {
namespace gpufft {

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

launch_work work_of_tile(const stockham_shape& shape, double blocks);
launch_work work_of_cluster(const recipe& how, double resident, double frames);

// A convolution with `transforms` transforms for each frame. gathers: its first pass
// reads points one by one and holds them over all rounds.
launch_work work_of_convolution(const stockham_shape& shape,
                                double transforms,
                                bool gathers,
                                double frames);

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
