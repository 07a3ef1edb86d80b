// SPDX-License-Identifier: GPL-3.0-or-later

#include "reference_correlation.h"
#include "reference_formats.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace gr {
namespace gpufft {

typedef std::complex<long double> complex;

// P[k, d, u] of problem.h, every product by itself.
static std::vector<long double> correlation_powers(const problem& what,
                                                   const std::uint8_t* frame,
                                                   const std::vector<float>& templates)
{
    const std::size_t n = what.n, delays = what.delays == 0 ? n : what.delays;
    std::vector<long double> powers(what.window_numbers() / 2 / n * what.shifts * delays);
    for (std::size_t block = 0; block < what.blocks; ++block)
        for (std::size_t d = 0; d < what.shifts; ++d) {
            const long double shift =
                what.f_start +
                ((long double)what.f_stop - what.f_start) * d / what.shifts;
            spectrum y(n);
            for (std::size_t m = 0; m < what.taps * n; ++m) {
                const long double angle = -2 * std::acos(-1.0L) * shift * m;
                y[m % n] += sample_at(what.input, frame, block * what.taps * n + m) *
                            complex(std::cos(angle), std::sin(angle));
            }
            for (std::size_t p = 0; p < powers.size(); ++p) {
                const std::size_t u = p % delays, k = p / delays / what.shifts;
                if (p / delays % what.shifts != d)
                    continue;
                complex sum;
                for (std::size_t i = 0; i < n; ++i)
                    sum += y[(u + i) % n] * complex(templates[2 * (k * n + i)],
                                                    -templates[2 * (k * n + i) + 1]);
                powers[p] += std::norm(sum);
            }
        }
    return powers;
}

// As problem.h says.
spectrum correlated(const problem& what,
                    const std::uint8_t* frame,
                    const std::vector<float>& templates)
{
    const std::vector<long double> powers = correlation_powers(what, frame, templates);
    if (what.peaks == peak_rows::grid)
        return { powers.begin(), powers.end() };
    const std::size_t each = powers.size() / (templates.size() / 2 / what.n);
    const std::size_t delays = each / what.shifts;
    spectrum row, best;
    for (auto first = powers.begin(); first != powers.end(); first += each) {
        const auto peak = std::max_element(first, first + each);
        const long double sum = std::accumulate(first, first + each, 0.0L);
        const spectrum found = { (first - powers.begin()) / (long double)each,
                                 (long double)((peak - first) / delays),
                                 (long double)((peak - first) % delays),
                                 *peak * each / sum,
                                 *peak };
        row.insert(row.end(), found.begin(), found.end());
        if (best.empty() || found.back().real() > best.back().real())
            best = found;
    }
    return what.peaks == peak_rows::best ? best : row;
}

} // namespace gpufft
} // namespace gr
