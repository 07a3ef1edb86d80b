// SPDX-License-Identifier: GPL-3.0-or-later
//
// The list of algorithms, and what follows from a recipe by the algorithm that it names.

#ifndef INCLUDED_GPUFFT_REGISTRY_H
#define INCLUDED_GPUFFT_REGISTRY_H

#include "algorithm.h"
#include <gnuradio/gpufft/plan.h>

namespace gr {
namespace gpufft {

// All algorithms; among equal costs the first one wins.
const std::vector<algorithm>& algorithms();

// Throws std::invalid_argument that lists the names if there is none of this name.
const algorithm& find_algorithm(const std::string& name);

// What the kernels of a recipe read for the problem's window, in their precision; a
// running channel bank has these rotations.
std::vector<unsigned char> window_of(const problem& what,
                                     const recipe& how,
                                     const std::vector<double>& window,
                                     const std::vector<plan::rotation>& rotations);

// The program of a recipe for a problem. Throws std::invalid_argument if the recipe is of
// the other precision.
program build_program(const problem& what, const recipe& how);

} // namespace gpufft
} // namespace gr

#endif
