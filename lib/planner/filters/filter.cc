// SPDX-License-Identifier: GPL-3.0-or-later
//
// Recipes and launches of kernels/filters/filter.cuh: parts of the best length, in one
// kernel if a part fits a block, else through global memory (bluestein_levels.cc).

#include "filter.h"
#include "planner/convolution/bluestein_levels.h"
#include "planner/convolution/convolution_cost.h"
#include "planner/convolution/convolution_levels.h"
#include "planner/cost_constants.h"
#include "planner/number_theory.h"

#include <algorithm>
#include <set>

namespace gr {
namespace gpufft {

namespace {

constexpr const char *NAME = "overlap-save", *HEADER = "filters/filter.cuh";
constexpr std::size_t LONGEST = std::size_t(1) << 26; // taps
constexpr std::size_t CANDIDATES = 24;
constexpr std::size_t MAX_OF_LENGTH = 3;
constexpr std::size_t SHORTEST_PART = 256;
constexpr std::size_t MOST_STRETCH = 16; // part / taps, through global memory
constexpr int MAX_FRAMES = 8;            // in a block; each is read by threads of its own
using namespace fitted::filter;

// The factor by which the spectrum is folded.
int fold_of_filter(const problem& what, const recipe& how)
{
    return how.shapes.size() > 1 ? fold_of_levels(how, what.effective_hop())
                                 : fold_of(how.shape().radices, what.effective_hop());
}

bool takes(const problem& what)
{
    return what.kind == transform_kind::filter && !what.is_channel_bank();
}

std::string obstacle(const problem& what, const device_traits&)
{
    if (what.n <= LONGEST)
        return "";
    return "filter has " + std::to_string(what.n) + " taps, but must have at most " +
           std::to_string(LONGEST);
}

convolution_work work_of(const problem& what)
{
    convolution_work work = { 2, 0, 12, 0, 1.0 };
    work.decimation = what.effective_hop();
    return work;
}

convolution_use use_of(const problem& what, std::size_t length)
{
    convolution_use use;
    use.samples = int(length);
    use.linear = true;
    use.apart = true;
    use.most_frames = MAX_FRAMES;
    use.decimation = what.effective_hop();
    return use;
}

// Parts in one complex convolution.
std::size_t parts_together(const problem& what)
{
    return what.output == output_kind::complex ? 1 : 2;
}

std::size_t outputs_together(const problem& what, std::size_t length)
{
    return parts_together(what) * outputs_of_part(what, length);
}

// The problem that represents the filter in the estimates of convolutions: a frame has
// the new samples of a part.
problem like_frames(const problem& what, std::size_t length)
{
    problem like;
    like.n = outputs_of_part(what, length) * what.effective_hop();
    like.batch = (what.batch - 1) / outputs_together(what, length) + 1;
    return like;
}

// Cost of the samples that are read again, half of which are in the cache.
double cost_of_overlap(const problem& what, std::size_t length)
{
    const double step = double(outputs_of_part(what, length) * what.effective_hop());
    return 0.5 * (double(length) - step) / (2 * step);
}

// Cost of the twiddles and the taps' spectrum, as far as they do not fit the cache: what
// shared memory leaves of a multiprocessor's memory.
double cost_of_tables(const problem& what,
                      const block_shape& shape,
                      std::size_t shared_bytes,
                      const device_traits& card)
{
    const std::size_t used = std::size_t(std::max(shape.blocks, 1)) *
                             (shared_bytes + card.reserved_shared_bytes);
    const double all = double(cache_bytes(card));
    const double shared = double(shared_carve_out(used, card));
    const double tables = 2.0 * double(shape.n) * sizeof(std::complex<float>);
    return COST_OF_TABLES * std::max(0.0, 1 - (all - shared) / tables) * double(shape.n) /
           double(outputs_of_part(what, shape.n) * what.effective_hop());
}

// Rounds in which the workers of `length` points compute the butterflies of these axes.
int rounds_of(const block_shape& shape, const std::vector<int>& radices, int length)
{
    int rounds = 0;
    for (int radix : radices)
        rounds += (length / radix + shape.threads - 1) / shape.threads;
    return rounds;
}

// Cost of the latency of a part's rounds, in some of which few workers are busy.
double cost_of_rounds(const problem& what, const block_shape& shape)
{
    const std::size_t hop = what.effective_hop();
    const std::vector<int> inverse(shape.radices.begin(), shape.radices.end() - 1);
    const int rounds = rounds_of(shape, shape.radices, shape.n) +
                       rounds_of(shape, inverse, shape.n / fold_of(shape.radices, hop));
    return COST_OF_ROUNDS * rounds /
           (double(std::max(shape.blocks, 1) * shape.transforms) *
            double(outputs_of_part(what, shape.n) * hop));
}

// Cost of the registers that the points of the largest radix lack with this bound on
// blocks: loads wait for each other, or points spill. Two axes need fewer.
double cost_of_registers(const block_shape& shape, const device_traits& card)
{
    if (shape.radices.size() < 3)
        return 0;
    const int threads = whole_warps(shape.block_threads()) * std::max(shape.blocks, 1);
    const int most = *std::max_element(shape.radices.begin(), shape.radices.end());
    return COST_OF_REGISTERS *
           std::max(
               0, 2 * most + REGISTERS_BESIDE_POINTS - card.registers / threads / 8 * 8);
}

// What filters that decimate cost beyond the estimates.
double
cost_of_folding(const problem& what, const block_shape& shape, const device_traits& card)
{
    return what.effective_hop() == 1
               ? 0
               : cost_of_rounds(what, shape) + cost_of_registers(shape, card);
}

std::size_t longest_of_block(const device_traits& card)
{
    return card.shared_bytes / 17 * 16 / sizeof(std::complex<float>);
}

// The odd factors of the decimation by which an axis can be folded.
std::set<std::size_t> odd_folds(std::size_t decimation)
{
    std::set<std::size_t> odds;
    for (std::size_t fold = 1; fold <= std::size_t(MAX_AXIS); fold += 2)
        if (decimation % fold == 0)
            odds.insert(fold);
    return odds;
}

// Part lengths worth trying: 2^k, 3 2^k and 5 2^k, and those with other odd factors.
std::vector<std::size_t>
lengths_from(std::size_t least, std::size_t most, std::set<std::size_t> odds = {})
{
    std::vector<std::size_t> lengths;
    odds.insert({ 1, 3, 5 });
    for (std::size_t odd : odds)
        for (std::size_t length = odd; length <= most; length *= 2)
            if (length >= least)
                lengths.push_back(length);
    std::sort(lengths.begin(), lengths.end());
    return lengths;
}

// What folding saves: rows are shorter when they are written, read and made columns.
double saved_by_folding(const problem& what, const recipe& how)
{
    const std::size_t length = convolution_length(how);
    return SAVED_STREAMS * (1 - 1.0 / fold_of_filter(what, how)) * double(length) /
           double(outputs_of_part(what, length) * what.effective_hop());
}

double cost(const problem& what, const recipe& how, const device_traits& card)
{
    if (how.shapes.size() > 1) {
        const std::size_t length = convolution_length(how);
        return bluestein_levels_cost(like_frames(what, length), how, card) +
               cost_of_overlap(what, length) - saved_by_folding(what, how);
    }
    const std::size_t length = how.shape().n;
    const convolution_shape shape = make_convolution(how.shape(), use_of(what, length));
    return convolution_cost(how.shape(),
                            like_frames(what, length),
                            work_of(what),
                            shape.conflicts,
                            shape.shared_bytes(),
                            card) +
           cost_of_tables(what, how.shape(), shape.shared_bytes(), card) +
           cost_of_folding(what, how.shape(), card) + cost_of_overlap(what, length);
}

typedef std::vector<std::pair<double, recipe>> ranked_recipes;

void add_in_block(const problem& what,
                  std::size_t length,
                  const device_traits& card,
                  ranked_recipes& found)
{
    const convolution_use use = use_of(what, length);
    const convolution_work work = work_of(what);
    const problem like = like_frames(what, length);
    for (block_shape& shape :
         convolution_candidates(int(length), like, use, work, card, MAX_OF_LENGTH)) {
        const std::size_t bytes =
            most_elements(shape.n, use) * point_bytes(like) * shape.transforms;
        const int most = shape.blocks; // fewer blocks leave more cache for the tables
        for (; shape.blocks > 0 && shape.blocks >= most - 1; --shape.blocks) {
            const recipe how = {
                NAME, what.n, { stockham_shape(shape) }, convolution_fields()
            };
            found.emplace_back(convolution_cost(shape, like, work, 1.0, bytes, card) +
                                   cost_of_tables(what, shape, bytes, card) +
                                   cost_of_folding(what, shape, card) +
                                   cost_of_overlap(what, length),
                               how);
        }
    }
}

std::vector<recipe> candidates(const problem& what, const device_traits& card)
{
    ranked_recipes found;
    const std::size_t least = std::max(what.n + what.n / 4, SHORTEST_PART);
    for (std::size_t length :
         lengths_from(least, longest_of_block(card), odd_folds(what.effective_hop())))
        add_in_block(what, length, card, found);
    if (what.n >= longest_of_block(card) / 4)
        for (std::size_t length :
             lengths_from(least, MOST_STRETCH * what.n, odd_folds(what.effective_hop())))
            for (recipe how : bluestein_levels_candidates(NAME,
                                                          like_frames(what, length),
                                                          length,
                                                          card,
                                                          what.effective_hop())) {
                how.n = what.n;
                found.emplace_back(cost(what, how, card), how);
            }
    return best_recipes(std::move(found), CANDIDATES);
}

// filter_load<first, second>, filter_load_as<first, second, format> and the like.
std::string end_text(const problem& what,
                     const char* end,
                     std::size_t first,
                     std::size_t second,
                     const std::string& format)
{
    return text_of(std::string("filter_") + end +
                       (what.output == output_kind::complex ? "" : "_real") +
                       (format.empty() ? "" : "_as"),
                   first,
                   second,
                   format);
}

std::string load_text(const problem& what, std::size_t length)
{
    return filter_load_text(what, outputs_of_part(what, length) * what.effective_hop());
}

// The store step for the values that folding leaves.
std::string store_text(const problem& what, std::size_t length, int fold)
{
    return end_text(what,
                    "store",
                    outputs_of_part(what, length),
                    what.effective_hop() / std::size_t(fold),
                    stored_argument(what));
}

program build_in_block(const problem& what, const recipe& how)
{
    const std::size_t length = how.shape().n;
    const convolution_shape shape = make_convolution(how.shape(), use_of(what, length));
    const int fold = fold_of_filter(what, how);
    program made;
    launch_step step;
    step.kernel = block_kernel(shape,
                               list_of(shape.to_text(), shape.folded(fold).to_text()),
                               shape.shared_bytes(),
                               HEADER,
                               "filter_kernel",
                               load_text(what, length),
                               store_text(what, length, fold));
    step.twiddles = made.add(convolution_twiddles<double>(shape.radices, true, fold));
    step.spectrum = OF_WINDOW;
    made.steps.push_back(step);
    return made;
}

program build_levels(const problem& what, const recipe& how)
{
    levels_ends<double> ends;
    ends.header = HEADER;
    ends.samples = convolution_length(how);
    ends.decimation = what.effective_hop();
    ends.load = load_text(what, ends.samples);
    ends.store = store_text(what, ends.samples, fold_of_filter(what, how));
    return bluestein_levels_program(how, std::move(ends));
}

program build(const problem& what, const recipe& how)
{
    const bool in_block = how.shapes.size() == 1;
    const std::size_t length = in_block ? how.shape().n : convolution_length(how);
    program made = in_block ? build_in_block(what, how) : build_levels(what, how);
    made.works_in_place = false;
    made.frames_together = outputs_together(what, length);
    for (launch_step& step : made.steps)
        step.lines_together = made.frames_together;
    made.frames_at_once *= made.frames_together;
    return made;
}

std::vector<std::complex<double>>
spectrum_of(const problem& what, const recipe& how, const std::vector<double>& window)
{
    if (how.shapes.size() > 1)
        return row_spectra(how, cyclic_filter(what, window, convolution_length(how)));
    const std::size_t length = how.shape().n;
    return convolution_spectrum(
        how.shape().radices, true, cyclic_filter(what, window, length), 1.0 / length);
}

} // namespace

bool pairs_parts(const problem& what)
{
    return what.is_channel_bank() && !is_complex(what.input);
}

std::string filter_load_text(const problem& what, std::size_t step)
{
    problem read = what;
    if (pairs_parts(what))
        read.output = output_kind::real;
    const std::string load = end_text(read, "load", what.n, step, input_argument(read));
    return pairs_parts(what) ? text_of("load_at_offset", load) : load;
}

std::vector<std::complex<double>>
cyclic_filter(const problem& what, const std::vector<double>& window, std::size_t length)
{
    std::vector<std::complex<double>> filter(length);
    for (std::size_t k = 0; k < what.n; ++k)
        filter[(length + k + 1 - what.n) % length] =
            what.complex_taps ? std::complex<double>(window[2 * k], window[2 * k + 1])
                              : std::complex<double>(window[k]);
    return filter;
}

std::string decimation_text(std::size_t decimation, std::size_t folded)
{
    if (decimation == 1)
        return "";
    const std::string by = "decimation " + std::to_string(decimation);
    if (folded == 1)
        return by + " by picking";
    return by + (folded < decimation ? ", " + std::to_string(folded) : "") +
           " in the spectrum";
}

std::string decimation_text(const problem& what, const recipe& how)
{
    if (!takes(what))
        return "";
    return decimation_text(what.effective_hop(), std::size_t(fold_of_filter(what, how)));
}

algorithm filter_algorithm()
{
    algorithm filter = { NAME, obstacle, candidates, cost, build };
    filter.takes = takes;
    filter.fields = convolution_fields();
    filter.spectrum_of = spectrum_of;
    return filter;
}

} // namespace gpufft
} // namespace gr
