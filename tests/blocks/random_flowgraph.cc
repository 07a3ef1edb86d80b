// SPDX-License-Identifier: GPL-3.0-or-later
//
// Growing a random tree of blocks from a source.

#include "random_flowgraph.h"
#include "device_test.h"
#include <algorithm>
#include <gnuradio/block.h>
#include <spdlog/fmt/fmt.h>

namespace gr {
namespace gpufft {

namespace {

std::size_t sample_bytes(std::size_t item_bytes, std::size_t n) { return item_bytes / n; }

} // namespace

random_flowgraph::random_flowgraph(unsigned seed, unsigned run)
    : d_random(seed),
      d_pauses(seed + 1000003 * (run + 1)),
      d_lottery(d_random, run),
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

random_flowgraph::node random_flowgraph::make_source()
{
    node source;
    samples& type = source.items.type;
    type = static_cast<samples>(std::min<std::int64_t>(pick(d_random, 0, 6), 3));
    if (chance(d_random, 55))
        type = samples::complex;
    const bool integers = source.items.is_integer();
    const bool vectors = !integers && chance(d_random, 50);
    std::size_t& n = source.items.n;
    n = vectors ? d_lottery.pick_size(65536) : 1;

    const std::size_t most = stage_lottery::MOST_SAMPLES / n;
    std::size_t count = pick(d_random, 0, std::min<std::size_t>(most, 3000));
    if (!vectors || chance(d_random, 30))
        count = pick(d_random, 0, most);
    if (integers)
        source.data = random_integers(d_random, count, type == samples::int8 ? 1 : 2);
    else
        source.data =
            random_floats(d_random, count, n * (type == samples::complex ? 2 : 1));
    add_random_tags(d_random, source.data, 60);
    source.block = std::make_shared<scripted_source>(source.data, next_pace(count));
    d_text += fmt::format("\nsource: {} items of {} x {} bytes, {} tags",
                          count,
                          n,
                          sample_bytes(source.data.item_bytes, n),
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
        random_stage next = d_lottery.draw(at.data, at.items);
        if (!next.what.block) {
            end(at);
            continue;
        }
        next = in_hier(at, next, blocks > 1);
        int left = i == 0 ? blocks - 1 : std::min(1, blocks - 1);
        for (const node& each : add(at, next)) {
            grow(each, left);
            left = std::min(1, left) * chance(d_random, 30); // of other ports
        }
    }
}

void random_flowgraph::end(const node& from)
{
    ending here;
    here.sink = std::make_shared<recording_sink>(from.data.item_bytes,
                                                 next_pace(from.data.count()));
    here.expected = from.data;
    here.heads = from.heads;
    here.text = fmt::format("sink {}: {} items", d_endings.size(), from.data.count());
    d_text += "\n" + from.indent + "  " + here.text;
    d_flowgraph->connect(from.block, from.port, here.sink, 0);
    d_endings.push_back(here);
}

// A node for each of its output ports.
std::vector<random_flowgraph::node> random_flowgraph::add(const node& from,
                                                          const random_stage& next)
{
    const stage& what = next.what;
    d_text += "\n" + from.indent + what.text;
    d_flowgraph->connect(from.block, from.port, what.block, 0);
    d_ours.insert(d_ours.end(), what.ours.begin(), what.ours.end());
    d_device_edges += what.card_edges + (from.on_card && what.reads_card);
    const stream_data all = what.expect(from.data);
    std::vector<node> nodes;
    for (int port = 0; port < what.outputs; ++port) {
        node made = from;
        made.block = what.block;
        made.port = port;
        made.items = next.gives;
        made.data = what.outputs > 1 ? stream_of_port(all, what.outputs, port) : all;
        made.on_card = what.writes_card;
        nodes.push_back(made);
    }
    limit_buffers(what, all.count());
    return nodes;
}

random_flowgraph::node
random_flowgraph::add_one(const node& from, const stage& what, const item_kind& gives)
{
    return add(from, { what, gives }).front();
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
        return add_one(from, make_copy(from.data.item_bytes), from.items);
    const std::uint64_t count = pick(d_random, 0, 2 * from.data.count() + 1) + 1;
    const stage head = make_head(from.data.item_bytes, count);
    node next = add_one(from, head, from.items);
    next.heads.insert(static_cast<int>(d_heads.size()));
    d_heads.emplace_back(std::dynamic_pointer_cast<blocks::head>(head.block), count);
    return next;
}

random_flowgraph::node random_flowgraph::reshape(const node& from)
{
    item_kind items = from.items;
    const std::size_t bytes = sample_bytes(from.data.item_bytes, items.n);
    if (items.n > 1) {
        const stage samples_of = make_vector_to_stream(bytes, items.n);
        items.n = 1;
        return add_one(from, samples_of, items);
    }
    if (items.is_integer())
        return from;
    items.n = d_lottery.pick_size(4096);
    return add_one(from, make_stream_to_vector(bytes, items.n), items);
}

// Now and then the stage behind a copy, or before another one, in hierarchical blocks.
random_stage
random_flowgraph::in_hier(const node& from, const random_stage& first, bool pairs)
{
    const std::size_t bytes = from.data.item_bytes;
    if (chance(d_random, 15))
        return { make_hier({ make_copy(bytes), first.what }, bytes), first.gives };
    if (!pairs || first.what.outputs > 1 || !chance(d_random, 20))
        return first;
    const random_stage second = d_lottery.draw(first.what.expect(from.data), first.gives);
    if (!second.what.block)
        return first;
    const stage hier = make_hier({ first.what, second.what }, bytes);
    return { make_hier({ hier }, bytes), second.gives }; // hier blocks nest
}

// A head that is done ends its source and with it the source's other readers.
bool random_flowgraph::may_end_early(const ending& which) const
{
    return which.heads.size() < d_heads.size();
}

std::vector<random_flowgraph::output> random_flowgraph::outputs() const
{
    std::vector<output> all;
    for (const ending& each : d_endings)
        all.push_back({ each.text, each.sink->received(), may_end_early(each) });
    return all;
}

std::string random_flowgraph::run(int most_items)
{
    for (const auto& [head, count] : d_heads) {
        head->reset();
        head->set_length(count);
    }
    if (!runs(d_flowgraph, 300, most_items))
        return "the flowgraph hangs";
    for (const auto& block : d_ours)
        if (!block->error().empty())
            return block->describe() + " has stopped: " + block->error();
    for (const ending& each : d_endings) {
        const std::string wrong =
            difference(each.expected, each.sink->received(), may_end_early(each));
        if (!wrong.empty())
            return each.text + ": " + wrong;
    }
    return "";
}

} // namespace gpufft
} // namespace gr
