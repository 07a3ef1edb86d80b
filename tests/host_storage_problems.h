// SPDX-License-Identifier: GPL-3.0-or-later
//
// Problems with small numbers in memory, and with samples or bins apart, that the host
// engine can run.

#ifndef INCLUDED_GPUFFT_HOST_STORAGE_PROBLEMS_H
#define INCLUDED_GPUFFT_HOST_STORAGE_PROBLEMS_H

#include <gnuradio/gpufft/problem.h>
#include <vector>

namespace gr {
namespace gpufft {

// 16- and 8-bit formats, loaded and stored.
std::vector<problem> host_storage_problems();

// Strides and distances, fused and copied.
std::vector<problem> host_layout_problems();

} // namespace gpufft
} // namespace gr

#endif
