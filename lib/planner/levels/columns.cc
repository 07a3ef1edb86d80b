// SPDX-License-Identifier: GPL-3.0-or-later
//
// The tiles of kernels/levels/columns.cuh: how many frames a block transforms side by
// side.

#include "columns.h"
#include "planner/cost.h"
#include "planner/cost_constants.h"
#include "planner/stockham/stockham.h"

#include <algorithm>
#include <cmath>

namespace gr {
namespace gpufft {

namespace {

constexpr int MAX_COLUMNS = 64;

bool reads_by_frames(const problem& what) { return !what.input_strides.empty(); }

// True if rows are stored side by side, and frames are plain or lie side by side, too.
bool takes(const problem& what)
{
    return what.kind == transform_kind::c2c && what.lengths.empty() && !what.is_power() &&
           what.output_strides.size() == 1 && what.batch > 1 &&
           what.effective_output_distance() < what.output_strides.front() &&
           (what.input_strides.empty() ||
            what.effective_hop() < what.input_strides.front());
}

int fewest_columns(const problem& what) { return SECTOR_BYTES / int(point_bytes(what)); }

std::string obstacle(const problem& what, const device_traits& card)
{
    const std::size_t longest =
        longest_tile(point_bytes(what), card) / fewest_columns(what);
    const std::string size = "FFT size " + std::to_string(what.n);
    const std::string reason = radix_obstacle(size, what.n, what.is_double());
    if (!reason.empty())
        return reason;
    if (what.n > longest)
        return size + " is too long for frames side by side in a block: at most " +
               std::to_string(longest);
    return "";
}

double tiles_of(const problem& what, int columns)
{
    return std::ceil(double(what.batch) / columns);
}

double cost(const problem& what, const recipe& how, const device_traits& card)
{
    const stockham_shape& shape = how.shape();
    const std::size_t segment = shape.columns * what.output_item_bytes();
    const std::size_t width = what.output_strides.front();
    using namespace fitted::levels; // as of hierarchical rows
    double full =
        estimated_cost(shape, card) + (segment < LINE_BYTES / 2 ? COST_SECTORS_WRITTEN
                                       : segment < LINE_BYTES   ? COST_HALF_LINES_WRITTEN
                                                                : 0);
    if (width > std::size_t(shape.columns)) // else a tile has whole rows
        full += off_sectors_cost(
            width * what.output_item_bytes(), segment, reads_by_frames(what));
    return launch_cost(
        full, work_of_tile(shape, tiles_of(what, shape.columns), card), what, card);
}

std::vector<recipe> candidates(const problem& what, const device_traits& card)
{
    constexpr std::size_t OF_EACH = 2, KEPT = 10;
    std::vector<int> widths;
    for (int columns = fewest_columns(what); columns <= MAX_COLUMNS; columns *= 2)
        widths.push_back(columns);
    const std::size_t all = what.output_strides.front(); // frames side by side
    if (all <= MAX_COLUMNS && std::count(widths.begin(), widths.end(), int(all)) == 0)
        widths.push_back(int(all));
    std::vector<std::pair<double, recipe>> found;
    for (int columns : widths) {
        if (what.n * columns > longest_tile(point_bytes(what), card))
            continue;
        for (const stockham_shape& shape :
             tile_candidates(int(what.n),
                             columns,
                             !reads_by_frames(what),
                             OF_EACH,
                             card,
                             tile_estimate(what, card, tiles_of(what, columns)),
                             what.is_double())) {
            const recipe how = { "columns", what.n, { shape } };
            found.emplace_back(cost(what, how, card), how);
        }
    }
    return best_recipes(std::move(found), KEPT);
}

// A load or store step for frames whose points lie `stride` items apart. `begin` finds
// the first point of a frame.
std::string apart(const char* name,
                  const std::string& arguments,
                  std::size_t stride,
                  const std::string& begin)
{
    return text_of(name, arguments, std::to_string(stride) + "ll", begin);
}

std::string begin_text(const char* name, const std::vector<std::size_t>& numbers)
{
    std::string list;
    for (std::size_t number : numbers)
        add_argument(list, std::to_string(number) + "ull");
    return text_of(name, list);
}

program build_kernel(const recipe& how, const std::string& load, const std::string& store)
{
    const stockham_shape& shape = how.shape();
    launch_step step;
    step.kernel = block_kernel(shape,
                               shape_text(shape),
                               shape.shared_bytes(),
                               "levels/columns.cuh",
                               "columns_kernel",
                               load,
                               store);
    step.kernel.frames_per_block = shape.columns;
    program made;
    step.twiddles = made.add(stockham_twiddles(shape));
    made.steps.push_back(step);
    return made;
}

program build(const problem& what, const recipe& how)
{
    return build_kernel(
        how,
        reads_by_frames(what) ? apart("load_apart",
                                      load_arguments(what),
                                      what.input_strides.front(),
                                      "frames_by_hop")
                              : load_text(what),
        apart("store_apart",
              store_arguments(what),
              what.output_strides.front(),
              begin_text("rows_by_distance", { what.effective_output_distance() })));
}

} // namespace

algorithm columns_algorithm()
{
    algorithm columns = { "columns", obstacle, candidates, cost, build };
    columns.takes = takes;
    return columns;
}

problem problem_of_columns(problem line, std::size_t width)
{
    line.input_strides = line.output_strides = { width };
    line.hop = line.output_distance = 1;
    return line;
}

program build_columns(const problem& line,
                      std::size_t width,
                      std::size_t columns,
                      const recipe& how)
{
    return build_kernel(
        how,
        apart("load_apart",
              load_arguments(line),
              width,
              begin_text("columns_of_frames", { line.n, width, columns })),
        apart("store_apart",
              store_arguments(line),
              width,
              begin_text("columns_in_order", { line.n, width })));
}

} // namespace gpufft
} // namespace gr
