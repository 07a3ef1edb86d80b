// SPDX-License-Identifier: GPL-3.0-or-later
//
// Recipes and launches of kernels/filter.cuh: parts of the stream as long as pays, in one
// kernel where a part fits a block, else through global memory (bluestein_levels.cc).

#include "filter.h"
#include "bluestein_levels.h"
#include "convolution.h"
#include "convolution_levels.h"
#include "number_theory.h"

#include <algorithm>

namespace gr {
namespace gpufft {

namespace {

constexpr const char *NAME = "overlap-save", *HEADER = "filter.cuh";
constexpr std::size_t LONGEST = std::size_t(1) << 26; // taps
constexpr std::size_t CANDIDATES = 24;
constexpr std::size_t MAX_OF_LENGTH = 3;
constexpr std::size_t SHORTEST_PART = 256;
constexpr std::size_t MOST_STRETCH = 16; // of a part over the taps, through global memory
constexpr int MAX_FRAMES = 8;            // a block, each read by its threads
constexpr convolution_work WORK = { 2, 0, 12, 0, 1.0 };

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

convolution_use use_of(std::size_t length)
{
    convolution_use use;
    use.samples = int(length);
    use.linear = true;
    use.apart = true;
    use.most_frames = MAX_FRAMES;
    return use;
}

// Parts that one complex convolution takes.
std::size_t parts_together(const problem& what) { return is_complex(what.input) ? 1 : 2; }

std::size_t outputs_together(const problem& what, std::size_t length)
{
    return parts_together(what) * outputs_of_part(what, length);
}

// What the estimates of convolutions take for their frames: samples that are new in a
// part.
problem like_frames(const problem& what, std::size_t length)
{
    problem like;
    like.n = outputs_of_part(what, length) * what.effective_hop();
    like.batch = (what.batch - 1) / outputs_together(what, length) + 1;
    return like;
}

// Samples that are read again, of those read and written: half of them are in the cache.
double cost_of_overlap(const problem& what, std::size_t length)
{
    const double step = double(outputs_of_part(what, length) * what.effective_hop());
    return 0.5 * (double(length) - step) / (2 * step);
}

// What of its twiddles and of the taps' spectrum a block's reads do not find in the cache
// that shared memory leaves of a multiprocessor. Measured by bench_recipes on an H200
// with 1001 taps: of 4096 points each 0.86 ms with five blocks, 0.96 ms with six.
double cost_of_tables(const problem& what,
                      const stockham_shape& shape,
                      std::size_t shared_bytes,
                      const device_traits& card)
{
    constexpr double COST = 0.3, NOT_OF_ONE_BLOCK = 29 << 10;
    constexpr double GRANULES[] = {
        64 << 10, 100 << 10, 132 << 10, 164 << 10, 196 << 10
    };
    const double all = double(card.shared_bytes) + NOT_OF_ONE_BLOCK;
    double shared = double(card.shared_bytes);
    for (double granule : GRANULES)
        if (double(std::max(shape.blocks, 1) * (shared_bytes + 1024)) <= granule)
            shared = std::min(shared, granule);
    const double tables = 2.0 * double(shape.n) * sizeof(std::complex<float>);
    return COST * std::max(0.0, 1 - (all - shared) / tables) * double(shape.n) /
           double(outputs_of_part(what, shape.n) * what.effective_hop());
}

std::size_t longest_of_block(const device_traits& card)
{
    return card.shared_bytes / 17 * 16 / sizeof(std::complex<float>);
}

// Lengths of parts that are worth a try: 2^k, 3 2^k and 5 2^k.
std::vector<std::size_t> lengths_from(std::size_t least, std::size_t most)
{
    std::vector<std::size_t> lengths;
    for (std::size_t odd : { 1, 3, 5 })
        for (std::size_t length = odd; length <= most; length *= 2)
            if (length >= least)
                lengths.push_back(length);
    std::sort(lengths.begin(), lengths.end());
    return lengths;
}

double cost(const problem& what, const recipe& how, const device_traits& card)
{
    if (how.shapes.size() > 1) {
        const std::size_t length = convolution_length(how);
        return bluestein_levels_cost(like_frames(what, length), how, card) +
               cost_of_overlap(what, length);
    }
    const std::size_t length = how.shape().n;
    const convolution_shape shape = make_convolution(how.shape(), use_of(length));
    return convolution_cost(how.shape(),
                            like_frames(what, length),
                            WORK,
                            shape.conflicts,
                            shape.shared_bytes(),
                            card) +
           cost_of_tables(what, how.shape(), shape.shared_bytes(), card) +
           cost_of_overlap(what, length);
}

typedef std::vector<std::pair<double, recipe>> ranked_recipes;

void add_in_block(const problem& what,
                  std::size_t length,
                  const device_traits& card,
                  ranked_recipes& found)
{
    const convolution_use use = use_of(length);
    const problem like = like_frames(what, length);
    for (stockham_shape& shape :
         convolution_candidates(int(length), like, use, WORK, card, MAX_OF_LENGTH)) {
        const std::size_t bytes =
            most_elements(shape.n, use) * point_bytes(like) * shape.transforms;
        const int most = shape.blocks; // fewer leave more of the cache for the tables
        for (; shape.blocks > 0 && shape.blocks >= most - 1; --shape.blocks) {
            recipe how;
            how.algorithm = NAME;
            how.n = what.n;
            how.shapes = { shape };
            found.emplace_back(convolution_cost(shape, like, WORK, 1.0, bytes, card) +
                                   cost_of_tables(what, shape, bytes, card) +
                                   cost_of_overlap(what, length),
                               how);
        }
    }
}

std::vector<recipe> candidates(const problem& what, const device_traits& card)
{
    ranked_recipes found;
    const std::size_t least = std::max(what.n + what.n / 4, SHORTEST_PART);
    for (std::size_t length : lengths_from(least, longest_of_block(card)))
        add_in_block(what, length, card, found);
    if (what.n >= longest_of_block(card) / 4)
        for (std::size_t length : lengths_from(least, MOST_STRETCH * what.n))
            for (recipe how : bluestein_levels_candidates(
                     NAME, like_frames(what, length), length, card)) {
                how.n = what.n;
                found.emplace_back(cost(what, how, card), how);
            }
    return best_recipes(std::move(found), CANDIDATES);
}

std::string arguments_of(const problem& what, std::size_t length, bool loads)
{
    const std::size_t outputs = outputs_of_part(what, length), hop = what.effective_hop();
    return std::string(loads ? "filter_load" : "filter_store") +
           (is_complex(what.input) ? "<" : "_real<") +
           std::to_string(loads ? what.n : outputs) + ", " +
           std::to_string(loads ? outputs * hop : hop) + ">";
}

program build_in_block(const problem& what, const recipe& how)
{
    const std::size_t length = how.shape().n;
    const convolution_shape shape = make_convolution(how.shape(), use_of(length));
    program made;
    launch_step step;
    step.kernel.header = HEADER;
    step.kernel.expression = "filter_kernel<" + shape.to_text() + ", " +
                             arguments_of(what, length, true) + ", " +
                             arguments_of(what, length, false) + ">";
    step.kernel.block_threads = shape.block_threads();
    step.kernel.frames_per_block = shape.frames;
    step.kernel.shared_bytes = shape.shared_bytes();
    step.twiddles = made.add(convolution_twiddles<double>(shape.radices, true));
    step.spectrum = OF_WINDOW;
    made.steps.push_back(step);
    return made;
}

program build(const problem& what, const recipe& how)
{
    const bool in_block = how.shapes.size() == 1;
    const std::size_t length = in_block ? how.shape().n : convolution_length(how);
    program made = in_block ? build_in_block(what, how)
                            : bluestein_levels_program(
                                  how,
                                  levels_ends<double>{ HEADER,
                                                       arguments_of(what, length, true),
                                                       arguments_of(what, length, false),
                                                       length,
                                                       {},
                                                       {} });
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

algorithm filter_algorithm()
{
    algorithm filter = { NAME, obstacle, candidates, cost, build };
    filter.takes = takes;
    filter.spectrum_of = spectrum_of;
    return filter;
}

} // namespace gpufft
} // namespace gr
