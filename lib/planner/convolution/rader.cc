// SPDX-License-Identifier: GPL-3.0-or-later
//
// Rader's algorithm, in the one kernel of kernels/convolution/rader.cuh if a frame fits a
// block, else through global memory (rader_levels.cc).

#include "rader.h"
#include "convolution_cost.h"
#include "planner/cost.h"
#include "planner/cost_constants.h"
#include "planner/filters/polyphase_bank.h"
#include "planner/number_theory.h"
#include "planner/radices.h"
#include "planner/roots_of_unity.h"
#include "rader_levels.h"

#include <algorithm>

namespace gr {
namespace gpufft {

namespace {

constexpr std::size_t CANDIDATES = 20; // candidates of each kind

constexpr int LARGEST_OF_PASSES = 13; // the largest prime that takes few operations

// If the next tile is read ahead, threads wait for memory only where it is the
// bottleneck. A column pass reads and writes every point, and multiplies by one twiddle.
convolution_work work_of(bool ahead, int columns = 1)
{
    convolution_work work = {
        2, 3, 14, 1, ahead ? fitted::convolution::WAITS_AHEAD : 1.0
    };
    if (columns > 1) {
        work.accesses += 2;
        work.operations += butterfly_operations(columns) + 8;
        work.columns = columns;
    }
    return work;
}

std::string obstacle(const problem& what, const device_traits& card)
{
    const std::string size = "FFT size " + std::to_string(what.n);
    if (what.n < 3 || !is_prime(what.n))
        return size + " is not an odd prime, which Rader's algorithm needs";
    if (!is_smooth_to(what.n - 1, MAX_AXIS_PRIME))
        return size + " minus 1 has a prime factor above " +
               std::to_string(MAX_AXIS_PRIME) + ", which no radix has";
    if (what.n > longest_padded(point_bytes(what), card) && !has_rader_levels(what.n))
        return size + " does not fit the " + std::to_string(card.shared_bytes) +
               " bytes of shared memory of a block (at most " +
               std::to_string(longest_padded(point_bytes(what), card)) +
               "), and minus 1 it is no product of a column's and a row's length";
    return "";
}

// g^q mod n for q = 0 ... n-2.
std::vector<int> powers_of(std::uint64_t g, std::uint64_t n)
{
    std::vector<int> powers;
    std::uint64_t power = 1;
    for (std::uint64_t q = 0; q + 1 < n; ++q, power = power * g % n)
        powers.push_back(int(power));
    return powers;
}

// Sample of every point of the grid, then bin of every point.
std::vector<int> order_of(std::uint64_t n, const std::vector<int>& radices)
{
    const std::uint64_t root = primitive_root(n);
    const std::vector<long> times = times_of_points(radices, false);
    std::vector<int> order;
    for (std::uint64_t generator : { root, inverse_mod(root, n) }) {
        const std::vector<int> powers = powers_of(generator, n);
        for (long time : times)
            order.push_back(powers[time]);
    }
    return order;
}

convolution_use use_of(std::size_t n, bool ahead, const std::vector<int>& order)
{
    convolution_use use;
    use.samples = int(n);
    use.apart = true;
    use.beside = ahead ? int(n) : 0;
    use.order = order;
    return use;
}

// The samples of a tile and the grid of its convolution share one area, or with `ahead`
// have one each. A tile may start 8 bytes after a multiple of 16; a barrier is added.
std::size_t shared_bytes(const convolution_shape& shape, bool ahead)
{
    const std::size_t samples = (std::size_t(shape.n + 1) * shape.transforms + 3) / 2 * 2;
    const std::size_t grid =
        std::max(samples, std::size_t(shape.stride) * shape.transforms);
    return 16 + shape.point_bytes() * (grid + (ahead ? samples : 0));
}

template <class T>
std::vector<std::complex<T>> filter_of(std::uint64_t n, direction dir) // w^(g^-q)
{
    const roots_of_unity<T> root(n);
    std::vector<std::complex<T>> filter;
    for (int power : powers_of(inverse_mod(primitive_root(n), n), n))
        filter.push_back(dir == direction::forward ? root(power)
                                                   : std::conj(root(power)));
    return filter;
}

void add_candidates(bool ahead,
                    const problem& what,
                    const device_traits& card,
                    std::size_t limit,
                    std::vector<std::pair<double, recipe>>& found)
{
    const convolution_use use = use_of(what.n, ahead, {});
    const convolution_work work = work_of(ahead);
    for (const block_shape& shape :
         convolution_candidates(int(what.n) - 1, what, use, work, card, limit)) {
        recipe how = {
            "rader", what.n, { stockham_shape(shape) }, convolution_fields{ 1, ahead }
        };
        how.shapes.front().blocks =
            bank_blocks(what, shape.block_threads(), 0, shape.blocks, card);
        const std::size_t bytes =
            most_elements(shape.n, use) * point_bytes(what) * shape.transforms;
        if (bytes + 64 <= card.shared_bytes)
            found.emplace_back(convolution_cost(shape, what, work, 1.0, bytes, card),
                               how);
    }
}

std::vector<recipe> candidates(const problem& what, const device_traits& card)
{
    if (what.n > longest_padded(point_bytes(what), card))
        return rader_levels_candidates(what, card);
    std::vector<std::pair<double, recipe>> found;
    add_candidates(false, what, card, CANDIDATES, found);
    if (reads_ahead(what, card))
        add_candidates(true, what, card, CANDIDATES, found);
    return best_recipes(std::move(found));
}

// True if samples and grid have areas of their own: a block reads the next tile ahead, or
// a column pass leaves its rows in the grid's.
bool has_two_areas(const recipe& how)
{
    return how.prefetched() || how.shape().columns > 1;
}

convolution_shape grid_of(const recipe& how, const std::vector<int>& order)
{
    return make_convolution(how.shape(),
                            use_of(how.shape().n + 1, has_two_areas(how), order));
}

convolution_shape grid_of(const recipe& how)
{
    return grid_of(how, order_of(how.shape().n + 1, how.shape().radices));
}

// The rows behind a column pass, as frames of their own.
problem rows_behind(const problem& what, int columns)
{
    problem rows;
    rows.n = what.n / columns;
    rows.input = working_format(true, what.is_double());
    rows.batch = what.batch * columns;
    return rows;
}

double cost(const problem& what, const recipe& how, const device_traits& card)
{
    if (how.shapes.size() > 1)
        return rader_levels_cost(what, how, card) + bank_cost(what);
    const int columns = how.shape().columns;
    const convolution_shape shape = grid_of(how);
    return convolution_cost(how.shape(),
                            columns > 1 ? rows_behind(what, columns) : what,
                            work_of(how.prefetched(), columns),
                            shape.conflicts,
                            shared_bytes(shape, has_two_areas(how)),
                            card) +
           bank_cost(what, shape.block_threads(), shape.transforms);
}

// Twiddles between columns and rows of n points in all: see mixed.cuh.
template <class T>
std::vector<std::complex<T>> column_twiddles(int columns, std::uint64_t n)
{
    const roots_of_unity<T> root(n);
    std::vector<std::complex<T>> twiddles;
    const long rows = long(n) / columns;
    for (long c = 1; c < columns; ++c)
        for (long b = 0; b < rows; ++b)
            twiddles.push_back(root(b * c));
    return twiddles;
}

// The program of one launch, with tables in precision T.
template <class T>
program program_in_block(const problem& what, const recipe& how)
{
    const int columns = how.shape().columns;
    // the column pass is not the same in both directions: its samples' parts are
    // exchanged
    const problem forward = columns > 1 ? what : forward_of(what);
    const std::uint64_t n = what.n / columns;
    const std::vector<int>& radices = how.shape().radices;
    const std::vector<int> order = order_of(n, radices);
    const convolution_shape shape = grid_of(how, order);
    program made;
    launch_step step;
    step.kernel = block_kernel(shape,
                               shape.to_text(),
                               shared_bytes(shape, has_two_areas(how)),
                               "convolution/rader.cuh",
                               "rader_kernel",
                               load_text(forward),
                               store_text(forward));
    step.kernel.further = list_of(how.prefetched());
    step.kernel.persistent = how.prefetched();
    step.order = made.add(order);
    step.twiddles = made.add(convolution_twiddles<T>(radices, false));
    const direction dir = columns > 1 ? direction::forward : what.dir;
    step.spectrum = made.add(
        convolution_spectrum<T>(radices, false, filter_of<T>(n, dir), 1 / T(n - 1)));
    if (columns > 1) {
        step.kernel.header = "convolution/mixed.cuh";
        step.kernel.name = "mixed_kernel";
        step.kernel.shape = list_of(shape.to_text(), columns);
        step.kernel.frames_per_block = shape.transforms / columns;
        step.more_twiddles = made.add(column_twiddles<T>(columns, what.n));
    }
    made.steps.push_back(step);
    return made;
}

template <class T>
program program_in(const problem& what, const recipe& how)
{
    const std::uint64_t n = what.n;
    if (how.shapes.size() > 1)
        return rader_levels_program<T>(forward_of(what),
                                       how,
                                       order_of(n, { int(n - 1) }),
                                       filter_of<T>(n, what.dir));
    return program_in_block<T>(what, how);
}

program build(const problem& what, const recipe& how)
{
    return what.is_double() ? program_in<long double>(what, how)
                            : program_in<double>(what, how);
}

// Whether a thread can transform a column of that length: the radices, and products of
// small primes that take few more registers than the largest radix of such. On an H100
// (gpufft-bench), 3618 = 54 x 67 points take 1.31 times as long as a copy in one kernel,
// 2.22 in two; 5454 = 54 x 101 and 7620 = 60 x 127 take 1.58 and 1.56.
bool is_column(int length, const problem& what)
{
    constexpr int LONGEST = 64;
    return std::count(std::begin(RADICES), std::end(RADICES), length) > 0 ||
           (length <= LONGEST && is_smooth_to(length, LARGEST_OF_PASSES) &&
            !what.is_double());
}

// The lengths of a column pass that leaves rows for Rader's algorithm: primes that are
// too large for a pass of few operations.
std::vector<int> columns_of(const problem& what, const device_traits& card)
{
    std::vector<int> found;
    if (what.is_polyphase_bank() || // samples and grid, in one block
        2 * what.n > longest_padded(point_bytes(what), card))
        return found;
    for (int columns = RADICES[0]; columns > 1; --columns)
        if (what.n % columns == 0 && is_column(columns, what) &&
            what.n / columns > LARGEST_OF_PASSES &&
            obstacle(rows_behind(what, columns), card).empty())
            found.push_back(columns);
    return found;
}

} // namespace

std::vector<recipe>
rader_rows(const problem& what, const device_traits& card, std::size_t limit)
{
    std::vector<std::pair<double, recipe>> found;
    add_candidates(false, what, card, limit, found);
    return best_recipes(std::move(found), limit);
}

bool has_rader_columns(const problem& what, const device_traits& card)
{
    return !columns_of(what, card).empty();
}

std::vector<recipe> rader_candidates_with_columns(const problem& what,
                                                  const device_traits& card)
{
    constexpr std::size_t SHAPES = 8, TRIED = 12;
    std::vector<std::pair<double, recipe>> found;
    for (int columns : columns_of(what, card)) {
        const problem rows = rows_behind(what, columns);
        const convolution_use use = use_of(rows.n, true, {});
        for (bool ahead : { false, true }) {
            if (ahead && !reads_ahead(what, card))
                continue;
            const convolution_work work = work_of(ahead, columns);
            for (const block_shape& shape :
                 convolution_candidates(int(rows.n) - 1, rows, use, work, card, SHAPES)) {
                const int resident = shape.blocks * shape.transforms; // transforms
                recipe how = { "mixed",
                               what.n,
                               { stockham_shape(shape) },
                               convolution_fields{ 1, ahead } };
                stockham_shape& own = how.shapes.front();
                own.columns = columns;
                for (int frames = 1; frames <= 8; frames *= 2) {
                    own.transforms = columns * frames;
                    own.blocks = std::max(1, resident / own.transforms);
                    const std::size_t bytes =
                        most_elements(own.n, use) * point_bytes(what) * own.transforms;
                    if (own.block_threads() <= MAX_BLOCK_THREADS &&
                        bytes + 64 <= card.shared_bytes)
                        found.emplace_back(
                            convolution_cost(own, rows, work, 1.0, bytes, card), how);
                }
            }
        }
    }
    return best_recipes(std::move(found), TRIED);
}

algorithm rader_algorithm()
{
    algorithm rader = { "rader", obstacle, candidates, cost, build, true, 1.02 };
    rader.takes = is_c2c_or_bank;
    rader.ends = end_use::of_forward;
    rader.fields = convolution_fields();
    return rader;
}

} // namespace gpufft
} // namespace gr
