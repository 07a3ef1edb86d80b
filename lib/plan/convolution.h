// SPDX-License-Identifier: GPL-3.0-or-later
//
// The host's side of kernels/convolution.cuh: which shapes there are, where the grid's
// points lie, which time and which bin each of them is, and the tables.
//
// A convolution_shape is written in a recipe as a stockham_shape: n is the length of the
// convolution, radices its axes, threads the workers of a frame, transforms the frames.

#ifndef INCLUDED_GPUFFT_CONVOLUTION_H
#define INCLUDED_GPUFFT_CONVOLUTION_H

#include "algorithm.h"
#include <complex>
#include <functional>
#include <string>
#include <vector>

namespace gr {
namespace gpufft {

// Largest radix of an axis, and largest prime in one.
constexpr int MAX_AXIS = 32;
constexpr int MAX_AXIS_PRIME = 31;

struct convolution_shape {
    int length = 1;
    std::vector<int> radices;
    std::vector<bool> twiddled; // axis p against the later axes
    std::vector<int> strides;   // of axis p in shared memory
    int workers = 1;
    int frames = 1;
    int blocks = 0;
    int stride = 1; // of the frames' parts of shared memory
    int work = 0;   // where the grid lies in a frame's part
    bool is_double = false;
    double conflicts = 1; // cycles of shared memory over those without conflicts

    // The grid that folding leaves, which lies in this one.
    convolution_shape folded(int fold) const;

    int points_from(std::size_t axis) const; // of the grid of the axes from this one on
    int block_threads() const { return workers * frames; }
    int point_bytes() const { return is_double ? 16 : 8; }
    std::size_t shared_bytes() const
    {
        return std::size_t(stride) * frames * point_bytes();
    }
    std::string to_text() const; // convolution_shape<...>
};

// How the algorithm around the convolution uses shared memory.
struct convolution_use {
    bool linear = false;  // axis 0 in the order of time (twiddled, never Good's)
    int samples = 1;      // natural order: elements 0 ... samples - 1 of a frame's part
    bool apart = false;   // the samples lie elsewhere, frame after frame without a gap
    int beside = 0;       // ... and take so much memory beside the grid
    int most_frames = 32; // of a block
    std::size_t decimation = 1; // of the values, see fold_of()
    std::vector<int> order;     // where in them axis 0 reads, then writes; empty: linear
};

// Elements of shared memory that a frame takes at most.
int most_elements(int length, const convolution_use& use);

// Bins of the last axis that are summed where only every decimation-th value is wanted.
int fold_of(const std::vector<int>& radices, std::size_t decimation);

// Radices of the inverse.
std::vector<int> folded_radices(std::vector<int> radices, int fold);

// Lays the grid out with the fewest bank conflicts.
convolution_shape make_convolution(const stockham_shape& shape,
                                   const convolution_use& use);

// The same forward, whose kernels also compute the inverse: with conjugate tables the
// samples need no exchange of their parts, and both directions share what was compiled.
problem forward_of(problem what);

// Radices of the axes in every order: as few axes as there can be; of long ones also one
// more.
std::vector<std::vector<int>> axes_of(int length, bool linear);

// All axes are twiddled but the last one and, unless the grid is linear, those whose
// length has no factor in common with the later axes.
std::vector<bool> twiddled_axes(const std::vector<int>& radices, bool linear);

// Of every point of the grid, the last axis fastest: its time and its bin.
std::vector<long> times_of_points(const std::vector<int>& radices, bool linear);
std::vector<long> bins_of_points(const std::vector<int>& radices, bool linear);

// In the order in which the kernel reads them: axis, then bin k = 1 ... radix-1, then
// point of the later axes; of folded bins those of the inverse behind them.
template <class T>
std::vector<std::complex<T>>
convolution_twiddles(const std::vector<int>& radices, bool linear, int fold = 1);

// The filter's spectrum times `scale`, for bin k of butterfly b of the last axis at k
// (length / radix) + b.
template <class T>
std::vector<std::complex<T>>
convolution_spectrum(const std::vector<int>& radices,
                     bool linear,
                     const std::vector<std::complex<T>>& filter,
                     T scale);

// True if the copy engine can bring the next tile while one is computed: there is one, it
// copies complex samples, and a window would take the registers that the loop needs.
bool reads_ahead(const problem& what, const device_traits& card);

// What a candidate costs besides memory, for the ranking.
struct convolution_work {
    double transforms = 2;      // of the grid, forward and inverse, for a frame
    double accesses = 8;        // of shared memory a sample, besides the grid's
    double operations = 10;     // a sample, besides the grid's
    int held = 1;               // 1: axis 0 holds all its rounds; 0: one
    double waits = 1;           // share of the latency of memory that is not hidden
    bool gives_place = false;   // axis 0 goes back and forth in one step
    std::size_t decimation = 1; // as in convolution_use
};

constexpr double NO_LIMIT = 1e9;

// Shapes for convolutions of `length` points, estimated best first, at most `limit`, and
// none that costs more than `most_cost`.
std::vector<stockham_shape> convolution_candidates(int length,
                                                   const problem& what,
                                                   const convolution_use& use,
                                                   const convolution_work& work,
                                                   const device_traits& card,
                                                   std::size_t limit,
                                                   double most_cost = NO_LIMIT);

// Estimated time over that of copying the frames, in a call that fills the card.
double full_convolution_cost(const stockham_shape& shape,
                             const problem& what,
                             const convolution_work& work,
                             double conflicts,
                             std::size_t shared_bytes);

// The same in this call.
double convolution_cost(const stockham_shape& shape,
                        const problem& what,
                        const convolution_work& work,
                        double conflicts,
                        std::size_t shared_bytes,
                        const device_traits& card);

} // namespace gpufft
} // namespace gr

#endif
