// SPDX-License-Identifier: GPL-3.0-or-later
//
// Bluestein's algorithm, in one of the two kernels of kernels/convolution/bluestein.cuh
// if a frame fits a block, else through global memory (bluestein_levels.cc). A
// convolution of 2 N - 1 points or more is computed as a whole, a shorter one by halves.

#include "bluestein.h"
#include "bluestein_levels.h"
#include "convolution_cost.h"
#include "convolution_levels.h"
#include "planner/cost.h"
#include "planner/cost_constants.h"
#include "planner/filters/polyphase_bank.h"
#include "planner/in_threads.h"
#include "planner/number_theory.h"
#include "planner/plain_fft.h"
#include "planner/roots_of_unity.h"

#include <algorithm>
#include <cmath>

namespace gr {
namespace gpufft {

namespace {

constexpr std::size_t CANDIDATES = 14;   // candidates of each kind
constexpr std::size_t MAX_OF_LENGTH = 4; // of these
constexpr int MAX_PRIME = 13;            // of the convolution's length
constexpr double MAX_STRETCH = 1.3;      // the convolution's length, divided by the least
constexpr std::size_t MAX_LENGTHS = 24;  // lengths tried
constexpr double MAX_LOSS = 1.3;         // a candidate's cost, divided by the lowest
constexpr int MAX_FRAMES_OF_WHOLE = 8;   // in a block; each is read by threads of its own
constexpr convolution_work HALVES = { 4, 7, 200, 0, 1.0, true };

convolution_work work_of(bool whole, bool ahead)
{
    if (!whole)
        return HALVES;
    convolution_work work = {
        2, ahead ? 2.0 : 0.0, 20, 0, ahead ? fitted::convolution::WAITS_AHEAD : 1.0
    };
    work.reads_in_rounds = !ahead;
    return work;
}

// The longest frame that fits a block.
std::size_t longest_fused(const problem& what, const device_traits& card)
{
    return card.shared_bytes / 17 * 8 / point_bytes(what);
}

constexpr std::size_t LONGEST = MAX_FFT_SIZE / 2; // the convolution is twice as long

std::string obstacle(const problem& what, const device_traits&)
{
    if (what.n < 2 || what.n > LONGEST)
        return "FFT size is " + std::to_string(what.n) +
               ", but Bluestein's algorithm is for 2 ... " + std::to_string(LONGEST);
    return "";
}

// exp(-pi j m^2 / n), m = 0 ... n-1, with m^2 mod 2n in integers.
template <class T>
std::vector<std::complex<T>> exact_chirp(long n)
{
    const roots_of_unity<T> root(2 * n);
    return table_of<std::complex<T>>(n, [&](long m) { return root(m * m); });
}

// The same with the angle in single precision, for problems of single precision.
std::vector<std::complex<double>> inexact_chirp(long n)
{
    std::vector<std::complex<double>> chirp;
    for (long m = 0; m < n; ++m) {
        const float angle = float(M_PI) * float(m) * float(m) / float(n);
        chirp.emplace_back(std::cos(angle), -std::sin(angle));
    }
    return chirp;
}

bool is_whole(std::size_t n, std::size_t length) { return length >= 2 * n - 1; }

convolution_use use_of(std::size_t n, bool whole, bool ahead)
{
    convolution_use use;
    use.samples = int(n);
    use.linear = true;
    use.apart = whole;
    use.beside = ahead ? int(n) : 0;
    if (whole)
        use.most_frames = MAX_FRAMES_OF_WHOLE;
    return use;
}

convolution_shape shape_of(const recipe& how)
{
    const std::size_t length = how.shape().n;
    return make_convolution(how.shape(),
                            use_of(how.n, is_whole(how.n, length), how.prefetched()));
}

std::size_t bluestein_shared_bytes(const recipe& how, const convolution_shape& shape)
{
    if (!is_whole(how.n, shape.n))
        return shape.shared_bytes();
    const std::size_t samples = (how.n * shape.transforms + 3) / 2 * 2;
    return 16 + shape.shared_bytes() +
           (how.prefetched() ? shape.point_bytes() * samples : 0);
}

typedef std::vector<std::pair<double, recipe>> ranked_recipes;

// Adds the best recipes of one kind: the convolution as a whole, or by halves.
void add_kind(const recipe& like,
              bool whole,
              const problem& what,
              const device_traits& card,
              std::size_t limit,
              ranked_recipes& all)
{
    const convolution_use use = use_of(what.n, whole, like.prefetched());
    const convolution_work work = work_of(whole, like.prefetched());
    const std::uint64_t least =
        std::max<std::uint64_t>(4, whole ? 2 * what.n - 1 : what.n);
    const std::size_t of_length = std::min(limit, MAX_OF_LENGTH);
    ranked_recipes found;
    double lowest = all.empty() ? NO_LIMIT : all.front().first;
    std::uint64_t length = least;
    for (std::size_t i = 0; i < MAX_LENGTHS; ++i, ++length) {
        length = next_smooth(length, MAX_PRIME);
        if ((i > 3 && double(length) > MAX_STRETCH * double(least)) ||
            (!whole && is_whole(what.n, length)))
            break;
        const double last = found.size() == limit ? found.back().first : NO_LIMIT;
        const double most_cost = std::min(last, MAX_LOSS * lowest);
        for (const block_shape& shape : convolution_candidates(
                 int(length), what, use, work, card, of_length, most_cost)) {
            recipe how = like;
            how.shapes = { stockham_shape(shape) };
            how.shapes.front().blocks =
                bank_blocks(what, shape.block_threads(), 0, shape.blocks, card);
            const std::size_t bytes =
                most_elements(shape.n, use) * point_bytes(what) * shape.transforms;
            found.emplace_back(convolution_cost(shape, what, work, 1.0, bytes, card),
                               how);
        }
        keep_best(found, limit);
        if (!found.empty())
            lowest = std::min(lowest, found.front().first);
    }
    all.insert(all.end(), found.begin(), found.end());
    keep_best(all, all.size());
}

// Those that do not read ahead.
ranked_recipes waiting_recipes(const recipe& like,
                               const problem& what,
                               const device_traits& card,
                               std::size_t limit)
{
    ranked_recipes found;
    add_kind(like, true, what, card, limit, found);
    add_kind(like, false, what, card, limit, found);
    return found;
}

std::vector<recipe>
candidates_named(const char* name, const problem& what, const device_traits& card)
{
    if (what.n > longest_fused(what, card))
        return bluestein_levels_candidates(name, what, 2 * what.n - 1, card);
    recipe how = { name, what.n, {}, convolution_fields() };
    ranked_recipes found = waiting_recipes(how, what, card, CANDIDATES);
    if (reads_ahead(what, card)) {
        how.set<convolution_fields>().prefetched = true;
        add_kind(how, true, what, card, CANDIDATES, found);
    }
    ranked_recipes by_clusters;
    for (const auto& [rank, direct] : found)
        if (!direct.prefetched())
            for (const recipe& shared : in_clusters(direct, what, card))
                by_clusters.emplace_back(rank, shared);
    found.insert(found.end(), by_clusters.begin(), by_clusters.end());
    return best_recipes(std::move(found));
}

std::vector<recipe> candidates(const problem& what, const device_traits& card)
{
    return candidates_named("bluestein", what, card);
}

std::vector<recipe> inexact_candidates(const problem& what, const device_traits& card)
{
    return candidates_named("bluestein-inexact", what, card);
}

double cost(const problem& what, const recipe& how, const device_traits& card)
{
    if (how.shapes.size() > 1)
        return bluestein_levels_cost(what, how, card) + bank_cost(what);
    const convolution_shape shape = shape_of(how);
    const bool whole = is_whole(how.n, shape.n);
    return convolution_cost(how.shape(),
                            what,
                            work_of(whole, how.prefetched()),
                            shape.conflicts,
                            bluestein_shared_bytes(how, shape),
                            card) +
           bank_cost(what,
                     shape.block_threads(),
                     whole && !how.prefetched() && how.cluster() == 1 ? 1
                                                                      : shape.transforms,
                     how.cluster());
}

// Lower bound on the points of a frame that pass through shared memory: two transforms of
// the whole convolution, or four of its halves.
double least_exchanged(double n)
{
    const auto axes = [](double length) {
        return std::max(2.0, std::ceil(std::log(length) / std::log(MAX_AXIS) - 1e-9));
    };
    return std::min(2 * axes(2 * n - 1) * (2 * n - 1), 4 * axes(n) * n);
}

// Beyond one block, twice as many points go through memory, at least three times.
double least_cost(const problem& what, const device_traits& card)
{
    launch_work least;
    least.blocks = least.resident = double(what.batch);
    least.exchanged = least_exchanged(double(what.n));
    const double n = double(what.n);
    if (what.n <= longest_fused(what, card))
        return launch_cost(
            std::min(least_convolution_cost(n, 2 * n - 1, work_of(true, true), card),
                     least_convolution_cost(n, n, HALVES, card)),
            least,
            what,
            card);
    least.exchanged *= double(what.batch) / card.multiprocessors; // evenly spread
    least.blocks = 1;
    return launch_cost(4.0, least, what, card) + least_launch_cost(0, 2, what);
}

// c[m], c[m] v^m, c[m] v^-m with v = exp(-pi j / length).
template <class T>
std::vector<std::complex<T>> chirp_table(const std::vector<std::complex<T>>& chirp,
                                         long length)
{
    const roots_of_unity<T> root(2 * length);
    std::vector<std::complex<T>> table;
    for (int power : { 0, 1, -1 })
        for (long m = 0; m < long(chirp.size()); ++m)
            table.push_back(chirp[m] * root(power < 0 ? 2 * length - m : power * m));
    return table;
}

// Spectra of the filter conj(c), of its even bins and of its odd ones.
template <class T>
std::vector<std::complex<T>> spectra(const std::vector<std::complex<T>>& chirp,
                                     const std::vector<int>& radices,
                                     long length)
{
    const roots_of_unity<T> root(2 * length);
    std::vector<std::complex<T>> even(length), odd(length);
    for (long m = 0; m < long(chirp.size()); ++m) {
        const std::complex<T> value = std::conj(chirp[m]);
        even[m] += value;
        odd[m] += value * root(m);
        if (m > 0) { // at 2 length - m
            even[length - m] += value;
            odd[length - m] -= value * root(length - m);
        }
    }
    const T scale = T(0.5) / T(length);
    std::vector<std::complex<T>> table = convolution_spectrum(radices, true, even, scale);
    for (const std::complex<T>& value : convolution_spectrum(radices, true, odd, scale))
        table.push_back(value);
    return table;
}

// The filter conj(c) of a cyclic convolution of `length` points.
template <class T>
std::vector<std::complex<T>> filter_of(const std::vector<std::complex<T>>& chirp,
                                       std::uint64_t length)
{
    const long n = long(chirp.size()), points = long(length);
    return table_of<std::complex<T>>(points, [&](long m) {
        const long at = std::min(m, points - m);
        return at < n ? std::conj(chirp[at]) : std::complex<T>();
    });
}

template <class T>
program build_in_block(const problem& what,
                       const recipe& how,
                       const std::vector<std::complex<T>>& chirp)
{
    const problem forward = forward_of(what);
    const convolution_shape shape = shape_of(how);
    const bool whole = is_whole(how.n, shape.n);
    program made;
    launch_step step;
    const bool by_cluster = how.cluster() > 1;
    step.kernel = block_kernel(shape,
                               list_of(shape.to_text(), what.n),
                               bluestein_shared_bytes(how, shape),
                               by_cluster ? "convolution/bluestein_polyphase.cuh"
                                          : "convolution/bluestein.cuh",
                               std::string(whole ? "bluestein_whole" : "bluestein") +
                                   (by_cluster ? "_bank_kernel" : "_kernel"),
                               load_text(forward),
                               store_text(forward));
    if (by_cluster)
        step.kernel.further = std::to_string(how.cluster());
    else if (whole)
        step.kernel.further = list_of(how.prefetched());
    step.kernel.cluster = how.cluster();
    step.kernel.persistent = how.prefetched();
    step.twiddles = made.add(convolution_twiddles<T>(shape.radices, true));
    if (whole) {
        step.chirp = made.add(chirp);
        step.spectrum = made.add(convolution_spectrum(
            shape.radices, true, filter_of(chirp, shape.n), 1 / T(shape.n)));
    } else {
        step.chirp = made.add(chirp_table(chirp, shape.n));
        step.spectrum = made.add(spectra(chirp, shape.radices, shape.n));
    }
    made.steps.push_back(step);
    return made;
}

template <class T>
program
program_by(const problem& what, const recipe& how, std::vector<std::complex<T>> chirp)
{
    if (what.dir == direction::inverse)
        for (std::complex<T>& value : chirp)
            value = std::conj(value);
    const problem forward = forward_of(what);
    if (how.shapes.size() == 1)
        return build_in_block(what, how, chirp);
    std::vector<std::complex<T>> filter = filter_of(chirp, convolution_length(how));
    return bluestein_levels_program(how,
                                    levels_ends<T>{ "convolution/bluestein_levels.cuh",
                                                    load_text(forward),
                                                    store_text(forward),
                                                    what.n,
                                                    std::move(chirp),
                                                    std::move(filter) });
}

program build(const problem& what, const recipe& how)
{
    const long n = long(what.n);
    return what.is_double() ? program_by(what, how, exact_chirp<long double>(n))
                            : program_by(what, how, exact_chirp<double>(n));
}

program build_inexact(const problem& what, const recipe& how)
{
    return program_by(what, how, inexact_chirp(long(what.n)));
}

} // namespace

std::vector<recipe>
bluestein_rows(const problem& what, const device_traits& card, std::size_t limit)
{
    const recipe like = { "bluestein", what.n, {}, convolution_fields() };
    return best_recipes(waiting_recipes(like, what, card, limit), limit);
}

algorithm bluestein_algorithm()
{
    algorithm bluestein = { "bluestein", obstacle, candidates, cost, build };
    bluestein.least_cost_of = least_cost;
    bluestein.takes = is_c2c_or_bank;
    bluestein.ends = end_use::of_forward;
    bluestein.fields = convolution_fields();
    return bluestein;
}

algorithm bluestein_inexact_algorithm()
{
    algorithm inexact = { "bluestein-inexact", obstacle, inexact_candidates, cost,
                          build_inexact,       false };
    inexact.fields = convolution_fields();
    inexact.takes = [](const problem& what) {
        return is_plain_c2c(what) && !what.is_double();
    };
    return inexact;
}

} // namespace gpufft
} // namespace gr
