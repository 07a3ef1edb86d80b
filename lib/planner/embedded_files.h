// SPDX-License-Identifier: GPL-3.0-or-later
//
// Files whose text is embedded at build time: the kernels, for the run-time compiler, and
// the wisdom that the library contains.

#ifndef INCLUDED_GPUFFT_EMBEDDED_FILES_H
#define INCLUDED_GPUFFT_EMBEDDED_FILES_H

#include <vector>

namespace gr {
namespace gpufft {

struct embedded_file {
    const char* name; // below its folder: "stockham/stockham.cuh"
    const char* text;
};

const std::vector<embedded_file>& kernel_sources(); // kernels/
const std::vector<embedded_file>& wisdom_files();   // lib/planner/wisdom/

} // namespace gpufft
} // namespace gr

#endif
