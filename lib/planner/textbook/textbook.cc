// SPDX-License-Identifier: GPL-3.0-or-later
//
// Radices 2 and 4 alone. As in the textbook, each thread computes one butterfly, unless
// that exceeds the largest block.

#include "textbook.h"
#include "planner/exchange.h"
#include "planner/roots_of_unity.h"
#include "planner/stockham/stockham.h"

#include <algorithm>

namespace gr {
namespace gpufft {

namespace {

constexpr std::size_t MAX_BYTES = 32 * 1024; // of shared memory, as every card has
constexpr double PASS_COST = 1.0; // never compared: these run only when they are named

std::string obstacle(const problem& what, const device_traits&)
{
    const std::size_t longest = MAX_BYTES / point_bytes(what);
    if (what.n < 2 || what.n > longest || (what.n & (what.n - 1)) != 0)
        return "FFT size is " + std::to_string(what.n) +
               ", but must be a power of two, 2 ... " + std::to_string(longest);
    return "";
}

recipe plain_recipe(const problem& what, int radix, const std::string& name)
{
    stockham_shape shape;
    shape.n = int(what.n);
    shape.is_double = what.is_double();
    for (int left = shape.n; left > 1; left /= shape.radices.back())
        shape.radices.push_back(left % radix == 0 ? radix : 2);
    shape.threads = std::min(std::max(shape.n / radix, 1), MAX_BLOCK_THREADS);
    choose_paddings(shape);
    return { name, what.n, { shape } };
}

std::vector<recipe> stockham2_candidates(const problem& what, const device_traits&)
{
    return { plain_recipe(what, 2, "stockham2") };
}

std::vector<recipe> stockham4_candidates(const problem& what, const device_traits&)
{
    return { plain_recipe(what, 4, "stockham4") };
}

std::vector<recipe> cooley_tukey_candidates(const problem& what, const device_traits&)
{
    return { plain_recipe(what, 2, "cooley-tukey") };
}

double cost(const problem&, const recipe& how, const device_traits&)
{
    return PASS_COST * double(how.shape().radices.size());
}

program build_cooley_tukey(const problem& what, const recipe& how)
{
    const roots_of_unity<long double> root(how.n);
    std::vector<std::complex<long double>> roots;
    for (std::size_t e = 0; e < how.n / 2; ++e)
        roots.push_back(root(long(e)));
    program made;
    launch_step step;
    step.kernel.header = "textbook/cooley_tukey.cuh";
    step.kernel.name = "cooley_tukey_kernel";
    step.kernel.shape = list_of(how.shape().radices.size(), how.shape().threads);
    step.kernel.load = load_text(what);
    step.kernel.store = store_text(what);
    step.kernel.block_threads = how.shape().threads;
    step.kernel.shared_bytes = how.n * point_bytes(what);
    step.twiddles = made.add(roots);
    made.steps.push_back(step);
    return made;
}

} // namespace

std::vector<algorithm> textbook_algorithms()
{
    const auto build_stockham = stockham_algorithm().build;
    return {
        { "cooley-tukey",
          obstacle,
          cooley_tukey_candidates,
          cost,
          build_cooley_tukey,
          false },
        { "stockham2", obstacle, stockham2_candidates, cost, build_stockham, false },
        { "stockham4", obstacle, stockham4_candidates, cost, build_stockham, false }
    };
}

} // namespace gpufft
} // namespace gr
