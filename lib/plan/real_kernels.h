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
    bool is_odd = false;      // rows are the real and the imaginary part of its vectors:
    std::size_t rows = 1;     // ... that one vector holds, two or one
    bool is_inverse = false;  // its direction
    bool stages_load = false; // pack has pairs, see kernels/real_pack.cuh
    bool has_runs = false;    // a pair's values lie up and down, see sector_tiles.cuh
    bool stages_store = true; // split needs several bins for an item
    bool fills_tiles = false; // of odd ones: they are stored in the working precision
    bool has_half = false;    // there are bins 0 ... N/2 of a row at one end
    std::size_t items = 1;    // of split
    std::string pack, split;  // the templates
    std::string pair;         // ... of split_pair<>, if it is one
    std::string row;          // where two neighbours are a point, and can be copied
};

// Of a template: "name<a, b>".
std::string text_of(const char* name, const std::string& arguments);

// What computes the complex transform: real_kernel(), whose points are staged in shared
// memory and whose roots are the table real_roots(), its chirp; a thread block cluster;
// the kernel of Rader's algorithm, which has that table for odd lengths; or any other
// kernels.
enum class real_way { in_block, in_cluster, in_rader, around };

// Of a problem of one axis that is not c2c.
real_ends ends_of(const problem& what, real_way way);

// The table: for every k = 0 ... points/2 the roots that kernels/real_pack.cuh names, one
// after the other, or for odd lengths the one of every k < n/2 for dct2; empty for a
// problem that needs none.
std::vector<std::complex<long double>> real_roots(const problem& what);

// All in one kernel, for a shape of so many points with staged ends as they must be.
kernel_instance real_kernel(const real_ends& ends, const stockham_shape& shape);

// The kernels around any complex transform.
kernel_instance real_pack_kernel(const real_ends& ends);
kernel_instance real_split_kernel(const real_ends& ends);

} // namespace gpufft
} // namespace gr

#endif
