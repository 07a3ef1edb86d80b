// SPDX-License-Identifier: GPL-3.0-or-later
//
// The host's side of kernels/convolution/convolution.cuh: shapes, the layout of the grid,
// the time and the bin of every point, and tables.

#ifndef INCLUDED_GPUFFT_CONVOLUTION_H
#define INCLUDED_GPUFFT_CONVOLUTION_H

#include "planner/algorithm.h"
#include <complex>
#include <string>
#include <vector>

namespace gr {
namespace gpufft {

// Largest radix of an axis, and largest prime factor of a radix.
constexpr int MAX_AXIS = 32;
constexpr int MAX_AXIS_PRIME = 31;

// The grid of a convolution of n points: an axis for each radix.
struct convolution_shape : block_shape {
    std::vector<bool> twiddled; // whether axis p has twiddles against the later axes
    std::vector<int> strides;   // stride of axis p in shared memory
    int stride = 1;             // elements from frame to frame in shared memory
    int work = 0;               // offset of the grid in a frame's part
    double conflicts = 1; // shared-memory cycles, divided by those without conflicts

    // The smaller grid that folding leaves in the same memory.
    convolution_shape folded(int fold) const;

    int points_from(std::size_t axis) const; // product of the radices from this axis on
    std::size_t shared_bytes() const
    {
        return std::size_t(stride) * transforms * point_bytes();
    }
    std::string to_text() const; // convolution_shape<...>
};

// How the algorithm around the convolution uses shared memory.
struct convolution_use {
    bool linear = false;        // axis 0 is in the order of time (twiddled, never Good's)
    int samples = 1;            // elements 0 ... samples - 1 of a frame, in natural order
    bool apart = false;         // samples lie elsewhere, frame after frame, no gaps
    int beside = 0;             // elements that the samples take besides the grid
    int most_frames = 32;       // limit of frames in one block
    std::size_t decimation = 1; // only every decimation-th value is wanted
    // The samples that axis 0 reads, then those that it writes; empty if in order.
    std::vector<int> order;
};

// Largest number of elements of shared memory for a frame.
int most_elements(int length, const convolution_use& use);

// Bins of the last axis that are summed into one if only every decimation-th value is
// wanted.
int fold_of(const std::vector<int>& radices, std::size_t decimation);

// Radices of the inverse after folding.
std::vector<int> folded_radices(std::vector<int> radices, int fold);

// Lays out the grid for the fewest bank conflicts.
convolution_shape make_convolution(const block_shape& shape, const convolution_use& use);

// The forward problem, whose kernels also compute the inverse, by conjugate tables: no
// step exchanges the samples' parts, and both directions share the compiled kernels.
problem forward_of(problem what);

// The axes' radices in every order, for the fewest axes; long convolutions also have
// lists with one axis more.
std::vector<std::vector<int>> axes_of(int length, bool linear);

// Whether each axis has twiddles: all have but the last one and, unless the grid is
// linear, those whose length has no factor in common with the later axes.
std::vector<bool> twiddled_axes(const std::vector<int>& radices, bool linear);

// The time and the bin of every point of the grid, last axis fastest.
std::vector<long> times_of_points(const std::vector<int>& radices, bool linear);
std::vector<long> bins_of_points(const std::vector<int>& radices, bool linear);

// Twiddles in the order in which the kernel reads them: by axis, then bin k = 1 ...
// radix-1, then point of the later axes. With folding, the inverse's twiddles follow.
template <class T>
std::vector<std::complex<T>>
convolution_twiddles(const std::vector<int>& radices, bool linear, int fold = 1);

// The filter's spectrum times `scale`. Bin k of butterfly b of the last axis is at k
// (length / radix) + b.
template <class T>
std::vector<std::complex<T>>
convolution_spectrum(const std::vector<int>& radices,
                     bool linear,
                     const std::vector<std::complex<T>>& filter,
                     T scale);

// True if the copy engine can bring the next tile while one is computed: there is a next
// tile, the samples are complex, and no window takes the registers that the loop needs.
bool reads_ahead(const problem& what, const device_traits& card);

struct convolution_work; // convolution_cost.h

constexpr double NO_LIMIT = 1e9;

// Shapes for convolutions of `length` points, lowest estimate first: at most `limit`,
// none of which costs more than `most_cost`.
std::vector<block_shape> convolution_candidates(int length,
                                                const problem& what,
                                                const convolution_use& use,
                                                const convolution_work& work,
                                                const device_traits& card,
                                                std::size_t limit,
                                                double most_cost = NO_LIMIT);

} // namespace gpufft
} // namespace gr

#endif
