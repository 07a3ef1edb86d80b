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
// Guide, "Compute Capabilities"); its share of memory's bytes in a cycle (data sheets of
// T4, A100, RTX 3090, RTX 4090, H100, B200, RTX 5090).
inline const device_traits CARDS[] = {
    { 75, 40, 64 * KIB, 4096 * KIB, 65536, 1024, 16, 64 * KIB, 0, 5.0 },
    { 80, 108, 163 * KIB, 40960 * KIB, 65536, 2048, 32, 164 * KIB, KIB, 10.2 },
    { 86, 84, 99 * KIB, 6144 * KIB, 65536, 1536, 16, 100 * KIB, KIB, 6.6 },
    { 89, 128, 99 * KIB, 73728 * KIB, 65536, 1536, 24, 100 * KIB, KIB, 3.1 },
    { 90, 132, 227 * KIB, 51200 * KIB, 65536, 2048, 32, 228 * KIB, KIB, 12.8 },
    { 100, 148, 227 * KIB, 129024 * KIB, 65536, 2048, 32, 228 * KIB, KIB, 27.5 },
    { 120, 170, 99 * KIB, 98304 * KIB, 65536, 1536, 24, 100 * KIB, KIB, 4.4 },
};

} // namespace gpufft
} // namespace gr

#endif
