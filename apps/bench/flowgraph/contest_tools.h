// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the contests share: their rows, and the limits that these are held against.

#ifndef INCLUDED_GPUFFT_BENCH_CONTEST_TOOLS_H
#define INCLUDED_GPUFFT_BENCH_CONTEST_TOOLS_H

#include "contests.h"
#include <cstdio>
#include <stdexcept>

namespace gr {
namespace gpufft {

constexpr std::size_t MOST_COPIED_BYTES = std::size_t(16) << 20;
constexpr std::size_t SOURCE_BUFFER_BYTES = std::size_t(32) << 20;

typedef std::vector<int> sizes;

inline sizes few_if_quick(const bench& with, const sizes& all, const sizes& few)
{
    return with.wanted.quick ? few : all;
}

// What goes wrong with one length does not stop the others.
template <class Work>
void attempt(bench& with, const char* contest, int n, Work&& work)
{
    try {
        work();
        ++with.measured;
    } catch (const std::invalid_argument& refusal) { // a length that the engine lacks
        std::printf("%s N=%d is left out: %s\n", contest, n, refusal.what());
        ++with.left_out;
    } catch (const std::exception& error) {
        std::fprintf(
            stderr, "gpufft-bench-flowgraph: %s N=%d: %s\n", contest, n, error.what());
        with.failed = true;
    }
}

// Of the first contender over the second, in the first's row.
void add_rows(bench& with,
              const char* contest,
              int n,
              const stream_shape& shape,
              const std::vector<contender>& sides,
              const std::vector<run_result>& results,
              const rate_row& limits = {});

// The limits of a stream on cards whose first block takes chunks of this size.
rate_row
link_limits(bench& with, link_meter& link, const stream_shape& shape, double chunk_bytes);

// What the kernels of a chain of `blocks` FFTs allow on one card, in samples a second,
// forward and inverse in turn: in chunks as the first block takes them, or as large as
// blocks on the card exchange them, whichever is faster.
double kernel_limit(bench& with, int n, int blocks, double chunk_bytes);

} // namespace gpufft
} // namespace gr

#endif
