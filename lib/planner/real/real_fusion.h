// SPDX-License-Identifier: GPL-3.0-or-later
//
// Puts the real ends into the kernels of the complex transform inside.

#ifndef INCLUDED_GPUFFT_REAL_FUSION_H
#define INCLUDED_GPUFFT_REAL_FUSION_H

#include "planner/levels/hierarchical.h"
#include "real_kernels.h"

namespace gr {
namespace gpufft {

// Where possible, gives the first kernel of the transform inside, whose problem is
// `core`, a load step that reads the real rows, and the last kernel a store step that
// stores them; or replaces these kernels by others that do.
void use_real_kernels(program& made,
                      const problem& core,
                      const recipe& inside,
                      const real_ends& ends);

// Whether the transform inside is by a cluster; or by levels through global memory.
bool is_cluster(const recipe& inside);
bool has_levels(const recipe& inside);

// Which levels of a hierarchical transform inside work by pairs, if the lengths allow it.
mirrored_levels mirrored_levels_of(const real_ends& ends);

// Whether its first kernel can read the rows, and its last one store them.
bool can_fuse_load(const recipe& inside, const real_ends& ends);
bool can_fuse_store(const recipe& inside, const real_ends& ends);

// Number of kernels before and after the transform inside.
int kernels_around(const recipe& inside, const real_ends& ends);

// Whether the kernel of Rader's algorithm has the two rows of a vector in shared memory
// in their final form. Rows made of the bins k and N-k need these bins to lie half of
// axis 0 apart.
bool stores_tiles(const recipe& inside, const real_ends& ends);

} // namespace gpufft
} // namespace gr

#endif
