// SPDX-License-Identifier: GPL-3.0-or-later
//
// The delay of slow streams.

#include "slow_contest.h"
#include "contenders.h"
#include "contest_tools.h"
#include <utility>

namespace gr {
namespace gpufft {

namespace {

constexpr int SLOW_N = 1024;
constexpr double SLOW_TIMES = 5; // runs are so much longer than others

// What of the card's delay the flowgraph has no part in.
void run_slow_chunks(bench& with, double rate)
{
    typedef chunk_delay_meter::until until;
    const std::pair<until, const char*> ends[] = {
        { until::queued, "one chunk: queued" },
        { until::seen_at_once, "one chunk: seen at once" },
        { until::seen_as_by_a_block, "one chunk: waited for" }
    };
    attempt(with, "slow", SLOW_N, [&] {
        chunk_delay_meter meter(with.wanted.devices.front(), SLOW_N);
        meter.measure(until::seen_at_once, rate / SLOW_N, with.wanted.seconds / 10);
        for (const auto& [end, name] : ends) {
            delay_row row;
            row.contest = "slow";
            row.n = SLOW_N;
            row.block = name;
            row.samples_per_second = rate;
            row.after = delays_of(meter.measure(end, rate / SLOW_N, with.wanted.seconds));
            with.out.add(row);
        }
    });
}

} // namespace

void run_slow(bench& with)
{
    std::vector<contender> sides = { our_chain(with.wanted, SLOW_N, 1) };
    if (with.wanted.has_card()) {
        settings on_cpu = with.wanted;
        on_cpu.engine = "cpu";
        sides.push_back(our_chain(on_cpu, SLOW_N, 1));
    }
    sides.push_back(stock_fft(SLOW_N, false));
    sides.push_back({ "source to sink", "", 1, [] { return block_chain(); } });
    for (const double rate : { 1e6, 10e6, 100e6 }) {
        if (with.wanted.has_card())
            run_slow_chunks(with, rate);
        for (const contender& side : sides)
            attempt(with, "slow", SLOW_N, [&] {
                delay_row row;
                row.contest = "slow";
                row.n = SLOW_N;
                row.block = side.name;
                if (!side.engine.empty())
                    row.block += " " + side.engine;
                row.samples_per_second = rate;
                row.after = measure_delays(side,
                                           vectors_of(SLOW_N, 0).input_item_bytes,
                                           rate / SLOW_N,
                                           SLOW_TIMES * with.wanted.seconds);
                with.out.add(row);
            });
    }
}

} // namespace gpufft
} // namespace gr
