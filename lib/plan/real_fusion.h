// SPDX-License-Identifier: GPL-3.0-or-later
//
// The real ends in the kernels of the complex transform inside.

#ifndef INCLUDED_GPUFFT_REAL_FUSION_H
#define INCLUDED_GPUFFT_REAL_FUSION_H

#include "hierarchical.h"
#include "real_kernels.h"

namespace gr {
namespace gpufft {

// Where the kernels of another transform, of `core`, can do it, makes its first one read
// and its last one store the real rows; false where they cannot.
bool fuse_load(launch_step& first,
               const real_ends& ends,
               const problem& core,
               const recipe& inside);
bool fuse_store(launch_step& last,
                const real_ends& ends,
                const problem& core,
                const recipe& inside);

// Which levels of a hierarchical one inside work by pairs, where the lengths allow it.
mirrored_levels mirrored_levels_of(const real_ends& ends);

// Which of the two they can.
bool can_fuse_load(const recipe& inside, const real_ends& ends);
bool can_fuse_store(const recipe& inside, const real_ends& ends);

// Whether the kernel of Rader's algorithm has the two rows of a vector in shared memory
// in their final form: where they are made of the bins k and N-k, these must be half of
// axis 0 apart.
bool stores_tiles(const recipe& inside, const real_ends& ends);

} // namespace gpufft
} // namespace gr

#endif
