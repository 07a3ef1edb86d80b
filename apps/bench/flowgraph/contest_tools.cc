// SPDX-License-Identifier: GPL-3.0-or-later
//
// Rows and limits.

#include "contest_tools.h"
#include <algorithm>
#include <limits>

namespace gr {
namespace gpufft {

namespace {

constexpr double CARD_CHUNK_BYTES = 48 << 20;

// What copies of this size allow, in samples a second.
double link_limit(link_meter& link, const stream_shape& shape, std::size_t bytes)
{
    if (shape.output_bytes() < shape.input_bytes() / 10)
        return link.measure(link_use::up, bytes).up / shape.input_bytes();
    const link_rate both = link.measure(link_use::duplex, bytes);
    return std::min(both.up / shape.input_bytes(), both.down / shape.output_bytes());
}

} // namespace

void add_rows(bench& with,
              const char* contest,
              int n,
              const stream_shape& shape,
              const std::vector<contender>& sides,
              const std::vector<run_result>& results,
              const rate_row& limits)
{
    for (std::size_t i = 0; i < sides.size(); ++i) {
        rate_row row = i == 0 ? limits : rate_row();
        row.contest = contest;
        row.n = n;
        row.block = sides[i].name;
        row.threads = sides[i].threads;
        row.result = results[i];
        const double rate = row.result.samples_per_second.median;
        if (shape.ends_on.empty()) {
            row.up = rate * shape.input_bytes();
            row.down = rate * shape.output_bytes();
        }
        if (sides.size() > 1)
            row.ratio_to_other = rate / results[1].samples_per_second.median;
        with.out.add(row);
    }
}

rate_row
link_limits(bench& with, link_meter& link, const stream_shape& shape, double chunk_bytes)
{
    rate_row limits;
    if (with.wanted.has_card()) {
        limits.link_rate = link_limit(link, shape, static_cast<std::size_t>(chunk_bytes));
        limits.best_link_rate = link_limit(link, shape, MOST_COPIED_BYTES);
    }
    return limits;
}

double kernel_limit(bench& with, int n, int blocks, double chunk_bytes)
{
    const auto seconds_of = [&](direction dir) { // of one vector
        double best = std::numeric_limits<double>::infinity();
        for (const double bytes : { chunk_bytes, CARD_CHUNK_BYTES }) {
            const auto batch = static_cast<std::size_t>(bytes / (8.0 * n));
            best = std::min(
                best, with.kernels.seconds(n, dir, std::max<std::size_t>(1, batch)));
        }
        return best;
    };
    const int pairs = blocks / 2;
    const double seconds = (blocks - pairs) * seconds_of(direction::forward) +
                           pairs * seconds_of(direction::inverse);
    return n / seconds;
}

} // namespace gpufft
} // namespace gr
