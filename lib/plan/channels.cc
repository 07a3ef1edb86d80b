// SPDX-License-Identifier: GPL-3.0-or-later
//
// Recipes and launches of kernels/channels.cuh: the shape of the forward transform of a
// part, and that of an inverse. What divides the hop and has radices is done by folding;
// of what is left, outputs are picked.

#include "channels.h"
#include "channel_window.h"
#include "cost_model.h"
#include "exchange.h"
#include "filter.h"
#include "stockham.h"

#include <algorithm>
#include <cmath>

namespace gr {
namespace gpufft {

namespace {

constexpr const char *NAME = "channels", *HEADER = "channels.cuh";
constexpr std::size_t LINE = 16;            // points of 128 bytes
constexpr std::size_t FEWEST_POINTS = 4;    // of an inverse
constexpr std::size_t SHORTEST_PART = 1024; // points
constexpr std::size_t MOST_ZONES = 512;     // whose sum rounds little
constexpr std::size_t LENGTHS = 5;          // of parts, the best, whose shapes are sought
constexpr std::size_t SHAPES = 2;           // of each
constexpr std::size_t CANDIDATES = 16;
constexpr double LEAST_COST = 0.5; // of a sample read and little written
constexpr std::size_t FOLD_THREADS = 128;
constexpr std::size_t FOLD_PARTS = 8;    // that a thread folds together
constexpr std::size_t MOST_CHANNELS = 4; // ... and channels
constexpr int COLUMNS[] = { 4, 8, 16 };  // inverses side by side

bool takes(const problem& what) { return what.is_channel_bank(); }

// How many groups of channels there are, of how many each.
std::size_t groups_of(const problem& what)
{
    return (what.row_bins() + MOST_CHANNELS - 1) / MOST_CHANNELS;
}

std::size_t channels_together(const problem& what)
{
    return (what.row_bins() + groups_of(what) - 1) / groups_of(what);
}

// The largest divisor that has radices.
std::size_t smooth_part(std::size_t n)
{
    std::size_t part = 1;
    for (std::size_t prime : { 2, 3, 5, 7, 11, 13 })
        for (; n % prime == 0; n /= prime)
            part *= prime;
    return part;
}

std::size_t zones_of(const recipe& how) { return how.shapes[0].n / how.shapes[1].n; }

// Lengths of parts that are worth a try for so many zones, whose inverses have 2^k
// points, else 3 2^k or 5 2^k, whole lines of memory if they can: none if the taps are
// too many.
std::vector<std::size_t>
lengths(const problem& what, std::size_t zones, const device_traits& card)
{
    const std::size_t least = std::max(what.n + what.n / 8, SHORTEST_PART);
    const std::size_t most = longest_stockham(card);
    std::vector<std::size_t> found;
    for (std::size_t unit : { LINE, FEWEST_POINTS })
        for (std::size_t odd : { 1, 3, 5 }) {
            for (std::size_t length = zones * unit * odd; length <= most; length *= 2)
                if (length >= least)
                    found.push_back(length);
            if (!found.empty())
                return found;
        }
    return found;
}

// As many zones as parts are folded into: of the divisors of the hop that have radices
// the largest for which there are lengths; 0 if the taps are too many.
std::size_t choose_zones(const problem& what, const device_traits& card)
{
    const std::size_t smooth = smooth_part(what.effective_hop());
    for (std::size_t zones = std::min(smooth, MOST_ZONES); zones > 0; --zones)
        if (smooth % zones == 0 && !lengths(what, zones, card).empty())
            return zones;
    return 0;
}

std::string obstacle(const problem& what, const device_traits& card)
{
    if (choose_zones(what, card) > 0)
        return "";
    return "several or running filters have " + std::to_string(what.n) +
           " taps, but must have at most " +
           std::to_string(longest_stockham(card) / 9 * 8) +
           " for a part to fit a block of the card";
}

// Estimated time over that of reading and writing as many samples, as of overlap-save: of
// the bytes through memory, and of the products.
double cost(const problem& what, const recipe& how, const device_traits&)
{
    constexpr double POINT = 8, PRODUCT = 1.5; // bytes that take as long as one
    const stockham_shape &forward = how.shapes[0], &inverse = how.shapes[1];
    const double channels = double(what.row_bins());
    const double hop = double(what.effective_hop());
    const double step = double(outputs_of_part(what, forward.n)) * hop;
    const double length = forward.n / step, points = channels * inverse.n / step;
    const double rows = channels / hop * POINT;
    const double bytes =
        POINT * (0.5 + 1.5 * length) * estimated_cost(forward, forward.conflicts) +
        (POINT + PRODUCT * channels) * length +
        (2 * POINT * points + rows) * estimated_cost(inverse, inverse.conflicts);
    return bytes / (2 * POINT);
}

std::vector<stockham_shape> forward_shapes(std::size_t length)
{
    std::vector<stockham_shape> shapes = stockham_candidates(int(length), SHAPES);
    for (stockham_shape& shape : shapes) {
        shape.staged_load = shape.staged_store = false;
        choose_paddings(shape);
    }
    return shapes;
}

// Side by side where there are several channels, so that whole sectors are written.
std::vector<stockham_shape> inverse_shapes(const problem& what, std::size_t points)
{
    std::vector<stockham_shape> shapes;
    for (int columns : COLUMNS)
        if (what.row_bins() >= std::size_t(columns) &&
            points * columns <= longest_stockham(device_traits()))
            for (const stockham_shape& shape :
                 tile_candidates(int(points), columns, false, 1))
                shapes.push_back(shape);
    return shapes.empty() ? forward_shapes(points) : shapes;
}

std::vector<recipe> candidates(const problem& what, const device_traits& card)
{
    const std::size_t zones = choose_zones(what, card);
    std::vector<std::size_t> tried = lengths(what, zones, card);
    const auto stretch = [&](std::size_t length) {
        return double(length) / double(outputs_of_part(what, length)) *
               (1 + 0.05 * std::log2(double(length)));
    };
    std::stable_sort(tried.begin(), tried.end(), [&](std::size_t a, std::size_t b) {
        return stretch(a) < stretch(b);
    });
    tried.resize(std::min(tried.size(), LENGTHS));
    std::vector<std::pair<double, recipe>> found;
    for (std::size_t length : tried) {
        const std::vector<stockham_shape> inverses = inverse_shapes(what, length / zones);
        for (const stockham_shape& forward : forward_shapes(length))
            for (const stockham_shape& inverse : inverses) {
                recipe how;
                how.algorithm = NAME;
                how.n = what.n;
                how.shapes = { forward, inverse };
                found.emplace_back(cost(what, how, card), how);
            }
    }
    return best_recipes(std::move(found), CANDIDATES);
}

std::string numbers(std::initializer_list<std::size_t> values)
{
    std::string list;
    for (std::size_t value : values)
        list += (list.empty() ? "" : ", ") + std::to_string(value);
    return list;
}

std::string bank_text(const problem& what, const recipe& how)
{
    return "bank<" +
           numbers({ std::size_t(how.shapes[1].n),
                     zones_of(how),
                     what.row_bins(),
                     channels_together(what) }) +
           ">";
}

launch_step forward_step(const problem& what, const recipe& how, std::size_t outputs)
{
    const stockham_shape& shape = how.shapes[0];
    launch_step step;
    step.kernel.header = HEADER;
    step.kernel.expression = "stockham_kernel<" + shape_text(shape) + ", filter_load<" +
                             numbers({ what.n, outputs * what.effective_hop() }) +
                             ">, store<as_complex, false, false>>";
    step.kernel.block_threads = shape.block_threads();
    step.kernel.frames_per_block = shape.transforms;
    step.kernel.shared_bytes = shape.shared_bytes();
    step.to = place::scratch_0;
    step.lines_together = outputs;
    step.is_scaled = false;
    return step;
}

launch_step fold_step(const problem& what, const recipe& how, std::size_t outputs)
{
    launch_step step;
    step.kernel.header = HEADER;
    step.kernel.expression = "channels_fold_kernel<" + bank_text(what, how) + ", " +
                             numbers({ outputs, FOLD_PARTS, FOLD_THREADS }) + ">";
    step.kernel.block_threads = step.kernel.frames_per_block = int(FOLD_THREADS);
    step.from = place::scratch_0;
    step.to = place::scratch_1;
    step.lines_together = outputs * FOLD_PARTS;
    step.rows = how.shapes[1].n * groups_of(what);
    step.spectrum = OF_WINDOW;
    step.is_scaled = false;
    return step;
}

launch_step inverse_step(const problem& what, const recipe& how, std::size_t outputs)
{
    const stockham_shape& shape = how.shapes[1];
    const std::string bank = bank_text(what, how);
    launch_step step;
    step.kernel.header = HEADER;
    step.kernel.expression =
        std::string(shape.columns > 1 ? "columns" : "stockham") + "_kernel<" +
        shape_text(shape) + ", load_folded<" + bank + ">, store_channel<" + bank + ", " +
        numbers({ outputs, what.effective_hop() / zones_of(how) }) + ", " +
        flag_text(what.running) + ", " + numbers({ what.n }) + ">>";
    step.kernel.block_threads = shape.block_threads();
    step.kernel.frames_per_block = shape.columns > 1 ? shape.columns : shape.transforms;
    step.kernel.shared_bytes = shape.shared_bytes();
    step.from = place::scratch_1;
    step.lines_together = outputs;
    step.rows = what.row_bins();
    step.spectrum = OF_WINDOW;
    return step;
}

program build(const problem& what, const recipe& how)
{
    const std::size_t outputs = outputs_of_part(what, how.shapes[0].n);
    program made;
    made.steps = { forward_step(what, how, outputs),
                   fold_step(what, how, outputs),
                   inverse_step(what, how, outputs) };
    made.steps[0].twiddles = made.add(stockham_twiddles(how.shapes[0]));
    made.steps[2].twiddles = made.add(stockham_twiddles(how.shapes[1]));
    made.scratch_points[0] = how.shapes[0].n;
    made.scratch_points[1] = how.shapes[1].n * groups_of(what) * channels_together(what);
    made.frames_together = outputs;
    made.frames_at_once = how.frames_ahead * outputs;
    made.works_in_place = false;
    return made;
}

channel_window window_for(const problem& what, const recipe& how)
{
    return { what,
             std::size_t(how.shapes[0].n),
             std::size_t(how.shapes[1].n),
             channels_together(what) };
}

} // namespace

std::vector<unsigned char> window_of(const problem& what,
                                     const recipe& how,
                                     const std::vector<double>& window,
                                     const std::vector<plan::rotation>& rotations)
{
    return what.is_channel_bank() ? window_for(what, how).make(window, rotations)
                                  : window_of(what, how, window);
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
