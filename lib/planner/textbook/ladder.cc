// SPDX-License-Identifier: GPL-3.0-or-later
//
// The radix-R ladder (Govindaraju et al., SC'08, section IV.A; Bainville, "OpenCL Fast
// Fourier Transform", 2010): one launch per radix, each reading and writing all points.
// The passes alternate between the output and one scratch of the data's size, so that the
// input is never written.

#include "ladder.h"
#include "planner/cost.h"
#include "planner/cost_constants.h"
#include "planner/roots_of_unity.h"

#include <cmath>

namespace gr {
namespace gpufft {

namespace {

constexpr int THREADS = 128;  // of a block, unless a recipe says otherwise
constexpr int MAX_RADIX = 16; // of the passes that finish a length
constexpr int EXCHANGE_GAP =
    16; // points after which kernels/textbook/ladder_exchange.cuh leaves one
using namespace fitted::ladder;

// CUDA 13.0's assembler crashes on the last pass of 2^30 points for these cards.
constexpr int LIMITED_ARCHITECTURE = 120;
constexpr std::size_t LIMITED_SIZE = std::size_t(1) << 29;

// What follows "ladder8-" in a name; empty without a dash.
std::string kind_of(const std::string& name)
{
    const std::size_t dash = name.find('-');
    return dash == std::string::npos ? "" : name.substr(dash + 1);
}

bool has_exchange(const std::string& name) { return kind_of(name) == "exchange"; }

// The policy of a name: "ladder8-table" has table_twiddles.
std::string twiddles_of(const std::string& name)
{
    const std::string kind = kind_of(name);
    if (kind.empty() || has_exchange(name))
        return "computed_twiddles";
    return (kind == "powers" ? "power" : kind) + "_twiddles";
}

// Whether a pass of an exchanging ladder gathers a block's outputs: they follow each
// other in memory, but those of one butterfly lie less than a block apart.
bool exchanges(std::size_t butterflies,
               std::size_t radix,
               std::size_t span,
               std::size_t threads)
{
    return span < threads && threads % span == 0 && butterflies % threads == 0 &&
           radix * threads % EXCHANGE_GAP == 0;
}

std::string obstacle(const problem& what, const device_traits& card)
{
    if (ladder_radices(what.n, 2).empty())
        return "FFT size " + std::to_string(what.n) +
               " has a prime factor above 13, which no radix has";
    if (card.architecture >= LIMITED_ARCHITECTURE && what.n > LIMITED_SIZE)
        return "FFT size " + std::to_string(what.n) + " is above " +
               std::to_string(LIMITED_SIZE) + ", the longest on this card";
    return "";
}

template <int Radix>
std::vector<recipe> candidates(const problem& what, const device_traits&)
{
    stockham_shape shape;
    shape.n = int(what.n);
    shape.radices = ladder_radices(what.n, Radix);
    shape.threads = THREADS;
    shape.is_double = what.is_double();
    const std::string name =
        what.algorithm.empty() ? "ladder" + std::to_string(Radix) : what.algorithm;
    return { recipe{ name, what.n, { shape } } };
}

double cost(const problem& what, const recipe& how, const device_traits& card)
{
    double sum = 0;
    for (int radix : how.shape().radices) {
        stockham_shape pass; // of a block: one butterfly a thread
        pass.n = radix;
        pass.columns = pass.threads = THREADS;
        pass.radices = { radix };
        pass.is_double = what.is_double();
        const double blocks =
            std::ceil(double(what.n) / radix * double(what.batch) / THREADS);
        launch_work work = work_of_tile(pass, blocks, card);
        work.gathers = true; // reads and writes in strides
        const bool reads_apart = std::size_t(radix) == what.n;
        if (reads_apart)
            work.exchanged += ACCESSES_APART * work.points;
        sum += launch_cost(PASS_COST + COST_APART * reads_apart, work, what, card);
    }
    return sum;
}

// exp(-2 pi i e / n), e = 0 ... n-1.
std::vector<std::complex<long double>> root_table(std::size_t n)
{
    const roots_of_unity<long double> root(n);
    std::vector<std::complex<long double>> roots;
    for (std::size_t e = 0; e < n; ++e)
        roots.push_back(root(long(e)));
    return roots;
}

kernel_instance pass_kernel(const recipe& how,
                            std::size_t pass,
                            const std::string& load,
                            const std::string& store)
{
    const std::vector<int>& radices = how.shape().radices;
    std::size_t span = 1;
    for (std::size_t p = 0; p < pass; ++p)
        span *= radices[p];
    const std::size_t butterflies = how.n / radices[pass];
    const int threads = how.shape().threads;
    kernel_instance kernel;
    kernel.header = "textbook/ladder.cuh";
    kernel.name = "ladder_kernel";
    kernel.shape =
        list_of(how.n, radices[pass], span, threads, twiddles_of(how.algorithm));
    kernel.load = load;
    kernel.store = store;
    kernel.block_threads = threads;
    if (has_exchange(how.algorithm) &&
        exchanges(butterflies, std::size_t(radices[pass]), span, std::size_t(threads))) {
        kernel.header = "textbook/ladder_exchange.cuh";
        kernel.name = "ladder_exchange_kernel";
        const std::size_t points = std::size_t(radices[pass]) * std::size_t(threads);
        kernel.shared_bytes = (points + points / EXCHANGE_GAP) * 2 * sizeof(float);
    }
    if (butterflies < std::size_t(threads))
        kernel.frames_per_block = threads / int(butterflies);
    else
        kernel.blocks_per_frame = int(divide_up(butterflies, std::size_t(threads)));
    return kernel;
}

// Passes alternate between two buffers. One is the output, if it can hold complex points.
program build(const problem& what, const recipe& how)
{
    program made;
    const std::size_t passes = how.shape().radices.size();
    const bool is_complex = what.output_item_bytes() == point_bytes(what);
    const place second = is_complex ? place::output : place::scratch_1;
    made.scratch_points[0] = passes > 1 ? how.n : 0;
    made.works_in_place = passes == 1 || passes % 2 == 0 || !is_complex;
    made.scratch_points[1] = passes > 2 && !is_complex ? how.n : 0;
    const int table = twiddles_of(how.algorithm) == "table_twiddles" && passes > 1
                          ? made.add(root_table(how.n))
                          : -1;
    place from = place::input;
    for (std::size_t p = 0; p < passes; ++p) {
        const bool is_first = p == 0, is_last = p + 1 == passes;
        launch_step step;
        step.kernel = pass_kernel(how,
                                  p,
                                  is_first ? load_text(what) : "load_pass",
                                  is_last ? store_text(what) : "store_pass");
        step.from = from;
        step.to = is_last                 ? place::output
                  : (passes - p) % 2 == 0 ? place::scratch_0
                                          : second;
        step.twiddles = table;
        from = step.to;
        made.steps.push_back(step);
    }
    return made;
}

// The card's special function unit has no double precision; the exchange is sized for
// single.
bool takes_single(const problem& what) { return is_plain_c2c(what) && !what.is_double(); }

template <int Radix>
void add(std::vector<algorithm>& all, const std::vector<const char*>& names)
{
    for (const char* name : names)
        all.push_back({ name, obstacle, candidates<Radix>, cost, build, false });
}

} // namespace

std::vector<int> ladder_radices(std::size_t n, int radix)
{
    if (n == 1)
        return { 1 };
    std::vector<int> radices;
    for (; n % radix == 0; n /= radix)
        radices.push_back(radix);
    while (n > 1) {
        int next = MAX_RADIX;
        while (n % next != 0)
            --next;
        if (next == 1)
            return {};
        radices.push_back(next);
        n /= next;
    }
    return radices;
}

std::vector<algorithm> ladder_algorithms()
{
    std::vector<algorithm> all;
    add<2>(all,
           { "ladder2",
             "ladder2-powers",
             "ladder2-table",
             "ladder2-library",
             "ladder2-intrinsic",
             "ladder2-exchange" });
    add<4>(all,
           { "ladder4",
             "ladder4-powers",
             "ladder4-table",
             "ladder4-library",
             "ladder4-intrinsic",
             "ladder4-exchange" });
    add<8>(all,
           { "ladder8",
             "ladder8-powers",
             "ladder8-table",
             "ladder8-library",
             "ladder8-intrinsic",
             "ladder8-exchange" });
    add<16>(all,
            { "ladder16",
              "ladder16-powers",
              "ladder16-table",
              "ladder16-library",
              "ladder16-intrinsic",
              "ladder16-exchange" });
    add<32>(all,
            { "ladder32",
              "ladder32-powers",
              "ladder32-table",
              "ladder32-library",
              "ladder32-intrinsic",
              "ladder32-exchange" });
    // Candidates for the planner, which finds the crossover to the hierarchical
    // transform.
    for (algorithm& each : all) {
        each.is_default =
            std::string(each.name) == "ladder16" || std::string(each.name) == "ladder32";
        if (kind_of(each.name) == "intrinsic" || has_exchange(each.name))
            each.takes = takes_single;
    }
    return all;
}

} // namespace gpufft
} // namespace gr
