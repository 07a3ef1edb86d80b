// SPDX-License-Identifier: GPL-3.0-or-later
//
// The factories behind plan::make(), one for each engine.

#ifndef INCLUDED_GPUFFT_ENGINES_H
#define INCLUDED_GPUFFT_ENGINES_H

#include "planner/card.h"
#include <gnuradio/gpufft/plan.h>
#include <string>

namespace gr {
namespace gpufft {

// The card with this index: what query_cuda() knows of it, else an H200's values.
device_traits card_of(int device);

plan::uptr make_cpu_plan(const problem& what, const plan_options& options);

// Throws std::invalid_argument for a length without a recipe, cuda_error for device
// trouble.
plan::uptr make_cuda_plan(const problem& what, const plan_options& options);

// Why this machine has no card with that index, and which ones it has; "" if it has it.
GPUFFT_API std::string missing_card(int device);

} // namespace gpufft
} // namespace gr

#endif
