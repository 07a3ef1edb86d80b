// SPDX-License-Identifier: GPL-3.0-or-later
//
// Recipes and launches of kernels/convolution/rader_levels.cuh.

#include "rader_levels.h"
#include "convolution_levels.h"
#include "planner/cost.h"
#include "planner/cost_constants.h"
#include "planner/kernel_instance.h"

namespace gr {
namespace gpufft {

namespace {

constexpr std::size_t CANDIDATES = 40;
constexpr std::size_t SPLITS = 6;
using fitted::convolution::COST_ORDER;

} // namespace

bool has_rader_levels(std::uint64_t n) { return !level_lengths(n - 1, 1).empty(); }

std::vector<recipe> rader_levels_candidates(const problem& what,
                                            const device_traits& card)
{
    std::vector<std::pair<double, recipe>> found;
    const std::vector<std::vector<int>> splits = level_lengths(what.n - 1, 1);
    const recipe like = { "rader", what.n };
    const std::vector<int> frames = frames_for_l2(what.n, what, card);
    for (std::size_t s = 0; s < std::min(SPLITS, splits.size()); ++s) {
        for (auto [cost, how] : level_recipes(like, splits[s], what, card)) {
            for (int number : frames) {
                how.set<convolution_fields>().frames_at_once = number;
                found.emplace_back(cost, how);
            }
        }
    }
    return best_recipes(std::move(found), CANDIDATES);
}

double
rader_levels_cost(const problem& what, const recipe& how, const device_traits& card)
{
    return levels_cost(what, how, card) + cost_of_moves(COST_ORDER, what);
}

template <class T>
program rader_levels_program(const problem& what,
                             const recipe& how,
                             std::vector<int> order,
                             std::vector<std::complex<T>> filter)
{
    const stockham_shape& column = how.shapes.front();
    program made;
    made.scratch_points[0] = what.n;
    made.frames_at_once = how.frames_at_once();

    launch_step columns = convolution_column_step(column, what.n - 1, 1);
    columns.kernel.header = "convolution/rader_levels.cuh";
    columns.kernel.name = "rader_columns_kernel";
    columns.kernel.shape = shape_text(column);
    columns.kernel.load = load_text(what);
    columns.kernel.further = std::to_string(what.n);
    columns.twiddles = made.add(stockham_twiddles(column));
    columns.order = made.add(std::move(order));
    columns.to = place::scratch_0;
    made.steps.push_back(columns);

    const convolution_shape row = row_shape(how);
    launch_step rows = row_step(row, column.n);
    rows.kernel.header = "convolution/rader_levels.cuh";
    rows.kernel.name = "rader_rows_kernel";
    rows.kernel.shape = list_of(row.to_text(), what.n);
    rows.twiddles = made.add(convolution_twiddles<T>(row.radices, true));
    rows.spectrum = made.add(row_spectra(how, std::move(filter)));
    made.steps.push_back(rows);

    columns.kernel.name = "rader_inverse_columns_kernel";
    columns.kernel.load = {};
    columns.kernel.store = store_text(what);
    columns.from = place::scratch_0;
    columns.to = place::output;
    made.steps.push_back(columns);
    return made;
}

template program rader_levels_program(const problem&,
                                      const recipe&,
                                      std::vector<int>,
                                      std::vector<std::complex<double>>);
template program rader_levels_program(const problem&,
                                      const recipe&,
                                      std::vector<int>,
                                      std::vector<std::complex<long double>>);

} // namespace gpufft
} // namespace gr
