// SPDX-License-Identifier: GPL-3.0-or-later
//
// How a real transform becomes a complex one: the length of the complex transform inside,
// and the kernels around it (kernels/real/real_pack.cuh, kernels/real/real_split.cuh).

#ifndef INCLUDED_GPUFFT_REAL_KERNELS_H
#define INCLUDED_GPUFFT_REAL_KERNELS_H

#include "planner/program.h"

namespace gr {
namespace gpufft {

struct real_ends {
    std::size_t points = 1;   // length of the complex transform
    bool is_odd = false;      // odd length: rows are parts of complex vectors
    std::size_t rows = 1;     // rows in one complex vector: two or one
    bool is_inverse = false;  // the complex transform's direction
    bool stages_load = false; // `pack` makes pairs of points, see real_pack.cuh
    bool has_runs = false;    // `split` stores rising and falling runs: sector_tiles.cuh
    bool stages_store = true; // `split` needs several bins for an item
    bool fills_tiles = false; // odd lengths: rows have the working precision
    bool has_half = false;    // rows at one end are bins 0 ... N/2
    bool has_items = true;    // tiles may hold the rows as they lie in memory
    std::size_t items = 1;    // items of `split` in a vector
    std::string pack, split;  // load and store steps, as C++ text
    std::string pair;         // the argument if `split` is split_pair<>, else empty
    // The real_input<> of `pack` if each point is two neighbouring numbers that the card
    // can copy to shared memory; else empty.
    std::string row;
};

// The kernels that compute the complex transform: real_kernel(), which stages points in
// shared memory and reads real_roots() as its chirp; a cluster; the kernel of Rader's
// algorithm, which reads real_roots() for odd lengths; or any other kernels.
enum class real_way { in_block, in_cluster, in_rader, around };

// The memory at the ends as C++ text: real_input<...> and real_output<...> of what.n
// numbers, half_input<...> and half_output<...> of the bins of what.n numbers.
std::string row_input(const problem& what);
std::string row_output(const problem& what);
std::string half_input(const problem& what);
std::string half_output(const problem& what);

// The ends for a problem of one axis that is not c2c.
real_ends ends_of(const problem& what, real_way way);

// The roots of unity that kernels/real/real_pack.cuh names: all roots of k = 0, then
// those of k = 1, ... points/2. For odd lengths of dct2, one root for every k < n/2;
// empty if the problem needs none.
std::vector<std::complex<long double>> real_roots(const problem& what);

// One kernel for all, by a shape of ends.points points whose ends are staged as needed.
kernel_instance
real_kernel(const problem& what, const real_ends& ends, const stockham_shape& shape);

// The kernels before and after any complex transform.
kernel_instance real_pack_kernel(const real_ends& ends);
kernel_instance real_split_kernel(const real_ends& ends);

} // namespace gpufft
} // namespace gr

#endif
