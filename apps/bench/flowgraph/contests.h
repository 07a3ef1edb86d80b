// SPDX-License-Identifier: GPL-3.0-or-later
//
// What is timed, and against what.

#ifndef INCLUDED_GPUFFT_BENCH_CONTESTS_H
#define INCLUDED_GPUFFT_BENCH_CONTESTS_H

#include "limits.h"
#include "report.h"
#include "settings.h"

namespace gr {
namespace gpufft {

// What a contest needs.
struct bench {
    const settings& wanted;
    report& out;
    link_meter link;       // of all cards
    link_meter first_link; // of the first
    kernel_meter kernels;
    bool failed = false;            // a length failed, and the rest went on
    int measured = 0, left_out = 0; // lengths

    bench(const settings& wanted, report& out);
    run_length length() const;
};

struct contest {
    const char* name;
    const char* words;
    enum { card_only, card, cpu, both } runs_on; // unless named; card_only: cannot else
    void (*run)(bench& with);
};

// In the order in which they run.
const std::vector<contest>& all_contests();

// Throws std::invalid_argument for a name that is none, or that this engine cannot run.
std::vector<contest> chosen_contests(const settings& wanted);

} // namespace gpufft
} // namespace gr

#endif
