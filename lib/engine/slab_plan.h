// SPDX-License-Identifier: GPL-3.0-or-later
//
// Plans of frames in slabs: of those in host memory that are larger than a card or that
// several cards compute together, and of those in parts on several cards.

#ifndef INCLUDED_GPUFFT_SLAB_PLAN_H
#define INCLUDED_GPUFFT_SLAB_PLAN_H

#include "break_even.h"
#include <optional>

namespace gr {
namespace gpufft {

// The cards that compute a plan's transforms.
std::vector<int> devices_of(const plan_options& options);

// Bytes of device memory that plans of host arrays count with: those of the options, of
// the environment variable GPUFFT_DEVICE_MEMORY, or of the smallest card.
std::size_t device_memory_of(const plan_options& options);

// For a problem that goes through the cards in slabs, cuda or cpu, whichever takes less
// time for its batch by estimate; nothing for other problems.
GPUFFT_API std::optional<engine_kind> faster_than_slabs(const problem& what,
                                                        const plan_options& options);

// `makers` make the cards and the plans of the levels. Throws std::invalid_argument with
// slab_obstacle(), cuda_error for device trouble.
GPUFFT_API plan::uptr make_slab_plan(const problem& what,
                                     const plan_options& options,
                                     const engine_makers& makers = engine_makers());

} // namespace gpufft
} // namespace gr

#endif
