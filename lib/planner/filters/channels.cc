// SPDX-License-Identifier: GPL-3.0-or-later
//
// Recipes and launches of kernels/filters/channels.cuh. A recipe has the shape of a
// part's forward transform, or the shapes of its levels if it fits no block, then the
// shape of an inverse. Folding decimates by the largest divisor of the hop that has
// radices; the store step picks outputs for the rest.

#include "channels.h"
#include "channel_window.h"
#include "channel_zones.h"
#include "filter.h"
#include "planner/cost.h"
#include "planner/cost_constants.h"
#include "planner/exchange.h"
#include "planner/levels/hierarchical.h"
#include "planner/stockham/stockham.h"

#include <algorithm>
#include <cmath>

namespace gr {
namespace gpufft {

namespace {

constexpr const char *NAME = "channels", *HEADER = "filters/channels.cuh";
constexpr std::size_t LENGTHS = 5; // part lengths for which shapes are listed
constexpr std::size_t SHAPES = 2;  // shapes of each length
constexpr std::size_t CANDIDATES = 16;
using namespace fitted::channels;
constexpr std::size_t FOLD_THREADS = 128;
constexpr std::size_t FOLD_PARTS = 8;    // parts that a thread folds together
constexpr std::size_t MOST_CHANNELS = 4; // channels that a thread folds together
constexpr int COLUMNS[] = { 4, 8, 16 };  // inverses side by side

bool takes(const problem& what) { return what.is_channel_bank(); }

// The number of groups of channels, and of channels in each.
std::size_t groups_of(const problem& what)
{
    return (what.row_bins() + MOST_CHANNELS - 1) / MOST_CHANNELS;
}

std::size_t channels_together(const problem& what)
{
    return (what.row_bins() + groups_of(what) - 1) / groups_of(what);
}

// Points of a part.
std::size_t length_of(const recipe& how)
{
    std::size_t length = 1;
    for (std::size_t i = 0; i + 1 < how.shapes.size(); ++i)
        length *= how.shapes[i].n;
    return length;
}

std::size_t zones_of(const recipe& how) { return length_of(how) / how.shapes.back().n; }

std::string obstacle(const problem& what, const device_traits& card)
{
    if (choose_zones(what, false, card) > 0 || choose_zones(what, true, card) > 0)
        return "";
    return "several or running filters have " + std::to_string(what.n) +
           " taps, but must have at most " + std::to_string(most_taps(what, card)) +
           " with decimation " + std::to_string(what.effective_hop()) +
           " for an inverse to fit a block of the card";
}

// Parts in a forward transform: two of real samples.
std::size_t parts_of(const problem& what) { return pairs_parts(what) ? 2 : 1; }

// The forward transforms.
problem forward_of(const problem& what, std::size_t length)
{
    problem forward;
    forward.n = length;
    forward.batch =
        (what.batch - 1) / (parts_of(what) * outputs_of_part(what, length)) + 1;
    return forward;
}

recipe levels_of(const recipe& how)
{
    return { hierarchical_algorithm().name,
             length_of(how),
             { how.shapes.begin(), how.shapes.end() - 1 } };
}

// Time of the forward transforms, relative to copying their points.
double cost_of_forward(const problem& what, const recipe& how, const device_traits& card)
{
    const stockham_shape& first = how.shapes.front();
    return how.shapes.size() == 2
               ? estimated_cost(first, card)
               : mirrored_cost(
                     forward_of(what, length_of(how)), levels_of(how), {}, card);
}

// Estimated time of memory traffic and products, relative to reading and writing the same
// number of samples, as for overlap-save.
double cost(const problem& what, const recipe& how, const device_traits& card)
{
    const stockham_shape& inverse = how.shapes.back();
    const double channels = double(what.row_bins());
    const double hop = double(what.effective_hop());
    const double step = double(outputs_of_part(what, length_of(how))) * hop;
    const double length = double(length_of(how)) / step;
    const double points = channels * inverse.n / step;
    const double rows = channels / hop * POINT;
    // channels lie side by side in memory: with one column, whole sectors move for single
    // points
    const double sectors =
        std::max(1.0, std::min(channels, SECTOR) / double(inverse.columns));
    const double bytes =
        POINT * (0.5 + 1.5 * length) / double(parts_of(what)) *
            cost_of_forward(what, how, card) +
        (POINT + PRODUCT * channels) * length + POINT * points +
        sectors * (POINT * points + rows) * estimated_cost(inverse, card);
    return bytes / (2 * POINT);
}

std::vector<stockham_shape> shapes_in_block(std::size_t length, const device_traits& card)
{
    std::vector<stockham_shape> shapes = stockham_candidates(int(length), card, SHAPES);
    for (stockham_shape& shape : shapes) {
        shape.staged_load = shape.staged_store = false;
        choose_paddings(shape);
    }
    return shapes;
}

// Columns if there are several channels, so that whole sectors are written.
std::vector<stockham_shape>
inverse_shapes(const problem& what, std::size_t points, const device_traits& card)
{
    std::vector<stockham_shape> shapes;
    for (int columns : COLUMNS)
        if (what.row_bins() >= std::size_t(columns) &&
            points * columns <= longest_stockham(card))
            for (const stockham_shape& shape :
                 tile_candidates(int(points), columns, false, 1, card))
                shapes.push_back(shape);
    return shapes.empty() ? shapes_in_block(points, card) : shapes;
}

// Shapes of the forward transform of a part: of one block, or of its levels.
std::vector<std::vector<stockham_shape>>
forward_shapes(const problem& what, std::size_t length, const device_traits& card)
{
    std::vector<std::vector<stockham_shape>> found;
    if (length <= longest_stockham(card)) {
        for (const stockham_shape& shape : shapes_in_block(length, card))
            found.push_back({ shape });
        return found;
    }
    const problem forward = forward_of(what, length);
    if (!level_obstacle(forward, card).empty())
        return found;
    for (const recipe& how : mirrored_candidates(forward, {}, card)) {
        found.push_back(how.shapes);
        if (found.size() == SHAPES)
            break;
    }
    return found;
}

void add_recipes(const problem& what,
                 bool has_levels,
                 const device_traits& card,
                 std::vector<std::pair<double, recipe>>& found)
{
    const std::size_t zones = choose_zones(what, has_levels, card);
    if (zones == 0)
        return;
    std::vector<std::size_t> tried = zone_lengths(what, zones, has_levels, card);
    const auto stretch = [&](std::size_t length) {
        return double(length) / double(outputs_of_part(what, length)) *
               (1 + 0.05 * std::log2(double(length)));
    };
    std::stable_sort(tried.begin(), tried.end(), [&](std::size_t a, std::size_t b) {
        return stretch(a) < stretch(b);
    });
    tried.resize(std::min(tried.size(), LENGTHS));
    for (std::size_t length : tried) {
        const std::vector<stockham_shape> inverses =
            inverse_shapes(what, length / zones, card);
        for (const auto& forward : forward_shapes(what, length, card))
            for (const stockham_shape& inverse : inverses) {
                recipe how = { NAME, what.n, forward };
                how.shapes.push_back(inverse);
                found.emplace_back(cost(what, how, card), how);
            }
    }
}

// If there are taps for a quarter of a block, parts beyond a block are worth further
// passes.
std::vector<recipe> candidates(const problem& what, const device_traits& card)
{
    std::vector<std::pair<double, recipe>> found;
    add_recipes(what, false, card, found);
    if (what.n >= longest_stockham(card) / 4)
        add_recipes(what, true, card, found);
    return best_recipes(std::move(found), CANDIDATES);
}

std::string bank_text(const problem& what, const recipe& how)
{
    return text_of("bank",
                   how.shapes.back().n,
                   zones_of(how),
                   what.row_bins(),
                   channels_together(what));
}

// The program that makes the spectra of parts.
program forward_program(const problem& what, const recipe& how, std::size_t outputs)
{
    program made =
        (how.shapes.size() > 2 ? hierarchical_algorithm() : stockham_algorithm())
            .build(forward_of(what, length_of(how)), levels_of(how));
    made.steps.front().kernel.load =
        filter_load_text(what, outputs * what.effective_hop());
    made.steps.back().to = place::scratch_1;
    for (launch_step& step : made.steps) {
        step.kernel.header = HEADER;
        step.lines_together = parts_of(what) * outputs;
        step.is_scaled = false;
    }
    return made;
}

launch_step fold_step(const problem& what, const recipe& how, std::size_t outputs)
{
    launch_step step;
    step.kernel.header = HEADER;
    step.kernel.name = "channels_fold_kernel";
    const std::string bank = bank_text(what, how);
    const char* const spectra = pairs_parts(what) ? "pair_spectra" : "part_spectra";
    step.kernel.shape =
        list_of(bank, text_of(spectra, bank), outputs, FOLD_PARTS, FOLD_THREADS);
    step.kernel.block_threads = step.kernel.frames_per_block = int(FOLD_THREADS);
    step.from = place::scratch_1;
    step.to = place::scratch_0;
    step.lines_together = outputs * FOLD_PARTS;
    step.group_frames = how.shapes.back().n * groups_of(what);
    step.spectrum = OF_WINDOW;
    step.is_scaled = false;
    return step;
}

launch_step inverse_step(const problem& what, const recipe& how, std::size_t outputs)
{
    const stockham_shape& shape = how.shapes.back();
    const std::string bank = bank_text(what, how);
    launch_step step;
    step.kernel = block_kernel(shape,
                               shape_text(shape),
                               shape.shared_bytes(),
                               HEADER,
                               shape.columns > 1 ? "columns_kernel" : "stockham_kernel",
                               text_of("load_folded", bank),
                               text_of("store_channel",
                                       bank,
                                       outputs,
                                       what.effective_hop() / zones_of(how),
                                       what.running,
                                       what.n,
                                       stored_argument(what)));
    if (shape.columns > 1)
        step.kernel.frames_per_block = shape.columns;
    step.from = place::scratch_0;
    step.lines_together = outputs;
    step.group_frames = what.row_bins();
    step.spectrum = OF_WINDOW;
    return step;
}

// scratch_1 holds the spectra; scratch_0 holds their levels, then the folded spectra.
program build(const problem& what, const recipe& how)
{
    const std::size_t outputs = outputs_of_part(what, length_of(how));
    program made = forward_program(what, how, outputs);
    made.steps.push_back(fold_step(what, how, outputs));
    made.steps.push_back(inverse_step(what, how, outputs));
    made.steps.back().twiddles = made.add(stockham_twiddles(how.shapes.back()));
    made.scratch_points[1] = length_of(how);
    made.scratch_points[0] = std::max(made.scratch_points[0],
                                      parts_of(what) * how.shapes.back().n *
                                          groups_of(what) * channels_together(what));
    made.frames_together = parts_of(what) * outputs;
    made.works_in_place = false;
    return made;
}

channel_window window_for(const problem& what, const recipe& how)
{
    return {
        what, length_of(how), std::size_t(how.shapes.back().n), channels_together(what)
    };
}

} // namespace

std::vector<unsigned char> make_window(const problem& what,
                                       const recipe& how,
                                       const std::vector<double>& window,
                                       const std::vector<plan::rotation>& rotations)
{
    return window_for(what, how).make(window, rotations);
}

void turn_window(const problem& what,
                 const recipe& how,
                 const std::vector<double>& window,
                 const std::vector<plan::rotation>& before,
                 const std::vector<plan::rotation>& rotations,
                 std::vector<unsigned char>& bytes)
{
    window_for(what, how).turn(window, before, rotations, bytes);
}

algorithm channels_algorithm()
{
    algorithm channels = { NAME, obstacle, candidates, cost, build, true, LEAST_COST };
    channels.takes = takes;
    return channels;
}

} // namespace gpufft
} // namespace gr
