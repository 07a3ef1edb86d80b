// SPDX-License-Identifier: GPL-3.0-or-later
//
// The contests.

#include "contests.h"
#include "contenders.h"
#include "contest_tools.h"
#include "filter_contests.h"
#include "format_contests.h"
#include "slow_contest.h"
#include <algorithm>

namespace gr {
namespace gpufft {

namespace {

constexpr std::size_t LEAST_COPIED_BYTES = 64 << 10;
constexpr double LIMIT_SECONDS = 0.2;
constexpr int POWER_N = 4096;
constexpr int LONG_CHAIN = 24;

void run_link(bench& with)
{
    std::vector<std::vector<int>> groups;
    for (const int device : with.wanted.devices)
        groups.push_back({ device });
    if (groups.size() > 1)
        groups.push_back(with.wanted.devices);
    for (const std::vector<int>& group : groups) {
        link_row row;
        row.cards = "GPU";
        for (const int device : group)
            row.cards += (device == group.front() ? " " : "+") + std::to_string(device);
        link_meter alone(group, with.wanted.quick ? 0.02 : LIMIT_SECONDS);
        for (std::size_t bytes = LEAST_COPIED_BYTES; bytes <= MOST_COPIED_BYTES;
             bytes *= 4)
            for (const link_use use :
                 { link_use::up, link_use::down, link_use::duplex }) {
                row.use = use;
                row.chunk_bytes = bytes;
                row.rate = alone.measure(use, bytes);
                with.out.add(row);
            }
    }
}

// FFTs of vectors, `blocks` in a row; beside gr-fft's one if `largest_peer` allows.
void run_ffts(bench& with,
              const char* contest,
              const sizes& lengths,
              int blocks,
              int largest_peer)
{
    for (const int n : lengths)
        attempt(with, contest, n, [&] {
            std::vector<contender> sides = { our_chain(with.wanted, n, blocks) };
            sides.front().build(); // throws if the engine lacks it
            if (n <= largest_peer)
                sides.push_back(stock_fft(n, false));
            const stream_shape shape = vectors_of(n, SOURCE_BUFFER_BYTES);
            const auto results = compete(shape, sides, with.length());
            const double chunk = results.front().chunk_bytes;
            rate_row limits = link_limits(with, with.link, shape, chunk);
            if (blocks > 1 && with.wanted.has_card())
                limits.kernel_rate =
                    kernel_limit(with, n, blocks, chunk) * with.wanted.devices.size();
            add_rows(with, contest, n, shape, sides, results, limits);
        });
}

void run_round_trip(bench& with)
{
    const sizes all = { 256, 1000, 1009, 1024, 4096, 16384, 65536, 262144, 1048576 };
    run_ffts(with, "round_trip", few_if_quick(with, all, { 1009, 4096 }), 1, 65536);
}

template <int blocks>
void run_chain(bench& with)
{
    const std::string name =
        blocks == LONG_CHAIN ? "chain_long" : "chain" + std::to_string(blocks);
    const sizes all = blocks == LONG_CHAIN
                          ? sizes{ 1024, 65536, 1048576 }
                          : sizes{ 256, 1024, 4096, 16384, 65536, 262144, 1048576 };
    run_ffts(with, name.c_str(), few_if_quick(with, all, { 1024 }), blocks, 0);
}

// The same chains with both ends on the card: nothing but the kernels takes time.
template <int blocks>
void run_on_card(bench& with)
{
    const sizes all = { 256, 1024, 4096, 16384, 65536, 262144, 1048576 };
    const std::string name = "card" + std::to_string(blocks);
    settings first_card = with.wanted;
    first_card.devices = { with.wanted.devices.front() };
    for (const int n : few_if_quick(with, all, { 1024 }))
        attempt(with, name.c_str(), n, [&] {
            const std::vector<contender> sides = { our_chain(first_card, n, blocks) };
            stream_shape shape = vectors_of(n, 0);
            shape.ends_on = first_card.devices;
            const auto results = compete(shape, sides, with.length());
            rate_row limits;
            limits.kernel_rate =
                kernel_limit(with, n, blocks, results.front().chunk_bytes);
            add_rows(with, name.c_str(), n, shape, sides, results, limits);
        });
}

// A user's kernel on the card, alone or between an FFT and its inverse. The limit is that
// of as many FFTs, each of which takes at least the time of a copy.
template <bool between_ffts>
void run_own_on_card(bench& with)
{
    const sizes all = { 1024, 16384, 1048576 };
    const char* const name = between_ffts ? "card_own3" : "card_own1";
    settings first_card = with.wanted;
    first_card.devices = { with.wanted.devices.front() };
    for (const int n : few_if_quick(with, all, { 1024 }))
        attempt(with, name, n, [&] {
            const std::vector<contender> sides = { own_kernel(
                first_card, n, between_ffts) };
            stream_shape shape = vectors_of(n, 0);
            shape.ends_on = first_card.devices;
            const auto results = compete(shape, sides, with.length());
            rate_row limits;
            limits.kernel_rate =
                kernel_limit(with, n, between_ffts ? 3 : 1, results.front().chunk_bytes);
            add_rows(with, name, n, shape, sides, results, limits);
        });
}

// One block on each card, the data between them by copies from card to card.
void run_relay(bench& with)
{
    const sizes all = { 1024, 65536, 1048576 };
    for (const int n : few_if_quick(with, all, { 1024 }))
        attempt(with, "relay", n, [&] {
            const std::vector<contender> sides = { our_relay(with.wanted, n) };
            stream_shape shape = vectors_of(n, 0);
            shape.ends_on = with.wanted.devices;
            const auto results = compete(shape, sides, with.length());
            rate_row limits;
            limits.kernel_rate = kernel_limit(with, n, 1, results.front().chunk_bytes);
            add_rows(with, "relay", n, shape, sides, results, limits);
        });
}

// A running mean stays on the first card.
void run_power_spectrum(bench& with)
{
    const int average = with.wanted.quick ? 20 : 1000;
    const auto run = [&](const contender& side, bool floats) {
        attempt(with, "power_spectrum", POWER_N, [&] {
            const std::vector<contender> sides = { side };
            const stream_shape shape =
                spectra_of(POWER_N, average, floats, SOURCE_BUFFER_BYTES);
            const auto results = compete(shape, sides, with.length());
            add_rows(
                with,
                "power_spectrum",
                POWER_N,
                shape,
                sides,
                results,
                link_limits(with, with.first_link, shape, results.front().chunk_bytes));
        });
    };
    for (const bool floats : { false, true })
        run(our_power_spectrum(with.wanted, POWER_N, average, floats, "linear"), floats);
    run(our_logpwrfft(with.wanted, POWER_N, average), true);
}

void run_small(bench& with)
{
    run_ffts(with, "small", few_if_quick(with, { 16, 64, 256 }, { 16 }), 1, 256);
}

// The three of the cpu engine: windows, GNU Radio's buffers.
void run_fft_vcc(bench& with)
{
    sizes all;
    for (int n = 64; n <= 65536; n *= 2)
        all.push_back(n);
    for (const int n : few_if_quick(with, all, { 1024 }))
        attempt(with, "fft_vcc", n, [&] {
            const std::vector<contender> sides = { our_fft(with.wanted, n, 1),
                                                   stock_fft(n, true) };
            const stream_shape shape = vectors_of(n, 0);
            add_rows(
                with, "fft_vcc", n, shape, sides, compete(shape, sides, with.length()));
        });
}

void run_fft_vcc_threads(bench& with)
{
    attempt(with, "fft_vcc_threads", 1024, [&] {
        const std::vector<contender> sides = { our_fft(with.wanted, 1024, 2),
                                               our_fft(with.wanted, 1024, 1) };
        const stream_shape shape = vectors_of(1024, 0);
        add_rows(with,
                 "fft_vcc_threads",
                 1024,
                 shape,
                 sides,
                 compete(shape, sides, with.length()));
    });
}

void run_power_spectrum_sf(bench& with)
{
    const int average = with.wanted.quick ? 20 : 100;
    attempt(with, "power_spectrum_sf", POWER_N, [&] {
        const std::vector<contender> sides = {
            our_power_spectrum(with.wanted, POWER_N, average, false, "db"),
            stock_power_spectrum(POWER_N, average)
        };
        const stream_shape shape = spectra_of(POWER_N, average, false, 0);
        add_rows(with,
                 "power_spectrum_sf",
                 POWER_N,
                 shape,
                 sides,
                 compete(shape, sides, with.length()));
    });
}

} // namespace

bench::bench(const settings& wanted, report& out)
    : wanted(wanted),
      out(out),
      link(wanted.devices, wanted.quick ? 0.02 : LIMIT_SECONDS),
      first_link({ wanted.devices.front() }, wanted.quick ? 0.02 : LIMIT_SECONDS),
      kernels(wanted.devices.front(), wanted.quick ? 0.02 : LIMIT_SECONDS)
{
}

run_length bench::length() const
{
    return { wanted.repeats, wanted.seconds / 3, wanted.seconds };
}

const std::vector<contest>& all_contests()
{
    static const std::vector<contest> all = {
        { "link",
          "raw copies, 64 KiB to 16 MiB: up, down, both at once",
          contest::card_only,
          run_link },
        { "round_trip",
          "fft_vcc, N = 256 to 2^20, beside gr-fft's to 65536",
          contest::both,
          run_round_trip },
        { "chain2", "fft_vcc, inverse", contest::both, run_chain<2> },
        { "chain3", "fft_vcc, inverse, forward", contest::both, run_chain<3> },
        { "chain5", "five fft_vcc in a row", contest::both, run_chain<5> },
        { "chain_long",
          "24 in a row: for a card, enough to need longer than the link",
          contest::card,
          run_chain<LONG_CHAIN> },
        { "card1", "fft_vcc, both ends on the card", contest::card_only, run_on_card<1> },
        { "card2", "the same, fft_vcc, inverse", contest::card_only, run_on_card<2> },
        { "card3", "three in a row", contest::card_only, run_on_card<3> },
        { "card5", "five in a row", contest::card_only, run_on_card<5> },
        { "card_own1",
          "a user's kernel that multiplies, both ends on the card",
          contest::card_only,
          run_own_on_card<false> },
        { "card_own3",
          "the same between fft_vcc and its inverse",
          contest::card_only,
          run_own_on_card<true> },
        { "relay",
          "one fft_vcc or inverse on each of --devices, both ends on cards",
          contest::card_only,
          run_relay },
        { "power_spectrum",
          "power_spectrum_sf and _cf, logpwrfft_c, N = 4096, average 1000",
          contest::both,
          run_power_spectrum },
        { "small",
          "fft_vcc, N = 16, 64, 256, beside gr-fft's",
          contest::both,
          run_small },
        { "slow",
          "delay at 1, 10 and 100 Msps, fft_vcc, N = 1024, beside gr-fft's",
          contest::both,
          run_slow },
        { "fft_vcc",
          "N = 64 to 65536 with a window, beside gr-fft's",
          contest::cpu,
          run_fft_vcc },
        { "fft_vcc_threads",
          "fft_vcc, N = 1024, two threads beside one",
          contest::cpu,
          run_fft_vcc_threads },
        { "power_spectrum_sf",
          "N = 4096, average 100, beside a chain of GNU Radio's blocks",
          contest::cpu,
          run_power_spectrum_sf },
        { "channelizer",
          "M = 79 to 4096, critically sampled and about 2x, to vectors of all channels",
          contest::both,
          run_channelizer },
        { "channelizer_streams",
          "M = 16, 79, 128, 1024, a stream for each channel, beside gr-filter's",
          contest::both,
          run_channelizer_streams },
        { "synthesizer_streams",
          "M = 16, 79, 128, 1024 from a stream for each channel, beside gr-filter's",
          contest::both,
          run_synthesizer_streams },
        { "some_channels",
          "M = 1024, vectors of 16, 128 and all channels",
          contest::both,
          run_some_channels },
        { "fft_filter",
          "fft_filter_ccc, N = 33 to 100001 taps, beside gr-filter's",
          contest::both,
          run_fft_filter },
        { "formats",
          "fft_vcc, channelizers and a filter from and to complex64, int16 and int8, "
          "spectra and a channelizer of real int16",
          contest::both,
          run_formats },
    };
    return all;
}

std::vector<contest> chosen_contests(const settings& wanted)
{
    const auto& all = all_contests();
    const auto runs_here = [&](const contest& each) {
        return wanted.has_card() ? each.runs_on != contest::cpu
                                 : each.runs_on >= contest::cpu;
    };
    std::vector<contest> chosen;
    if (wanted.only.empty())
        std::copy_if(all.begin(), all.end(), std::back_inserter(chosen), runs_here);
    for (const std::string& name : wanted.only) {
        const auto found = std::find_if(all.begin(), all.end(), [&](const contest& each) {
            return each.name == name;
        });
        if (found == all.end()) {
            std::string allowed;
            for (const contest& each : all)
                allowed.append(allowed.empty() ? "" : ", ").append(each.name);
            throw std::invalid_argument("--only is \"" + name +
                                        "\", but must be of: " + allowed);
        }
        if (found->runs_on == contest::card_only && !wanted.has_card())
            throw std::invalid_argument("--only " + name + " needs --engine cuda");
        chosen.push_back(*found);
    }
    return chosen;
}

} // namespace gpufft
} // namespace gr
