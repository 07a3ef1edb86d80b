// SPDX-License-Identifier: GPL-3.0-or-later
//
// How a real transform becomes a complex one: the length inside, and the kernels around
// it (kernels/real_pack.cuh, kernels/real_split.cuh).

#ifndef INCLUDED_GPUFFT_REAL_KERNELS_H
#define INCLUDED_GPUFFT_REAL_KERNELS_H

#include "program.h"

namespace gr {
namespace gpufft {

struct real_ends {
    std::size_t points = 1;   // of the complex transform
    std::size_t rows = 1;     // that one vector of it holds
    bool is_inverse = false;  // its direction
    bool stages_load = false; // pack has items, see kernels/real_pack.cuh
    bool stages_store = true; // split needs several bins for an item
    std::size_t items = 1;    // of split
    std::string pack, split;  // the templates
    std::string pair;         // ... of split_pair<>, if it is one
};

// Of a problem of one axis that is not c2c. Kernels whose roots come from a table need
// real_roots() as their chirp.
real_ends ends_of(const problem& what, bool has_table = false);

// The table: for every k = 0 ... points/2 the roots that kernels/real_pack.cuh names, one
// after the other; empty for a problem that needs none.
std::vector<std::complex<float>> real_roots(const problem& what);

// All in one kernel, for a shape of so many points with staged ends as they must be.
kernel_instance real_kernel(const real_ends& ends, const stockham_shape& shape);

// Makes of the first and the last level of a hierarchical transform ones that read and
// store real rows. `core` is its problem; `lengths` those of the levels before the last,
// `last` the last one's shape.
void fuse_first_level(launch_step& step, const real_ends& ends, const problem& core);
void fuse_last_level(launch_step& step,
                     const real_ends& ends,
                     const problem& core,
                     const std::vector<int>& lengths,
                     const stockham_shape& last);

// The kernels around any complex transform.
kernel_instance real_pack_kernel(const real_ends& ends);
kernel_instance real_split_kernel(const real_ends& ends);

} // namespace gpufft
} // namespace gr

#endif
