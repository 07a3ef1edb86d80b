// SPDX-License-Identifier: GPL-3.0-or-later
//
// The winners of `bench_c2c --candidates 24` on an H200 (2^27 points, forward, complex to
// complex), and of earlier rounds with other ways of choosing the candidates.

#include "tuned_shapes.h"

#include <map>

namespace gr {
namespace gpufft {

namespace {

std::pair<const int, stockham_shape> measured(int n,
                                              std::vector<int> radices,
                                              int threads,
                                              int transforms,
                                              int blocks,
                                              bool staged = false)
{
    stockham_shape shape;
    shape.n = n;
    shape.radices = std::move(radices);
    shape.threads = threads;
    shape.transforms = transforms;
    shape.blocks = blocks;
    shape.staged_load = shape.staged_store = staged;
    return { n, shape };
}

} // namespace

const stockham_shape* tuned_shape(int n)
{
    // length, radices, threads, transforms a block, blocks a multiprocessor, staged ends
    static const std::map<int, stockham_shape> shapes = {
        measured(8, { 4, 2 }, 4, 32, 0),
        measured(16, { 4, 4 }, 4, 32, 0),
        measured(32, { 8, 4 }, 8, 16, 0, true),
        measured(64, { 4, 4, 4 }, 16, 8, 12, true),
        measured(100, { 5, 4, 5 }, 25, 5, 16),
        measured(128, { 4, 4, 8 }, 32, 4, 0),
        measured(243, { 9, 3, 9 }, 27, 7, 7),
        measured(256, { 8, 8, 4 }, 64, 2, 0),
        measured(343, { 7, 7, 7 }, 49, 5, 8),
        measured(360, { 24, 15 }, 24, 4, 9),
        measured(512, { 8, 8, 8 }, 32, 4, 9),
        measured(720, { 8, 6, 15 }, 48, 2, 12),
        measured(729, { 9, 9, 9 }, 81, 3, 5),
        measured(1000, { 10, 10, 10 }, 100, 2, 0),
        measured(1024, { 16, 8, 8 }, 64, 2, 8),
        measured(1536, { 8, 8, 4, 6 }, 192, 1, 0),
        measured(1920, { 4, 4, 12, 10 }, 160, 1, 8),
        measured(2048, { 32, 32, 2 }, 64, 2, 5),
        measured(2187, { 9, 9, 9, 3 }, 243, 1, 6),
        measured(2401, { 7, 7, 7, 7 }, 343, 1, 5),
        measured(3000, { 8, 5, 15, 5 }, 200, 1, 5),
        measured(3125, { 25, 25, 5 }, 125, 1, 6),
        measured(4000, { 10, 20, 20 }, 200, 1, 4),
        measured(4096, { 32, 32, 4 }, 128, 1, 5),
        measured(4800, { 16, 30, 10 }, 160, 1, 4),
        measured(5005, { 13, 7, 11, 5 }, 251, 1, 3),
        measured(6000, { 20, 20, 15 }, 300, 1, 3),
        measured(7680, { 32, 8, 30 }, 320, 1, 2),
        measured(8000, { 20, 20, 20 }, 400, 1, 2),
        measured(8190, { 26, 15, 21 }, 315, 1, 2),
        measured(8192, { 32, 32, 8 }, 256, 1, 2),
    };
    const auto found = shapes.find(n);
    return found == shapes.end() ? nullptr : &found->second;
}

} // namespace gpufft
} // namespace gr
