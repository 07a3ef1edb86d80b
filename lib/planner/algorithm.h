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
// may be replaced by others. `of_forward`: by those of a forward transform, because its
// tables alone make the transform an inverse one.
enum class end_use { fixed, of_direction, of_forward };

struct algorithm {
    const char* name;

    // Why it cannot compute the problem on this card; empty if it can.
    std::string (*obstacle)(const problem& what, const device_traits& card);

    // Recipes worth trying, the best estimate first; at least one if there is no
    // obstacle.
    std::vector<recipe> (*candidates)(const problem& what, const device_traits& card);

    // Estimated time for what.batch frames, over that of copying them.
    double (*cost)(const problem& what, const recipe& how, const device_traits& card);

    // What the engines run.
    program (*build)(const problem& what, const recipe& how);

    // False if it is slower by design and runs only when it is named.
    bool is_default = true;

    // Lower bound on its recipes' costs: how often the data passes through memory.
    double least_cost = 1.0;

    // True if its power_kernel adds up powers. Otherwise every frame's powers go through
    // memory before they are averaged.
    bool sums_powers = false;

    // The same bound for one problem, if it depends on more than the size; or null.
    double (*least_cost_of)(const problem& what, const device_traits& card) = nullptr;

    // Whether it is for such problems, whatever their lengths; null is is_plain_c2c().
    bool (*takes)(const problem& what) = nullptr;

    // What its kernels read instead of the window; null is the window itself.
    std::vector<std::complex<double>> (*spectrum_of)(const problem& what,
                                                     const recipe& how,
                                                     const std::vector<double>& window) =
        nullptr;

    end_use ends = end_use::fixed;

    // The family of its recipes, by the fields that they have.
    recipe_fields fields = block_fields();

    // The recipe as recipe::to_string() writes it; null for the usual text.
    std::string (*text_of)(const recipe& how) = nullptr;
};

// Whether a recipe names this algorithm.
bool is_by(const recipe& how, const algorithm& each);

// Whether rows of several frames come from power_kernel. If not, every frame's powers go
// through memory: kurtosis needs each of them, for their squares.
bool sums_powers(const algorithm& each, const problem& what);

// One complex axis, frames without strides, rows one after the other, in any format.
bool is_plain_c2c(const problem& what);

// The same, or a polyphase bank of it: for algorithms that leave samples to the load
// step.
bool is_c2c_or_bank(const problem& what);

// Bytes of a complex point in the problem's precision.
inline std::size_t point_bytes(const problem& what) { return what.is_double() ? 16 : 8; }

// Why the algorithm cannot compute a problem of any kind on this card; empty if it can.
std::string
obstacle_of(const algorithm& each, const problem& what, const device_traits& card);

} // namespace gpufft
} // namespace gr

#endif
