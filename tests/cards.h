// SPDX-License-Identifier: GPL-3.0-or-later
//
// One card of each compute capability from 7.5 on, by its published figures.

#ifndef INCLUDED_GPUFFT_CARDS_H
#define INCLUDED_GPUFFT_CARDS_H

#include "planner/card.h"

namespace gr {
namespace gpufft {

constexpr std::size_t KIB = 1024;

// Architecture, multiprocessors, shared memory of a block, L2 cache; registers, threads,
// blocks, shared memory and reserved bytes of a multiprocessor (CUDA C++ Programming
// Guide, "Compute Capabilities").
inline const device_traits CARDS[] = {
    { 75, 40, 64 * KIB, 4096 * KIB, 65536, 1024, 16, 64 * KIB, 0 },
    { 80, 108, 163 * KIB, 40960 * KIB, 65536, 2048, 32, 164 * KIB, KIB },
    { 86, 84, 99 * KIB, 6144 * KIB, 65536, 1536, 16, 100 * KIB, KIB },
    { 89, 128, 99 * KIB, 73728 * KIB, 65536, 1536, 24, 100 * KIB, KIB },
    { 90, 132, 227 * KIB, 51200 * KIB, 65536, 2048, 32, 228 * KIB, KIB },
    { 100, 148, 227 * KIB, 129024 * KIB, 65536, 2048, 32, 228 * KIB, KIB },
    { 120, 170, 99 * KIB, 98304 * KIB, 65536, 1536, 24, 100 * KIB, KIB },
};

} // namespace gpufft
} // namespace gr

#endif
