// SPDX-License-Identifier: GPL-3.0-or-later
//
// Growing a random tree of blocks from a source.

#include "random_flowgraph.h"
#include "device_test.h"
#include <algorithm>
#include <cmath>
#include <gnuradio/block.h>
#include <spdlog/fmt/fmt.h>

namespace gr {
namespace gpufft {

namespace {

// Lengths of every kind, most of them short: a graph should cost a fraction of a second.
constexpr std::size_t SHORT[] = { 1,  2,  3,  4,  5,   7,   8,   12,  16,  17,  31,
                                  32, 60, 64, 97, 100, 127, 128, 243, 256, 257, 343 };
constexpr std::size_t MEDIUM[] = {
    500, 512, 625, 1000, 1009, 1023, 1024, 2048, 3125, 4096
};
constexpr std::size_t LONG[] = { 8192, 10000, 16384, 19683, 32768, 65536 };

template <std::size_t COUNT>
std::size_t one_of(random_source& random, const std::size_t (&list)[COUNT])
{
    return list[pick(random, 0, COUNT - 1)];
}

constexpr std::size_t MOST_SAMPLES = 200000; // of one block, in and out
constexpr double MOST_MAGNITUDE = 14;        // squares of it are floats

std::size_t sample_bytes(std::size_t item_bytes, std::size_t n) { return item_bytes / n; }

} // namespace

random_flowgraph::random_flowgraph(unsigned seed)
    : d_random(seed),
      d_flowgraph(make_top_block("random"))
{
    const bool registered = !chance(d_random, 20);
    test_devices::refuse_registration(!registered);
    const bool direct = chance(d_random, 30);
    test_devices::compute_in_host_memory(direct);
    static constexpr test_devices::speed SPEEDS[] = {
        { 0, 0, 0 }, { 5e-5, 0, 2 }, { 2e-4, 1e-9, 1 }, { 5e-4, 0, 1 }
    };
    const int speed = pick(d_random, 0, 3);
    test_devices::set_speed(SPEEDS[speed]);
    d_text = fmt::format("speed {}, buffers {}{}",
                         speed,
                         registered ? "registered" : "staged",
                         direct ? ", kernels in host memory" : "");

    static constexpr int BLOCKS[] = { 1, 1, 1, 1, 2, 2, 2, 3, 3, 5 };
    grow(make_source(), BLOCKS[pick(d_random, 0, 9)]);
}

std::size_t random_flowgraph::pick_size(std::size_t most)
{
    const std::int64_t kind = pick(d_random, 1, 100);
    const std::size_t n = kind <= 60   ? one_of(d_random, SHORT)
                          : kind <= 88 ? one_of(d_random, MEDIUM)
                                       : one_of(d_random, LONG);
    return n <= most ? n : one_of(d_random, SHORT);
}

random_flowgraph::node random_flowgraph::make_source()
{
    node source;
    source.type = static_cast<samples>(std::min<std::int64_t>(pick(d_random, 0, 6), 3));
    if (chance(d_random, 55))
        source.type = samples::complex;
    const bool integers = source.type == samples::int16 || source.type == samples::int8;
    const bool vectors = !integers && chance(d_random, 50);
    source.n = vectors ? pick_size(65536) : 1;

    const std::size_t most = MOST_SAMPLES / source.n;
    std::size_t count = pick(d_random, 0, std::min<std::size_t>(most, 3000));
    if (!vectors || chance(d_random, 30))
        count = pick(d_random, 0, most);
    if (integers)
        source.data =
            random_integers(d_random, count, source.type == samples::int8 ? 1 : 2);
    else
        source.data = random_floats(
            d_random, count, source.n * (source.type == samples::complex ? 2 : 1));
    add_random_tags(d_random, source.data, 60);
    source.magnitude = 0;
    source.ours = false;
    source.block =
        std::make_shared<scripted_source>(source.data, random_pace(d_random, count));
    d_text += fmt::format("\nsource: {} items of {} x {} bytes, {} tags",
                          count,
                          source.n,
                          sample_bytes(source.data.item_bytes, source.n),
                          source.data.tags.size());
    return source;
}

void random_flowgraph::grow(const node& from, int blocks)
{
    if (blocks == 0)
        return end(from);
    const std::int64_t kind = pick(d_random, 1, 100);
    const int consumers = kind <= 60 ? 1 : kind <= 88 ? 2 : 3;
    for (int i = 0; i < consumers; i++) {
        node at = from;
        at.indent += "  ";
        if (i > 0 && chance(d_random, 50)) { // a reader on the host
            end(at);
            continue;
        }
        if (chance(d_random, 12))
            at = add_stock_block(at);
        if (chance(d_random, 12))
            at = reshape(at);
        samples type;
        std::size_t n;
        stage next = our_stage(at, type, n);
        if (!next.block) {
            end(at);
            continue;
        }
        if (chance(d_random, 15))
            next = make_hier({ make_copy(at.data.item_bytes), next }, at.data.item_bytes);
        else if (blocks > 1 && chance(d_random, 20))
            next = pair_in_hier(at, next, type, n);
        grow(add(at, next, type, n), i == 0 ? blocks - 1 : std::min(1, blocks - 1));
    }
}

void random_flowgraph::end(const node& from)
{
    ending here;
    here.sink = std::make_shared<recording_sink>(
        from.data.item_bytes, random_pace(d_random, from.data.count()));
    here.expected = from.data;
    here.heads = from.heads;
    here.text = fmt::format("sink {}: {} items", d_endings.size(), from.data.count());
    d_text += "\n" + from.indent + "  " + here.text;
    d_flowgraph->connect(from.block, 0, here.sink, 0);
    d_endings.push_back(here);
}

random_flowgraph::node
random_flowgraph::add(const node& from, const stage& what, samples type, std::size_t n)
{
    d_text += "\n" + from.indent + what.text;
    d_flowgraph->connect(from.block, 0, what.block, 0);
    node next = from;
    next.block = what.block;
    next.type = type;
    next.n = n;
    next.data = what.expect(from.data);
    next.ours = !what.ours.empty();
    if (next.ours) {
        d_ours.insert(d_ours.end(), what.ours.begin(), what.ours.end());
        d_device_edges += from.ours + static_cast<int>(what.ours.size()) - 1;
        next.magnitude += std::log10(static_cast<double>(next.data.item_bytes));
    }
    limit_buffers(what, next.data.count());
    return next;
}

void random_flowgraph::limit_buffers(const stage& what, std::size_t items)
{
    const auto block = std::dynamic_pointer_cast<gr::block>(what.block);
    if (!block)
        return;
    if (chance(d_random, 15))
        block->set_max_noutput_items(pick(d_random, 1, 50) * (1 + items / 1000));
    else if (!what.ours.empty() && chance(d_random, 10)) // enough for any reader
        block->set_max_output_buffer(what.out_bytes > sizeof(gr_complex)
                                         ? pick(d_random, 16, 5000)
                                         : pick(d_random, 9000, 20000));
}

random_flowgraph::node random_flowgraph::add_stock_block(const node& from)
{
    if (chance(d_random, 50))
        return add(from, make_copy(from.data.item_bytes), from.type, from.n);
    const std::uint64_t count = pick(d_random, 0, 2 * from.data.count() + 1) + 1;
    const stage head = make_head(from.data.item_bytes, count);
    node next = add(from, head, from.type, from.n);
    next.heads.insert(static_cast<int>(d_heads.size()));
    d_heads.emplace_back(std::dynamic_pointer_cast<blocks::head>(head.block), count);
    return next;
}

random_flowgraph::node random_flowgraph::reshape(const node& from)
{
    const std::size_t bytes = sample_bytes(from.data.item_bytes, from.n);
    if (from.n > 1)
        return add(from, make_vector_to_stream(bytes, from.n), from.type, 1);
    if (from.type == samples::int16 || from.type == samples::int8)
        return from;
    const std::size_t n = pick_size(4096);
    return add(from, make_stream_to_vector(bytes, n), from.type, n);
}

stage_options random_flowgraph::pick_options()
{
    static const std::vector<int> DEVICES[] = { { 0 }, { 0 }, { 0 },    { 0 },
                                                { 0 }, { 1 }, { 0, 1 }, { 1, 0, 2 } };
    return { DEVICES[pick(d_random, 0, 7)], chance(d_random, 50) ? "cpu" : "stop" };
}

std::string random_flowgraph::pick_window(std::size_t n)
{
    if (n < 4) // some are all zero
        return "none";
    return chance(d_random, 50) ? "none" : chance(d_random, 50) ? "hann" : "blackman";
}

stage random_flowgraph::our_stage(const node& from, samples& type, std::size_t& n)
{
    const bool real = from.type == samples::real;
    const bool integers = from.type == samples::int16 || from.type == samples::int8;
    const std::size_t given = from.data.items.size() /
                              sample_bytes(from.data.item_bytes, from.n) /
                              (integers ? 2 : 1);
    n = from.n > 1 ? from.n : pick_size(std::max<std::size_t>(given, 343));
    if (from.magnitude + std::log10(8.0 * n) > MOST_MAGNITUDE)
        return {};
    // Of a bin that is 0 but for rounding errors, each engine has other decibels.
    if (test_devices::are_cards() && from.data.kind == value_kind::decibel)
        return {};

    const bool vectors = from.n > 1;
    if (!integers && chance(d_random, 25))
        return transform_stage(from, type, n);
    const std::int64_t kind = vectors    ? 0
                              : integers ? 1
                                         : pick(d_random, 0, real ? 3 : 4);
    if (vectors || kind == 0 || kind == 3) {
        fft_parameters what{ n, real, chance(d_random, 60), chance(d_random, 40) };
        what.stream = !vectors;
        what.window = pick_window(n);
        type = samples::complex;
        const stage made = make_fft(what, pick_options());
        if (!vectors)
            n = 1; // samples in an item
        return made;
    }
    type = samples::real;
    if (!real && kind != 2) {
        spectrum_parameters what{ n };
        what.input = from.type == samples::int16  ? sample_format::cs16
                     : from.type == samples::int8 ? sample_format::cs8
                                                  : sample_format::cf32;
        // Frames overlap by at most 7/8, unless they are few.
        const std::size_t least = given * 8 > MOST_SAMPLES ? n / 8 + 1 : 1;
        what.hop = chance(d_random, 40) ? n : pick(d_random, least, 3 * n);
        const bool costly = given / what.hop * n > 4 * MOST_SAMPLES;
        if (costly)
            what.hop = n;
        what.average = chance(d_random, 50) ? 1 : pick(d_random, 2, 12);
        what.decibel = chance(d_random, 50);
        what.shift = chance(d_random, 50);
        what.alpha = chance(d_random, 30) ? 0.3 : 1;
        what.window = pick_window(n);
        // Not the kurtosis: that of bins which hold but rounding is any number.
        const detector_kind detectors[] = { detector_kind::max, detector_kind::min };
        if (chance(d_random, 30))
            what.detector = detectors[pick(d_random, 0, 1)];
        if (chance(d_random, 25))
            what.hold = chance(d_random, 50) ? hold_kind::max : hold_kind::min;
        return make_spectrum(what, pick_options());
    }
    logpwr_parameters what{ n };
    what.decimation = chance(d_random, 50) ? 1 : pick(d_random, 2, 5);
    what.real = real;
    what.shift = chance(d_random, 50);
    what.mean = chance(d_random, 40);
    what.alpha = chance(d_random, 50) ? 0.4 : 1;
    what.window = pick_window(n);
    return make_logpwr(what, pick_options());
}

// Of n samples, or of what the vectors hold. Afterwards n are the samples of an item.
stage random_flowgraph::transform_stage(const node& from, samples& type, std::size_t& n)
{
    problem what;
    if (from.type == samples::real) {
        const auto kind = static_cast<transform_kind>(
            pick(d_random, 0, 8) + static_cast<int>(transform_kind::dct1));
        const bool is_half = kind > transform_kind::dst4 || n < 2;
        what = problem::make(is_half ? transform_kind::r2c : kind, { n });
    } else if (chance(d_random, 50)) {
        const bool vectors = from.n > 1; // of bins, of an even or an odd length
        const std::size_t length = vectors ? 2 * n - pick(d_random, 1, 2) : n;
        what = problem::make(transform_kind::c2r, { length });
    } else {
        std::size_t rows = pick(d_random, 1, 16);
        while (n % rows != 0)
            --rows;
        what = problem::make(transform_kind::c2c, { rows, n / rows });
        what.dir = chance(d_random, 50) ? direction::forward : direction::inverse;
        what.shift_output = what.dir == direction::forward && chance(d_random, 40);
    }
    type = what.output == output_kind::real ? samples::real : samples::complex;
    n = from.n > 1 ? what.row_bins() : 1;
    return make_transform(what, from.n == 1, pick_options());
}

// The stage and another one after it.
stage random_flowgraph::pair_in_hier(const node& from,
                                     const stage& first,
                                     samples& type,
                                     std::size_t& n)
{
    node between = from;
    between.type = type;
    between.n = n;
    between.data = first.expect(from.data);
    between.magnitude += std::log10(static_cast<double>(between.data.item_bytes));
    const stage second = our_stage(between, type, n);
    if (!second.block) {
        type = between.type;
        n = between.n;
        return first;
    }
    const stage hier = make_hier({ first, second }, from.data.item_bytes);
    return make_hier({ hier }, from.data.item_bytes); // hier blocks nest
}

std::string random_flowgraph::run()
{
    for (const auto& [head, count] : d_heads) {
        head->reset();
        head->set_length(count);
    }
    if (!runs(d_flowgraph))
        return "the flowgraph hangs";
    for (const auto& block : d_ours)
        if (!block->error().empty())
            return block->describe() + " has stopped: " + block->error();
    for (const ending& each : d_endings) {
        // A head that is done ends its source and with it the source's other readers.
        bool prefix = false;
        for (int head = 0; head < static_cast<int>(d_heads.size()); head++)
            prefix = prefix || each.heads.count(head) == 0;
        const std::string wrong =
            difference(each.expected, each.sink->received(), prefix);
        if (!wrong.empty())
            return each.text + ": " + wrong;
    }
    return "";
}

} // namespace gpufft
} // namespace gr
