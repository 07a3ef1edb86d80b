// SPDX-License-Identifier: GPL-3.0-or-later
//
// The text of the files in kernels/, embedded at build time for the run-time compiler.

#ifndef INCLUDED_GPUFFT_KERNEL_SOURCES_H
#define INCLUDED_GPUFFT_KERNEL_SOURCES_H

#include <vector>

namespace gr {
namespace gpufft {

struct kernel_source {
    const char* name; // "stockham.cuh"
    const char* text;
};

const std::vector<kernel_source>& kernel_sources();

} // namespace gpufft
} // namespace gr

#endif
