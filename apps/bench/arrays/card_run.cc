// SPDX-License-Identifier: GPL-3.0-or-later
//
// Both libraries transform the same random numbers, one after the other, because large
// frames leave no room for two.

#include "card_run.h"
#include "../random_data.h"
#include "cufft_cards.h"
#include <algorithm>
#include <functional>
#include <memory>

namespace gr {
namespace gpufft {

namespace {

constexpr std::size_t POOL = std::size_t(64) << 20, PIECE = std::size_t(16) << 20;
constexpr std::size_t SAMPLED = std::size_t(4) << 20; // bytes at the begin of each part

struct part {
    async_device::sptr device;
    void* address;
    std::size_t bytes;
};

std::vector<part> parts_of(const std::vector<async_device::sptr>& devices,
                           const std::vector<void*>& addresses,
                           const std::vector<std::size_t>& bytes)
{
    std::vector<part> all;
    for (std::size_t i = 0; i < devices.size(); ++i)
        all.push_back({ devices[i], addresses[i], bytes[i] });
    return all;
}

// Pieces of a pool of random numbers, from other places each, so that they do not repeat
// with a period. The same numbers at every call.
std::unique_ptr<async_device::memory> make_pool(async_device& device, number_type type)
{
    auto pool = device.allocate_pinned(POOL);
    fill_random(pool->address(), type, 0, POOL / bytes_of(type));
    return pool;
}

void fill(const std::vector<part>& parts, const async_device::memory& pool)
{
    const std::size_t places = (POOL - PIECE) / 16;
    unsigned long long number = 0, done = 0; // counts along the frame, not the parts
    for (const part& each : parts) {
        const auto queue = each.device->make_queue();
        for (std::size_t at = 0; at < each.bytes;) {
            const std::size_t bytes =
                std::min<std::size_t>(each.bytes - at, PIECE - done % PIECE);
            number = done / PIECE;
            const std::size_t from = 16 * (number * 7919 % places) + done % PIECE;
            each.device->copy(*queue,
                              static_cast<char*>(each.address) + at,
                              static_cast<const char*>(pool.address()) + from,
                              bytes);
            at += bytes;
            done += bytes;
        }
        each.device->synchronize(*queue);
    }
}

std::vector<double> sample(const std::vector<part>& parts, number_type type)
{
    std::vector<double> all;
    for (const part& each : parts) {
        const std::size_t bytes = std::min(each.bytes, SAMPLED);
        const auto queue = each.device->make_queue();
        const auto host = each.device->allocate_pinned(bytes);
        each.device->copy(*queue, host->address(), each.address, bytes);
        each.device->synchronize(*queue);
        const std::vector<double> numbers =
            read_numbers(host->address(), type, bytes / bytes_of(type));
        all.insert(all.end(), numbers.begin(), numbers.end());
    }
    return all;
}

// `renew` puts new numbers where transforms in place, which are not scaled, would soon
// overflow.
timing
time(int runs, const std::function<void()>& renew, const std::function<void()>& work)
{
    std::vector<double> times;
    for (int run = 0; run < runs; ++run) {
        renew();
        times.push_back(milliseconds_of(work));
    }
    return summarise(times);
}

// What cuFFT's result is compared with.
struct outcome {
    std::vector<double> numbers;      // of its begin on each card
    std::vector<std::size_t> in, out; // bytes on each card
    bool has_equal_shares() const
    {
        const auto are_equal = [](const std::vector<std::size_t>& all) {
            return std::count(all.begin(), all.end(), all.front()) ==
                   std::ptrdiff_t(all.size());
        };
        return are_equal(in) && are_equal(out);
    }
};

outcome time_ours(const problem& what,
                  const array_settings& settings,
                  const std::vector<async_device::sptr>& devices,
                  card_row& row)
{
    const plan::uptr plan = plan::make(what, settings.plans);
    std::vector<std::size_t> in = plan->input_parts(), out = plan->output_parts();
    std::vector<std::unique_ptr<async_device::memory>> memory;
    std::vector<void*> inputs, outputs;
    for (std::size_t i = 0; i < devices.size(); ++i) {
        in[i] *= what.input_item_bytes();
        out[i] *= what.output_item_bytes();
        memory.push_back(
            devices[i]->allocate(row.in_place ? std::max(in[i], out[i]) : in[i]));
        inputs.push_back(memory.back()->address());
        if (!row.in_place)
            memory.push_back(devices[i]->allocate(out[i]));
        outputs.push_back(memory.back()->address());
    }
    const std::vector<const void*> from(inputs.begin(), inputs.end());
    const auto execute = [&] { plan->execute(from, outputs); };
    const auto pool = make_pool(*devices.front(), input_type(what));
    const std::vector<part> parts = parts_of(devices, inputs, in);
    fill(parts, *pool);
    execute(); // compiles kernels and allocates
    const std::vector<double> numbers =
        sample(parts_of(devices, outputs, out), output_type(what));
    const auto renew = [&] {
        if (row.in_place)
            fill(parts, *pool);
    };
    row.ours = time(settings.runs, renew, execute);
    row.description = plan->describe();
    return { numbers, in, out };
}

void time_cufft(const problem& what,
                const array_settings& settings,
                const std::vector<async_device::sptr>& devices,
                const outcome& ours,
                card_row& row)
{
    cufft_cards peer(what, devices);
    const bool is_comparable = ours.has_equal_shares();
    if (!is_comparable)
        row.cufft_reason = "not compared: the cards have unequal shares of the frame";
    const auto pool = make_pool(*devices.front(), input_type(what));
    const auto renew = [&] {
        fill(parts_of(devices, peer.parts(), is_comparable ? ours.in : peer.part_bytes()),
             *pool);
    };
    const auto compare = [&](const std::vector<void*>& result) {
        if (is_comparable)
            row.difference = relative_difference(
                ours.numbers,
                sample(parts_of(devices, result, ours.out), output_type(what)));
    };
    renew();
    peer.execute();
    if (settings.plans.transposed) // cuFFT's own order of several axes
        compare(peer.parts());
    try {
        peer.order();
        if (!settings.plans.transposed)
            compare(peer.natural_parts());
        row.cufft_natural = time(settings.runs, renew, [&] {
            peer.execute();
            peer.order();
        });
    } catch (const std::runtime_error& error) {
        row.cufft_reason += (row.cufft_reason.empty() ? "" : "; ") +
                            std::string("not in natural order: ") + error.what();
    }
    row.cufft = time(settings.runs, renew, [&] { peer.execute(); });
}

} // namespace

card_row measure_on_cards(const problem& what,
                          const array_settings& settings,
                          const std::vector<async_device::sptr>& devices,
                          const peer_rates& rates)
{
    card_row row;
    row.problem = what.to_string();
    row.in_place = settings.in_place;
    const outcome result = time_ours(what, settings, devices, row);

    // Of each card: what it must send, columns of a matrix whose rows lie apart, and two
    // sweeps that read and write each point.
    const double cards = double(devices.size());
    const double bytes = double(std::max(what.frame_samples() * what.input_item_bytes(),
                                         what.row_items() * what.output_item_bytes()));
    const double exchanges = what.axes().size() == 1     ? 3
                             : settings.plans.transposed ? 1
                                                         : 2;
    row.link_ms = 1e-6 * exchanges * bytes / cards * (cards - 1) / cards / rates.rows;
    row.memory_ms = 1e-6 * 4 * bytes / cards / rates.memory;

    row.cufft_reason = settings.cufft ? cufft_cards::obstacle(what) : "left out";
    if (!row.cufft_reason.empty())
        return row;
    try {
        time_cufft(what, settings, devices, result, row);
    } catch (const std::exception& error) {
        row.cufft_reason = error.what();
    }
    return row;
}

} // namespace gpufft
} // namespace gr
