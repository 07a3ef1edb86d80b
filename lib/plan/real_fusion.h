// SPDX-License-Identifier: GPL-3.0-or-later
//
// The real ends in the kernels of the complex transform inside.

#ifndef INCLUDED_GPUFFT_REAL_FUSION_H
#define INCLUDED_GPUFFT_REAL_FUSION_H

#include "hierarchical.h"
#include "real_kernels.h"

namespace gr {
namespace gpufft {

// The steps by which the transform inside reads and stores the real rows, where its
// kernels can; else those of its problem.
end_steps fused_steps(const recipe& inside, const real_ends& ends);

// Where a program of the transform inside, of `core`, has such steps, makes its first and
// its last kernel those that know them.
void use_real_kernels(program& made,
                      const problem& core,
                      const recipe& inside,
                      const real_ends& ends);

// Which levels of a hierarchical one inside work by pairs, where the lengths allow it.
mirrored_levels mirrored_levels_of(const real_ends& ends);

// Whether its first kernel can read the rows, and its last one store them.
bool can_fuse_load(const recipe& inside, const real_ends& ends);
bool can_fuse_store(const recipe& inside, const real_ends& ends);

// Whether the kernel of Rader's algorithm has the two rows of a vector in shared memory
// in their final form: where they are made of the bins k and N-k, these must be half of
// axis 0 apart.
bool stores_tiles(const recipe& inside, const real_ends& ends);

} // namespace gpufft
} // namespace gr

#endif
