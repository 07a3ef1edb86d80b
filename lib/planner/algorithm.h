// SPDX-License-Identifier: GPL-3.0-or-later
//
// What every algorithm offers the planner. Each is defined in a file of its name, with
// these parts in this order.

#ifndef INCLUDED_GPUFFT_ALGORITHM_H
#define INCLUDED_GPUFFT_ALGORITHM_H

#include "card.h"
#include "program.h"
#include "recipe.h"
#include <gnuradio/gpufft/problem.h>
#include <string>
#include <vector>

namespace gr {
namespace gpufft {

// Whether the load step of an algorithm's first kernel and the store step of its last one
// may be replaced by others. `of_direction`: by steps for the transform's direction.
// `of_forward`: by steps for a forward transform; only the tables make it an inverse.
enum class end_use { fixed, of_direction, of_forward };

struct algorithm {
    const char* name;

    // Why it cannot compute the problem on this card; empty if it can.
    std::string (*obstacle)(const problem& what, const device_traits& card);

    // Recipes worth trying, the best estimate first; none if no shape fits the card.
    std::vector<recipe> (*candidates)(const problem& what, const device_traits& card);

    // Estimated time for what.batch frames, relative to copying them.
    double (*cost)(const problem& what, const recipe& how, const device_traits& card);

    // The program that the engines run.
    program (*build)(const problem& what, const recipe& how);

    // False if it is slower by design and runs only when it is named.
    bool is_default = true;

    // Lower bound on its recipes' costs in calls that fill the card: how often the data
    // passes through memory.
    double least_cost = 1.0;

    // True if its power_kernel adds up powers. Otherwise every frame's powers go through
    // memory before they are averaged.
    bool sums_powers = false;

    // Replaces least_cost where the bound depends on the problem; null otherwise.
    double (*least_cost_of)(const problem& what, const device_traits& card) = nullptr;

    // Whether it takes problems of this kind, of any length; null means is_plain_c2c().
    bool (*takes)(const problem& what) = nullptr;

    // What its kernels read instead of the window; null if they read the window itself.
    std::vector<std::complex<double>> (*spectrum_of)(const problem& what,
                                                     const recipe& how,
                                                     const std::vector<double>& window) =
        nullptr;

    end_use ends = end_use::fixed;

    // The fields that its recipes have, with their defaults.
    recipe_fields fields = block_fields();

    // The text that recipe::to_string() returns; null for the usual one.
    std::string (*text_of)(const recipe& how) = nullptr;
};

// Whether a recipe names this algorithm.
bool is_by(const recipe& how, const algorithm& each);

// Whether power_kernel makes rows of several frames. If not, every frame's powers go
// through memory: kurtosis needs the square of each.
bool sums_powers(const algorithm& each, const problem& what);

// One complex axis, frames without strides, rows one after the other, in any format.
bool is_plain_c2c(const problem& what);

// True for is_plain_c2c() and for polyphase banks: for algorithms whose load step alone
// reads the samples.
bool is_c2c_or_bank(const problem& what);

// Bytes of a complex point in the problem's precision.
inline std::size_t point_bytes(const problem& what) { return what.is_double() ? 16 : 8; }

// Whether it takes problems of this kind, of any length.
bool takes(const algorithm& each, const problem& what);

// As obstacle(), but the problem may be of any kind.
std::string
obstacle_of(const algorithm& each, const problem& what, const device_traits& card);

// Lower bound on the cost of an algorithm's recipes for a problem, without averaging.
double
least_cost_of(const algorithm& each, const problem& what, const device_traits& card);

} // namespace gpufft
} // namespace gr

#endif
