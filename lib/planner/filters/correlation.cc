// SPDX-License-Identifier: GPL-3.0-or-later
//
// The launches of a correlation: spectra of the blocks, correlations in a block of
// threads each, and the choice among their peaks.

#include "correlation.h"
#include "planner/cost.h"
#include "planner/exchange.h"
#include "planner/number_theory.h"
#include "planner/plain_fft.h"
#include "planner/stockham/stockham.h"
#include "problem/expression.h"
#include "problem/problem_axes.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace gr {
namespace gpufft {

namespace {

constexpr std::size_t CANDIDATES = 4;
constexpr std::uint64_t PRIME_OF_PADDED = 7; // their kernels are fast
constexpr int PEAK_BYTES = 12;               // power_peak of the kernels
constexpr std::size_t PEAK_THREADS = 128;
// Shifts that share a template in the first-level cache, and the groups of them that
// every card needs to be full.
constexpr std::size_t MOST_SHIFTS_TOGETHER = 8, GROUPS_THAT_FILL = 2048;

std::size_t templates_of(const problem& what)
{
    return std::max<std::size_t>(what.bins, 1);
}

bool is_grid(const problem& what) { return what.peaks == peak_rows::grid; }

// Shifts that a block of threads takes one after the other.
std::size_t group_of(const problem& what)
{
    const std::size_t groups = what.batch * templates_of(what) * what.shifts;
    return std::clamp(groups / GROUPS_THAT_FILL,
                      std::size_t(1),
                      std::min(MOST_SHIFTS_TOGETHER, what.shifts));
}

bool takes(const problem& what) { return what.is_correlation(); }

std::string
obstacle_of_length(std::size_t n, const problem& what, const device_traits& card)
{
    problem plain;
    plain.n = n;
    plain.batch = what.batch * what.blocks;
    return stockham_algorithm().obstacle(plain, card);
}

// Points of transforms in which no delay meets the end of a template with the samples
// that follow it: that product is a sum over fewer samples than a template has.
std::size_t least_padded(const problem& what) { return what.n + delays_of(what) - 1; }

std::size_t next_length(std::size_t least) { return next_smooth(least, PRIME_OF_PADDED); }

std::string obstacle(const problem& what, const device_traits& card)
{
    const std::string found = obstacle_of_length(what.n, what, card);
    const bool pads = !found.empty() && what.product.empty();
    return pads && obstacle_of_length(next_length(least_padded(what)), what, card).empty()
               ? ""
               : found;
}

// Points of the transforms: those of a template if there are kernels for them.
std::vector<std::size_t> lengths_of(const problem& what, const device_traits& card)
{
    if (obstacle_of_length(what.n, what, card).empty())
        return { what.n };
    const std::size_t least = least_padded(what);
    return { next_length(least), next_smooth(least, 2) };
}

// Butterflies read and write by themselves: kernels/filters/correlation.cuh has no tiles.
std::vector<stockham_shape> direct_shapes(std::size_t n, const device_traits& card)
{
    stockham_shape like;
    like.n = int(n);
    return best_shapes(like, CANDIDATES, card, [&](stockham_shape& shape) {
        shape.staged_load = shape.staged_store = false;
        shape.blocks = 0; // correlations choose their own
        return estimated_cost(shape, card);
    });
}

// Blocks that fit a multiprocessor. With fewer registers than this the compiler spills
// them or reads fewer points at a time (NVRTC 12 for sm_90, lengths 2048 ... 8192).
int blocks_of_correlations(const problem& what,
                           const stockham_shape& shape,
                           const device_traits& card)
{
    constexpr int OTHERS = 96, FEW_POINTS = 16;
    const bool holds_sums = what.blocks > 1 && shape.points() > FEW_POINTS;
    const int registers =
        OTHERS + 2 * shape.points() + (holds_sums ? 3 * shape.results() : 0);
    return std::max(1, card.registers / (registers * whole_warps(shape.block_threads())));
}

std::size_t correlation_bytes(const stockham_shape& shape)
{
    const std::size_t exchange =
        std::size_t(shape.transforms) * shape.stride * shape.point_bytes();
    return std::max(exchange, shape.shared_bytes()) +
           std::size_t(shape.block_threads()) * PEAK_BYTES;
}

std::vector<recipe> candidates(const problem& what, const device_traits& card)
{
    std::vector<recipe> found;
    for (std::size_t n : lengths_of(what, card)) {
        const std::vector<stockham_shape> spectra = direct_shapes(n, card);
        for (stockham_shape shape : spectra) {
            if (correlation_bytes(shape) > card.shared_bytes)
                continue;
            shape.blocks = blocks_of_correlations(what, shape, card);
            for (int more : { 0, 1 }) { // blocks, which a measurement may prefer
                shape.blocks += more;
                found.push_back({ "correlation", n, { spectra.front(), shape } });
            }
        }
    }
    return found;
}

// The samples of a frame pass through memory once; each transform costs what it does in a
// call of its own, without the memory.
double cost(const problem& what, const recipe& how, const device_traits& card)
{
    const double transforms =
        double(templates_of(what) * what.shifts * how.n) / double(what.taps * what.n);
    return 1 + transforms * estimated_cost(how.shapes.back(), card);
}

launch_step spectra_step(const problem& what,
                         const recipe& how,
                         const shift_places& shifts,
                         program& made)
{
    launch_step step;
    step.kernel = block_kernel(how.shapes.front(),
                               shape_text(how.shapes.front()),
                               how.shapes.front().shared_bytes(),
                               "filters/correlation.cuh",
                               "stockham_kernel",
                               text_of("correlation_load",
                                       format_text(what),
                                       what.n,
                                       what.taps,
                                       what.blocks,
                                       shifts.fractions.size(),
                                       shifts.is_mixed()),
                               text_of("store", "as_complex", false, false));
    step.to = place::scratch_0;
    step.lines = what.blocks * shifts.fractions.size();
    step.twiddles = made.add(stockham_twiddles(how.shapes.front()));
    if (shifts.is_mixed())
        step.chirp = made.add(shifts.turns(what));
    step.is_scaled = false;
    return step;
}

std::vector<int> order_of(const shift_places& shifts)
{
    std::vector<int> order;
    for (const shift_places::place& each : shifts.places)
        for (std::size_t number : { each.shift, each.fraction, each.bin })
            order.push_back(int(number));
    return order;
}

std::string product_text(const problem& what)
{
    return what.product.empty() ? "plain_product"
                                : text_of("user_spectrum_product", product_type(what));
}

program build(const problem& what, const recipe& how)
{
    const shift_places shifts(what, how.n == what.n);
    const std::size_t group = group_of(what), templates = templates_of(what);
    const std::string bank = text_of("correlation_shape",
                                     templates,
                                     what.shifts,
                                     shifts.fractions.size(),
                                     what.blocks,
                                     delays_of(what),
                                     group);
    program made;
    made.works_in_place = false;
    made.steps.push_back(spectra_step(what, how, shifts, made));
    made.scratch_points[0] = what.blocks * shifts.fractions.size() * how.n;

    const stockham_shape& shape = how.shapes.back();
    launch_step correlations;
    correlations.kernel =
        block_kernel(shape,
                     list_of(shape_text(shape), bank, is_grid(what), product_text(what)),
                     correlation_bytes(shape),
                     "filters/correlation.cuh",
                     "correlation_kernel");
    correlations.from = place::scratch_0;
    correlations.lines = templates * ((what.shifts + group - 1) / group);
    correlations.twiddles = made.add(stockham_twiddles(shape));
    correlations.spectrum = OF_WINDOW;
    correlations.order = made.add(order_of(shifts));
    made.steps.push_back(correlations);
    if (is_grid(what))
        return made;

    constexpr std::size_t POINTS_OF_CELL = 2;
    const bool best = what.peaks == peak_rows::best;
    made.steps.back().to = place::rows;
    made.scratch_points[int(place::rows) - int(place::scratch_0)] =
        POINTS_OF_CELL * templates * what.shifts;
    launch_step peaks;
    peaks.kernel.header = "filters/correlation.cuh";
    peaks.kernel.name = "correlation_peak_kernel";
    peaks.kernel.shape = list_of(bank, best, PEAK_THREADS);
    peaks.kernel.block_threads = int(PEAK_THREADS);
    peaks.kernel.shared_bytes = PEAK_THREADS * PEAK_BYTES;
    peaks.from = place::rows;
    peaks.lines = best ? 1 : templates;
    made.steps.push_back(peaks);
    return made;
}

} // namespace

shift_places::shift_places(const problem& what, bool has_whole_bins)
{
    constexpr long double STEPS = 1L << 26; // of a bin: finer ones are rounding
    std::map<long, std::size_t> known;
    for (std::size_t d = 0; d < what.shifts; ++d) {
        const long double band = (long double)(what.f_stop) - what.f_start;
        const long double turns = what.f_start + band * d / what.shifts; // per sample
        const long double bins = (turns - std::floor(turns)) * what.n;
        const long double steps = std::round(bins * STEPS) / STEPS;
        const long double whole = has_whole_bins ? std::floor(steps) : 0;
        const long double fraction = steps - whole;
        const auto [found, is_new] =
            known.emplace(long(fraction * STEPS), fractions.size());
        if (is_new)
            fractions.push_back(fraction);
        places.push_back({ d, found->second, std::size_t(whole) % what.n });
    }
    std::stable_sort(places.begin(), places.end(), [](const place& a, const place& b) {
        return a.fraction < b.fraction;
    });
}

std::vector<std::complex<long double>> shift_places::turns(const problem& what) const
{
    const long double turn = -2 * std::acos(-1.0L) / (long double)(what.n);
    std::vector<std::complex<long double>> found;
    for (long double fraction : fractions)
        for (std::size_t m = 0; m < what.taps * what.n; ++m) {
            // whole turns are taken off first, so that long blocks stay exact
            const long double angle = turn * std::fmod(fraction * m, (long double)what.n);
            found.emplace_back(std::cos(angle), std::sin(angle));
        }
    return found;
}

std::vector<std::complex<double>>
template_spectra(const problem& what, std::size_t n, const std::vector<double>& window)
{
    // an expression sees the spectrum itself
    const double points = what.product.empty() ? double(n) : 1.0;
    std::vector<std::complex<double>> spectra;
    for (std::size_t first = 0; first < window.size() / 2; first += what.n) {
        std::vector<std::complex<double>> one(n);
        const std::size_t before = n > what.n ? delays_of(what) - 1 : 0;
        for (std::size_t i = 0; i < what.n + before; ++i) {
            const std::size_t at = first + (i + what.n - before) % what.n;
            one[(i + n - before) % n] = { window[2 * at], window[2 * at + 1] };
        }
        for (const std::complex<double>& bin : plain_fft(one))
            spectra.push_back(std::conj(bin) / points);
    }
    return spectra;
}

algorithm correlation_algorithm()
{
    algorithm correlation = { "correlation", obstacle, candidates, cost, build };
    correlation.takes = takes;
    correlation.spectrum_of =
        [](const problem& what, const recipe& how, const std::vector<double>& window) {
            return template_spectra(what, how.n, window);
        };
    return correlation;
}

} // namespace gpufft
} // namespace gr
