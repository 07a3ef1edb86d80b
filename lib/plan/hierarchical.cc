// SPDX-License-Identifier: GPL-3.0-or-later
//
// The hierarchical transform of kernels/hierarchical.cuh: which lengths the levels have,
// how many columns a tile has, and the launches.

#include "hierarchical.h"
#include "cost_model.h"
#include "exchange.h"
#include "stockham.h"

#include <algorithm>
#include <cmath>

namespace gr {
namespace gpufft {

namespace {

constexpr std::size_t MIN_LEVEL = 8, MAX_LEVEL = 8192;
constexpr int MIN_COLUMNS = 4; // a sector of global memory
constexpr int MAX_COLUMNS = 64;
constexpr int MIN_TILE = 1024, MAX_TILE = 16384; // points

// Lengths of `levels` levels with product n, near the n^(1/levels) first.
void split_levels(std::size_t n,
                  int levels,
                  std::vector<std::size_t>& so_far,
                  std::vector<std::vector<std::size_t>>& found)
{
    if (levels == 1) {
        if (n >= MIN_LEVEL && n <= MAX_LEVEL) {
            found.push_back(so_far);
            found.back().push_back(n);
        }
        return;
    }
    for (std::size_t first = MIN_LEVEL; first <= std::min(n, MAX_LEVEL); ++first) {
        if (n % first != 0)
            continue;
        so_far.push_back(first);
        split_levels(n / first, levels - 1, so_far, found);
        so_far.pop_back();
    }
}

// How uneven the levels are: 0 if all are equal.
double unevenness(const std::vector<std::size_t>& levels)
{
    const auto ends = std::minmax_element(levels.begin(), levels.end());
    return std::log2(double(*ends.second) / double(*ends.first));
}

std::vector<std::vector<std::size_t>> level_lengths(std::size_t n)
{
    std::vector<std::vector<std::size_t>> found;
    for (int levels = 2; levels <= 4 && found.empty(); ++levels) {
        std::vector<std::size_t> so_far;
        split_levels(n, levels, so_far, found);
    }
    std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) {
        return unevenness(a) < unevenness(b);
    });
    return found;
}

std::string obstacle(const problem& what, const device_traits&)
{
    if (!is_smooth(what.n))
        return "FFT size " + std::to_string(what.n) +
               " has a prime factor above 13, which no radix has";
    if (level_lengths(what.n).empty())
        return "FFT size " + std::to_string(what.n) + " is not a product of levels of " +
               std::to_string(MIN_LEVEL) + " ... " + std::to_string(MAX_LEVEL) +
               " points";
    return "";
}

// The best shape for one level with this many columns; none if it does not fit.
std::vector<stockham_shape>
level_shape(std::size_t n, int columns, bool is_row, const device_traits& card)
{
    const std::size_t tile = n * columns;
    if (tile > MAX_TILE || tile * 9 > card.shared_bytes)
        return {};
    return tile_candidates(int(n), columns, is_row, 1);
}

std::vector<recipe> candidates(const problem& what, const device_traits& card)
{
    constexpr std::size_t SPLITS = 3;
    std::vector<recipe> found;
    const std::vector<std::vector<std::size_t>> all = level_lengths(what.n);
    for (std::size_t i = 0; i < std::min(all.size(), SPLITS); ++i) {
        const std::vector<std::size_t>& lengths = all[i];
        for (int columns = MIN_COLUMNS; columns <= MAX_COLUMNS; columns *= 2) {
            recipe how;
            how.algorithm = "hierarchical";
            how.n = what.n;
            for (std::size_t level = 0; level < lengths.size(); ++level)
                for (const stockham_shape& shape : level_shape(
                         lengths[level], columns, level + 1 == lengths.size(), card))
                    how.shapes.push_back(shape);
            const int largest = int(*std::max_element(lengths.begin(), lengths.end()));
            if (how.shapes.size() == lengths.size() &&
                (largest * columns >= MIN_TILE || columns == MIN_COLUMNS))
                found.push_back(how);
        }
    }
    return found;
}

double cost(const problem&, const recipe& how, const device_traits&)
{
    double sum = 0;
    for (const stockham_shape& shape : how.shapes)
        sum += estimated_cost(shape, conflict_ratio(shape));
    return sum;
}

kernel_instance
level_kernel(const stockham_shape& shape, const std::string& level, std::size_t tiles)
{
    kernel_instance kernel;
    kernel.header = "hierarchical.cuh";
    kernel.expression = "hierarchical_kernel<" + shape_text(shape) + ", " + level + ">";
    kernel.block_threads = shape.threads;
    kernel.blocks_per_frame = int(tiles);
    kernel.shared_bytes = shape.shared_bytes();
    return kernel;
}

std::size_t groups(std::size_t neighbours, int columns)
{
    return (neighbours + columns - 1) / columns;
}

program build(const problem& what, const recipe& how)
{
    program made;
    made.frames_at_once = how.frames_at_once;
    made.scratch_points[0] = how.n;
    std::size_t left = how.n, outer = 1; // points of a vector here, vectors of a frame
    std::string lengths;
    for (std::size_t level = 0; level < how.shapes.size(); ++level) {
        const stockham_shape& shape = how.shapes[level];
        const bool is_first = level == 0, is_last = level + 1 == how.shapes.size();
        const std::string load = is_first ? load_text(what) : "load_scratch";
        launch_step step;
        step.from = is_first ? place::input : place::scratch_0;
        step.to = is_last ? place::output : place::scratch_0;
        step.twiddles = made.add(stockham_twiddles(shape));
        const std::string shape_and_load = shape_text(shape) + ", " + load + ", ";
        if (is_last) {
            step.kernel = level_kernel(shape,
                                       "row_level<" + shape_and_load + store_text(what) +
                                           ", level_list<" + lengths + ">>",
                                       groups(how.shapes[0].n, shape.columns) *
                                           (outer / how.shapes[0].n));
        } else {
            step.kernel = level_kernel(shape,
                                       "column_level<" + shape_and_load +
                                           "store_scratch, " + std::to_string(left) +
                                           ", " + std::to_string(outer) + ">",
                                       outer * groups(left / shape.n, shape.columns));
        }
        made.steps.push_back(step);
        lengths += (is_first ? "" : ", ") + std::to_string(shape.n);
        left /= shape.n;
        outer *= shape.n;
    }
    return made;
}

} // namespace

algorithm hierarchical_algorithm()
{
    return { "hierarchical", obstacle, candidates, cost, build, true, 2.0 };
}

} // namespace gpufft
} // namespace gr
