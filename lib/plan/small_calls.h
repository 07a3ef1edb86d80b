// SPDX-License-Identifier: GPL-3.0-or-later
//
// Calls that do not fill the card: what they take is launches, and the few blocks of the
// busiest multiprocessor, rather than memory.

#ifndef INCLUDED_GPUFFT_SMALL_CALLS_H
#define INCLUDED_GPUFFT_SMALL_CALLS_H

#include "algorithm.h"

namespace gr {
namespace gpufft {

// True if the call has so many points that it fills any card of today.
bool fills_card(const problem& what);

// True for the calls that this model ranks: those that do not fill the card. Powers are
// ranked like full ones, because they are made to be averaged over many frames.
bool is_small_call(const problem& what);

// What the blocks of a launch do.
struct launch_work {
    double blocks = 1;   // of the launch
    double resident = 1; // ... that a multiprocessor holds at once
    double points = 0;   // of a block
    int cluster = 1;     // blocks that wait for each other

    // On the way of a thread, pass after pass.
    double threads = 0; // of a block, whole warps
    double passes = 0;
    double partial = 0;    // ... that leave threads idle
    double operations = 0; // on the points of a thread
    double spilled = 0;    // points of a thread that registers lack for
    double first = 0;      // points that a thread starts with
    double exchanged = 0;  // points of the block, over all passes
    bool segments = false; // reads parts of lines
    bool gathers = false;  // reads points one by one
};

launch_work work_of_tile(const stockham_shape& shape, double blocks);
launch_work work_of_cluster(const recipe& how, double resident, double frames);

// A convolution of which each frame takes `transforms`. gathers: its first pass reads
// points one by one and holds them over all rounds.
launch_work work_of_convolution(const stockham_shape& shape,
                                double transforms,
                                bool gathers,
                                double frames);

// Time of a launch over that of copying the call's data. It is `full` in a call that
// fills the card.
double launch_cost(double full,
                   const launch_work& work,
                   const problem& what,
                   const device_traits& card);

// What a part of the cost that is there in full calls has left in this one.
double cost_of_moves(double full, const problem& what);

// No recipe of so many launches costs less, if it costs `full` at least in full calls.
double least_launch_cost(double full, int launches, const problem& what);

// The bound on blocks a multiprocessor that a call of so many blocks needs: a higher one
// only takes registers away.
int useful_bound(int blocks,
                 double all_blocks,
                 const problem& what,
                 const device_traits& card);

} // namespace gpufft
} // namespace gr

#endif
