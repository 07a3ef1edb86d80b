// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a convolution inside a block costs.

#ifndef INCLUDED_GPUFFT_CONVOLUTION_COST_H
#define INCLUDED_GPUFFT_CONVOLUTION_COST_H

#include "convolution.h"
#include <vector>

namespace gr {
namespace gpufft {

// What a candidate costs besides memory accesses.
struct convolution_work {
    double transforms = 2;    // transforms of the grid for a frame, forward and inverse
    double accesses = 8;      // to shared memory for each sample, beyond the grid's own
    double operations = 10;   // for each sample, beyond the grid's own
    int held = 1;             // 1: a thread holds all rounds of axis 0; 0: one round
    double waits = 1;         // share of the memory latency that is not hidden
    bool gives_place = false; // a thread holds axis 0's results and next samples at once
    std::size_t decimation = 1;   // as in convolution_use
    int columns = 1;              // points of a butterfly before the convolution
    bool reads_in_rounds = false; // each round of axis 0 waits for its samples
};

// Points of axis 0 that a thread holds at once.
int held_points(const block_shape& shape, const convolution_work& work);

// Blocks on a multiprocessor whose threads have registers enough, or `shape.blocks` if
// that is set. `ease` adds registers in which the compiler prefers to hold a large
// prime's intermediate results.
int resident_blocks(const block_shape& shape,
                    const convolution_work& work,
                    bool ease,
                    std::size_t shared_bytes,
                    const device_traits& card);

// Time of memory, issue and shared memory, which overlap, relative to copying the frames.
double busy_time(const block_shape& shape,
                 const problem& what,
                 const convolution_work& work,
                 double conflicts,
                 const device_traits& card);

// Estimated time, relative to copying the frames, in a call that fills the card:
// busy_time() and what waits.
double full_convolution_cost(double busy,
                             const block_shape& shape,
                             const problem& what,
                             const convolution_work& work,
                             std::size_t shared_bytes,
                             const device_traits& card);

// The same in this call.
double convolution_cost(double busy,
                        const block_shape& shape,
                        const problem& what,
                        const convolution_work& work,
                        std::size_t shared_bytes,
                        const device_traits& card);

// The same with the busy_time() of these conflicts.
double convolution_cost(const block_shape& shape,
                        const problem& what,
                        const convolution_work& work,
                        double conflicts,
                        std::size_t shared_bytes,
                        const device_traits& card);

// Lower bound for frames of n points whose convolution has at least `length`, in full
// calls: only the instructions of the fastest radix.
double least_convolution_cost(double n,
                              double length,
                              const convolution_work& work,
                              const device_traits& card);

// Lower bound for shapes with these axes. In small calls each multiprocessor has one
// block of all its frames, with the largest number of threads, and with registers for
// all.
double least_convolution_cost(const std::vector<int>& radices,
                              int length,
                              const problem& what,
                              std::size_t frame_bytes,
                              const convolution_work& work,
                              const device_traits& card);

} // namespace gpufft
} // namespace gr

#endif
