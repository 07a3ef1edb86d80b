// SPDX-License-Identifier: GPL-3.0-or-later
//
// Recipes and launches of kernels/convolution/bluestein_levels.cuh.

#include "bluestein_levels.h"
#include "convolution_levels.h"
#include "planner/cost.h"
#include "planner/cost_constants.h"
#include "planner/kernel_instance.h"
#include "planner/number_theory.h"

namespace gr {
namespace gpufft {

namespace {

constexpr std::uint64_t MAX_LENGTH = std::uint64_t(1) << 30; // points of the convolution
constexpr int MAX_PRIME = 7;
constexpr int MAX_COLUMN_LEVELS = 3;
constexpr int LENGTHS = 6; // lengths of convolutions to try
constexpr std::size_t SPLITS = 3;
constexpr std::size_t CANDIDATES = 40;
using fitted::convolution::COST_STREAM;

// The cost of levels whose first load and last store move N points, not M.
double with_ends(double levels, std::uint64_t length, const problem& what)
{
    if (is_small_call(what))
        return levels;
    const double stretch = double(length) / double(what.n);
    return stretch * (levels - 4 * COST_STREAM) + 4 * COST_STREAM;
}

} // namespace

std::vector<recipe> bluestein_levels_candidates(const std::string& name,
                                                const problem& what,
                                                std::uint64_t points,
                                                const device_traits& card,
                                                std::size_t decimation)
{
    std::vector<std::pair<double, recipe>> found;
    std::uint64_t length = points;
    for (int i = 0; i < LENGTHS; ++i, ++length) {
        length = next_smooth(length, MAX_PRIME);
        if (length > MAX_LENGTH)
            break;
        const std::vector<std::vector<int>> splits =
            level_lengths(length, MAX_COLUMN_LEVELS);
        const recipe like = { name, what.n };
        const std::vector<int> frames = frames_for_l2(length, what, card);
        for (std::size_t s = 0; s < std::min(SPLITS, splits.size()); ++s) {
            for (auto [cost, how] :
                 level_recipes(like, splits[s], what, card, decimation)) {
                for (int number : frames) {
                    how.set<convolution_fields>().frames_at_once = number;
                    found.emplace_back(with_ends(cost, length, what), how);
                }
            }
        }
    }
    return best_recipes(std::move(found), CANDIDATES);
}

double
bluestein_levels_cost(const problem& what, const recipe& how, const device_traits& card)
{
    return with_ends(levels_cost(what, how, card), convolution_length(how), what);
}

template <class T>
program bluestein_levels_program(const recipe& how, levels_ends<T> ends)
{
    const std::uint64_t length = convolution_length(how);
    const int fold = fold_of_levels(how, ends.decimation);
    std::uint64_t rows = 1;
    program made;
    made.scratch_points[0] = length;
    made.frames_at_once = how.frames_at_once();
    const int chirp_table = made.add(std::move(ends.chirp)); // -1: there is none
    const auto chirped = [&](const std::string& step, const char* around) {
        return chirp_table < 0 ? step_text(step)
                               : step_text(step, around, list_of(ends.samples));
    };

    std::vector<launch_step> back; // launches of the inverse columns, last level first
    for (std::size_t level = 0; level + 1 < how.shapes.size(); ++level) {
        const stockham_shape& shape = how.shapes[level];
        const std::uint64_t vector = length / rows;
        launch_step step = convolution_column_step(shape, vector, rows);
        step.kernel.header = ends.header;
        step.twiddles = made.add(stockham_twiddles(shape));
        step.chirp = level == 0 ? chirp_table : -1;
        step.from = level == 0 ? place::input : place::scratch_0;
        step.to = place::scratch_0;
        step.kernel.name = "bluestein_columns_kernel";
        step.kernel.shape = shape_text(shape);
        step.kernel.load =
            level == 0 ? chirped(ends.load, "load_chirped") : step_text("load_scratch");
        step.kernel.store = step_text("store_scratch");
        step.kernel.further = list_of(vector, rows);
        made.steps.push_back(step);
        step.kernel.blocks_per_frame =
            convolution_column_step(shape, vector / fold, rows).kernel.blocks_per_frame;
        step.from = place::scratch_0;
        step.to = level == 0 ? place::output : place::scratch_0;
        step.kernel.name = "bluestein_inverse_columns_kernel";
        step.kernel.load = step_text("load_scratch");
        if (level == 0)
            step.kernel.store = chirped(ends.store, "store_chirped");
        step.kernel.further = list_of(vector, rows, fold);
        back.push_back(step);
        rows *= shape.n;
    }

    const convolution_shape row = row_shape(how, ends.decimation);
    launch_step step = row_step(row, rows);
    step.kernel.header = "convolution/bluestein_levels.cuh";
    step.kernel.name = "bluestein_rows_kernel";
    step.kernel.shape = list_of(row.to_text(), row.folded(fold).to_text(), rows);
    step.twiddles = made.add(convolution_twiddles<T>(row.radices, true, fold));
    step.spectrum = ends.filter.empty()
                        ? OF_WINDOW
                        : made.add(row_spectra(how, std::move(ends.filter)));
    made.steps.push_back(step);
    made.steps.insert(made.steps.end(), back.rbegin(), back.rend());
    return made;
}

template program bluestein_levels_program(const recipe&, levels_ends<double>);
template program bluestein_levels_program(const recipe&, levels_ends<long double>);

} // namespace gpufft
} // namespace gr
