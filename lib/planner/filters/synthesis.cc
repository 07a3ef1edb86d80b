// SPDX-License-Identifier: GPL-3.0-or-later
//
// The launches of an inverse transform into scratch, and of the weighted sums after it.

#include "synthesis.h"
#include "planner/cost_constants.h"
#include "planner/planner.h"

#include <algorithm>

namespace gr {
namespace gpufft {

namespace {

constexpr std::size_t CANDIDATES = 8;
constexpr std::size_t THREADS = 256;
// Rows that a thread makes: from one column, from one column that several rows share, or
// from several columns.
constexpr std::size_t ROWS = 16, ROWS_APART = 8, ROWS_ALONE = 4;
constexpr std::size_t MOST_APART = 4; // rows that share a column
using fitted::synthesis::COST_SUMS;

bool takes(const problem& what) { return what.kind == transform_kind::synthesis; }

std::string obstacle(const problem& what, const device_traits& card)
{
    return planning_obstacle(inverse_of_synthesis(what), card);
}

std::vector<recipe> candidates(const problem& what, const device_traits& card)
{
    std::vector<recipe> found;
    for (const recipe& core :
         recipe_candidates(inverse_of_synthesis(what), card, CANDIDATES))
        found.push_back(
            { "synthesis", what.n, {}, parts_fields{ { core } }, what.axes() });
    return found;
}

double cost(const problem& what, const recipe& how, const device_traits& card)
{
    const recipe& core = how.of<parts_fields>().parts.front();
    return find_algorithm(core.algorithm).cost(inverse_of_synthesis(what), core, card) +
           COST_SUMS;
}

kernel_instance sum_kernel(const problem& what)
{
    const std::size_t n = what.n, samples = what.row_bins();
    const bool shares = n % samples == 0 && n / samples <= MOST_APART;
    const std::size_t apart = shares ? n / samples : 1, chains = apart * samples;
    const std::size_t rows = apart > 1 ? ROWS_APART : shares ? ROWS : ROWS_ALONE;
    kernel_instance kernel;
    kernel.header = "filters/synthesis.cuh";
    kernel.name = "synthesis_sum_kernel";
    kernel.shape =
        text_of("synthesis_shape", n, samples, what.taps, rows, apart, THREADS);
    kernel.further = stored_argument(what);
    kernel.block_threads = int(THREADS);
    kernel.frames_per_block =
        int(rows * apart * std::max<std::size_t>(THREADS / chains, 1));
    kernel.blocks_per_frame = int((chains + THREADS - 1) / THREADS);
    return kernel;
}

program build(const problem& what, const recipe& how)
{
    program made =
        build_program(inverse_of_synthesis(what), how.of<parts_fields>().parts.front());
    made.more_frames = what.taps - 1;
    made.frames_at_once = 0; // the scratch holds a whole launch anyway
    made.works_in_place = false;
    for (launch_step& step : made.steps) {
        step.more_frames = made.more_frames;
        step.from = step.from == place::output ? place::rows : step.from;
        step.to = step.to == place::output ? place::rows : step.to;
    }
    launch_step sums;
    sums.kernel = sum_kernel(what);
    sums.from = place::rows;
    made.steps.push_back(sums);
    made.scratch_points[int(place::rows) - int(place::scratch_0)] = what.n;
    return made;
}

} // namespace

problem inverse_of_synthesis(const problem& what)
{
    problem core;
    core.dir = direction::inverse;
    core.n = what.n;
    core.input = what.input;
    core.batch = what.batch;
    core.scale = what.scale;
    return core;
}

algorithm synthesis_algorithm()
{
    algorithm synthesis = { "synthesis", obstacle, candidates, cost, build, true, 2.0 };
    synthesis.takes = takes;
    synthesis.fields = parts_fields();
    return synthesis;
}

} // namespace gpufft
} // namespace gr
