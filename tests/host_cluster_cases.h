// SPDX-License-Identifier: GPL-3.0-or-later
//
// Small clusters with every way of exchange, whose kernels the build instantiates with
// g++ for the host engine.

#ifndef INCLUDED_GPUFFT_HOST_CLUSTER_CASES_H
#define INCLUDED_GPUFFT_HOST_CLUSTER_CASES_H

#include "recipe_case.h"
#include <vector>

namespace gr {
namespace gpufft {

// All ways of exchange on several geometries: one, two and three passes, columns and rows
// that the blocks share evenly or not, and all steps of load and store.
std::vector<recipe_case> host_cluster_cases();

} // namespace gpufft
} // namespace gr

#endif
