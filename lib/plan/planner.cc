// SPDX-License-Identifier: GPL-3.0-or-later
//
// The planner's decision for the single-pass Stockham kernel: which radices, how many
// threads, how many transforms a block. It lists every shape worth trying, estimates each
// by a cost model, and takes the cheapest.

#include "planner.h"
#include "exchange.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace gr {
namespace gpufft {

namespace {

// Radices of one pass, largest first.
constexpr int RADICES[] = { 32, 30, 28, 27, 26, 25, 24, 22, 21, 20, 18, 16, 15,
                            14, 13, 12, 11, 10, 9,  8,  7,  6,  5,  4,  3,  2 };
constexpr int MAX_POINTS = 32; // complex registers a thread may hold
constexpr int MAX_BLOCK_THREADS = 1024;
constexpr int TARGET_BLOCK_THREADS = 128; // smaller blocks leave less idle at barriers
constexpr int STAGED_BELOW_THREADS =
    4; // fewer lanes side by side do not fill a 32-byte sector
constexpr std::size_t MAX_SHARED_BYTES =
    48 * 1024; // per block, unless one transform needs more

// All multisets of radices with product n, at most `passes` of them, in falling order.
void split(int n,
           int passes,
           int largest,
           std::vector<int>& so_far,
           std::vector<std::vector<int>>& found)
{
    if (n == 1) {
        if (!so_far.empty())
            found.push_back(so_far);
        return;
    }
    if (passes == 0)
        return;
    for (int radix : RADICES) {
        if (radix <= largest && n % radix == 0) {
            so_far.push_back(radix);
            split(n / radix, passes - 1, radix, so_far, found);
            so_far.pop_back();
        }
    }
}

std::vector<std::vector<int>> splits(int n)
{
    if (n == 1)
        return { { 1 } };
    std::vector<std::vector<int>> found;
    for (int passes = 1; passes <= 13; ++passes) {
        std::vector<int> so_far;
        split(n, passes, MAX_POINTS, so_far, found);
        if (!found.empty() && passes > int(found.front().size()))
            break; // the fewest passes, and one more
    }
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return found;
}

// Share of a thread's butterfly slots that are used, over all passes.
double utilization(const stockham_shape& shape)
{
    double slots = 0;
    for (int radix : shape.radices)
        slots += double((shape.n / radix + shape.threads - 1) / shape.threads) * radix *
                 shape.threads;
    return double(shape.n) * shape.radices.size() / slots;
}

// Transforms a block: about the target number of threads, few idle lanes in the last
// warp.
int choose_transforms(const stockham_shape& shape)
{
    const int most =
        std::max(1,
                 std::min(int(2 * TARGET_BLOCK_THREADS / shape.threads),
                          int(MAX_SHARED_BYTES / (std::size_t(shape.n) * 8))));
    int best = 1;
    double best_waste = 1e9;
    for (int transforms = 1; transforms <= most; ++transforms) {
        const int threads = shape.threads * transforms;
        const double idle = double((threads + 31) / 32 * 32) / threads - 1;
        const double off_target =
            std::fabs(std::log2(double(threads) / TARGET_BLOCK_THREADS));
        const double waste = idle + 0.05 * off_target;
        if (waste < best_waste) {
            best_waste = waste;
            best = transforms;
        }
    }
    return best;
}

// Multiplications and additions of a butterfly, a point, roughly.
double operations(int radix)
{
    int rest = radix;
    double sum = 0;
    for (int p : { 2, 3, 5, 7, 11, 13 })
        for (; rest % p == 0; rest /= p)
            sum += p == 2 ? 2.5 : 2.0 + 2.0 * (p - 1);
    return sum;
}

// Estimated SM cycles a point, up to a common factor.
double cost(const stockham_shape& shape)
{
    double issue = 0;
    for (int radix : shape.radices)
        issue += operations(radix) + 6.0 + 4.0; // twiddle, exchange
    issue /= utilization(shape);
    const int points = shape.points();
    const double registers = std::min(255.0, 2.0 * points + 24 + points / 2);
    const double resident = std::min(2048.0, 65536 / registers);
    const double in_flight = std::min(resident * points * 8, 196608.0); // bytes an SM
    const double latency = 65536.0 / in_flight;
    const double warps =
        std::ceil(shape.block_threads() / 32.0) * 32 / shape.block_threads();
    return issue * warps + 20.0 * latency;
}

bool fits(const stockham_shape& shape)
{
    return shape.points() <= MAX_POINTS && shape.threads <= MAX_BLOCK_THREADS;
}

// Odd radices first: their strides spread over the banks without padding. Then large
// before small, so that the spans grow fast.
void order_radices(std::vector<int>& radices)
{
    std::sort(radices.begin(), radices.end(), [](int a, int b) {
        return a % 2 != b % 2 ? a % 2 > b % 2 : a > b;
    });
}

} // namespace

bool is_stockham_size(std::size_t n)
{
    if (n < 1 || n > MAX_STOCKHAM_SIZE)
        return false;
    for (std::size_t prime : { 2, 3, 5, 7, 11, 13 })
        while (n % prime == 0)
            n /= prime;
    return n == 1;
}

std::vector<stockham_shape> stockham_candidates(int n)
{
    std::vector<stockham_shape> shapes;
    for (std::vector<int> radices : splits(n)) {
        order_radices(radices);
        std::vector<int> tried;
        for (int radix : radices) {
            for (int butterflies = 1; butterflies * radix <= MAX_POINTS; ++butterflies) {
                stockham_shape shape;
                shape.n = n;
                shape.radices = radices;
                shape.threads = (n / radix + butterflies - 1) / butterflies;
                if (!fits(shape) ||
                    std::count(tried.begin(), tried.end(), shape.threads) > 0)
                    continue;
                tried.push_back(shape.threads);
                shape.transforms = choose_transforms(shape);
                shape.staged_load = shape.staged_store =
                    shape.threads < STAGED_BELOW_THREADS;
                shapes.push_back(shape);
            }
        }
    }
    std::stable_sort(shapes.begin(),
                     shapes.end(),
                     [](const stockham_shape& a, const stockham_shape& b) {
                         return cost(a) < cost(b);
                     });
    return shapes;
}

recipe make_recipe(const problem& what)
{
    if (!is_stockham_size(what.n))
        throw std::invalid_argument(
            "FFT size is " + std::to_string(what.n) +
            ", but the GPU kernels have 2^a 3^b 5^c 7^d 11^e 13^f up to " +
            std::to_string(MAX_STOCKHAM_SIZE) + "; use engine \"cpu\" or \"auto\"");
    recipe how;
    how.algorithm = "stockham";
    how.n = what.n;
    how.shape = stockham_candidates(int(what.n)).front();
    choose_paddings(how.shape);
    return how;
}

} // namespace gpufft
} // namespace gr
