// SPDX-License-Identifier: GPL-3.0-or-later
//
// The rule, and what each way would take.

#include "slab_choice.h"
#include "planner/planner.h"
#include "slab_sharing.h"

#include <algorithm>
#include <cmath>

namespace gr {
namespace gpufft {

namespace {

// A frame, its row, and scratch of at most twice the larger one: see problem
// scratch_limit().
constexpr std::size_t MOST_COPIES = 4;

constexpr double LINK_BYTES_A_SECOND = 20e9; // each way at once; PCIe 4 with 16 lanes
constexpr double CPU_FLOPS = 3e9;            // of FFTW on one core beyond its caches

bool fits(const problem& what, std::size_t card_bytes)
{
    const std::size_t input = what.input_span() * what.input_item_bytes();
    const std::size_t output = what.output_span() * what.output_item_bytes();
    return std::max(input, output) <= card_bytes / MOST_COPIES;
}

} // namespace

bool needs_slabs(const problem& what, const device_traits& card, std::size_t card_bytes)
{
    if (fits(what, card_bytes) && planning_obstacle(what, card).empty())
        return false;
    return slab_obstacle(what, card_bytes).empty();
}

std::string
card_obstacle(const problem& what, const device_traits& card, std::size_t card_bytes)
{
    const std::string whole = planning_obstacle(what, card);
    if (whole.empty() || slab_obstacle(what, card_bytes).empty())
        return "";
    return whole + "; in slabs: " + slab_obstacle(what, card_bytes);
}

double slab_seconds(const problem& what,
                    std::size_t card_bytes,
                    std::size_t cards,
                    std::size_t frames)
{
    const slab_program program = make_shared_program(what, card_bytes, cards, false);
    // with kept points each sweep uses the link one way
    const std::size_t up = program.uploaded_bytes(), down = program.downloaded_bytes();
    const std::size_t bytes = program.kept_bytes.empty() ? std::max(up, down) : up + down;
    return double(frames) * double(bytes) / LINK_BYTES_A_SECOND / double(cards);
}

// One line is one thread's.
double cpu_seconds(const problem& what, std::size_t frames, int threads)
{
    const double n = double(what.n);
    const double flops = (what.kind == transform_kind::c2c ? 5.0 : 2.5) * n *
                         std::log2(std::max(n, 2.0)) * double(frames);
    const bool one_line = what.axes().size() == 1 && frames == 1;
    return flops / CPU_FLOPS / (one_line ? 1 : std::max(threads, 1));
}

} // namespace gpufft
} // namespace gr
