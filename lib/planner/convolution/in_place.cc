// SPDX-License-Identifier: GPL-3.0-or-later
//
// The grid of kernels/convolution/in_place.cuh: two to five axes, and as many threads as
// leave few idle in the passes.

#include "in_place.h"
#include "convolution.h"
#include "planner/cost.h"
#include "planner/cost_constants.h"
#include "planner/stockham/stockham.h"
#include "planner/stockham/stockham_shapes.h"

#include <algorithm>
#include <functional>
#include <set>

namespace gr {
namespace gpufft {

namespace {

using namespace fitted::in_place;

constexpr const char* NAME = "in-place";
constexpr std::size_t LEAST_AXES = 2, MOST_AXES = 5, CANDIDATES = 24;

// The first axis has an odd stride: in the last pass, neighbours read points of it.
convolution_shape grid_of(const block_shape& shape)
{
    convolution_shape grid;
    static_cast<block_shape&>(grid) = shape;
    const std::size_t axes = shape.radices.size();
    grid.twiddled.assign(axes, true);
    grid.twiddled.back() = false;
    grid.strides.assign(axes, 1);
    for (std::size_t p = axes - 1; p-- > 0;)
        grid.strides[p] = grid.strides[p + 1] * shape.radices[p + 1];
    grid.strides[0] |= 1;
    grid.stride = grid.strides[0] * shape.radices[0];
    return grid;
}

// Registers that a thread needs.
int registers_of(const block_shape& shape)
{
    const int largest = *std::max_element(shape.radices.begin(), shape.radices.end());
    return shape.point_bytes() / 4 * (largest + REGISTERS_BESIDE_POINTS / 2);
}

// The slots of all threads in the pass of a radix.
int slots_of(const block_shape& shape, int radix)
{
    return divide_up(shape.n / radix, shape.threads) * radix * whole_warps(shape.threads);
}

double full_cost(const block_shape& shape, const device_traits& card)
{
    int all = 0;
    for (int radix : shape.radices)
        all += slots_of(shape, radix);
    const double slots = double(all) / shape.n; // the same in every order
    const double threads = double(whole_warps(shape.threads)) * shape.point_bytes() / 8;
    const int first = shape.radices.front();
    const double alone = // the first pass waits for memory
        COST_ALONE + COST_FIRST_IDLE * (double(slots_of(shape, first)) / shape.n - 1) +
        COST_FIRST_ROUND * (divide_up(shape.n / first, shape.threads) - 1);
    const bool has_cache =
        leaves_cache(shape.blocks, grid_of(shape).shared_bytes(), card);
    return std::max(1.0,
                    COST_MOVES + COST_AXIS * (slots - HIDDEN_AXES) / shape.blocks +
                        COST_THREADS / (threads * shape.blocks) +
                        (shape.blocks == 1 ? alone : 0) +
                        (has_cache ? 0 : fitted::COST_NO_CACHE));
}

// Every list of axes in every order, with each number of threads that some axis fills, in
// whole warps: rounds that begin inside sectors are slower. Falling orders come first: of
// those that cost the same, they are the fastest.
std::vector<block_shape> shapes_of(const problem& what, const device_traits& card)
{
    std::vector<std::pair<double, block_shape>> found;
    block_shape shape;
    shape.n = int(what.n);
    shape.transforms = 1;
    shape.is_double = what.is_double();
    const auto add = [&] {
        const int most = std::min(
            blocks_with_registers(registers_of(shape), shape.threads, card),
            blocks_without_registers(shape.threads, grid_of(shape).shared_bytes(), card));
        for (shape.blocks = 1; shape.blocks <= std::min(most, MOST_BLOCKS);
             ++shape.blocks)
            found.emplace_back(full_cost(shape, card), shape);
    };
    for (std::vector<int> radices : radix_splits(shape.n)) {
        shape.radices = radices;
        if (radices.size() < LEAST_AXES || radices.size() > MOST_AXES ||
            *std::max_element(radices.begin(), radices.end()) > MAX_AXIS ||
            grid_of(shape).shared_bytes() > card.shared_bytes)
            continue;
        std::set<int> threads;
        for (int radix : radices)
            for (int rounds = 1; rounds <= MOST_ROUNDS; ++rounds)
                threads.insert(whole_warps(divide_up(shape.n / radix, rounds)));
        std::sort(radices.begin(), radices.end(), std::greater<int>());
        do {
            shape.radices = radices;
            for (int count : threads) {
                shape.threads = count;
                if (count <= MAX_BLOCK_THREADS)
                    add();
            }
        } while (std::prev_permutation(radices.begin(), radices.end()));
    }
    keep_best(found, CANDIDATES);
    std::vector<block_shape> shapes;
    for (const auto& [cost, each] : found)
        shapes.push_back(each);
    return shapes;
}

std::string obstacle(const problem& what, const device_traits& card)
{
    const std::string size = "FFT size " + std::to_string(what.n);
    if (what.algorithm != NAME && what.n * point_bytes(what) <= LONGEST_OF_STOCKHAM)
        return size + " is short: Stockham's algorithm is faster";
    if (what.n * point_bytes(what) > card.shared_bytes)
        return size + " does not fit the " + std::to_string(card.shared_bytes) +
               " bytes of shared memory of a block";
    if (shapes_of(what, card).empty())
        return size + " is no product of " + std::to_string(LEAST_AXES) + " ... " +
               std::to_string(MOST_AXES) + " radices up to " + std::to_string(MAX_AXIS) +
               " that fit a block";
    return "";
}

std::vector<recipe> candidates(const problem& what, const device_traits& card)
{
    std::vector<recipe> found;
    for (const block_shape& shape : shapes_of(what, card))
        found.push_back({ NAME, what.n, { stockham_shape(shape) } });
    return found;
}

double cost(const problem& what, const recipe& how, const device_traits& card)
{
    return launch_cost(
        full_cost(how.shape(), card),
        work_of_convolution(how.shape(), 1, false, double(what.batch), card),
        what,
        card);
}

program build(const problem& what, const recipe& how)
{
    const convolution_shape grid = grid_of(how.shape());
    launch_step step;
    step.kernel = block_kernel(grid,
                               grid.to_text(),
                               grid.shared_bytes(),
                               "convolution/in_place.cuh",
                               "in_place_kernel",
                               load_text(what),
                               store_text(what));
    program made;
    made.steps.push_back(step);
    return made;
}

} // namespace

algorithm in_place_algorithm() { return { NAME, obstacle, candidates, cost, build }; }

} // namespace gpufft
} // namespace gr
