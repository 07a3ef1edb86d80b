// SPDX-License-Identifier: GPL-3.0-or-later
//
// Runs of one flowgraph.

#include "flowgraph_run.h"
#include "card_phantoms.h"
#include "latency.h"
#include "phantom_blocks.h"
#include <algorithm>
#include <gnuradio/gpufft/engine_block.h>
#include <gnuradio/top_block.h>
#include <stdexcept>

namespace gr {
namespace gpufft {

namespace {

constexpr std::size_t PACED_BUFFER_BYTES = std::size_t(1) << 20;

struct one_run {
    double samples_per_second, chunk_bytes, cores;
    std::string edge;
};

std::string edge_of(const block_chain& blocks)
{
    const auto second =
        blocks.size() > 1 ? std::dynamic_pointer_cast<engine_block>(blocks[1]) : nullptr;
    return second ? second->statistics().input_edge : "";
}

void connect_all(const top_block_sptr& flowgraph,
                 const basic_block_sptr& from,
                 const basic_block_sptr& to)
{
    const int streams = std::max(to->input_signature()->min_streams(),
                                 from->output_signature()->min_streams());
    for (int stream = 0; stream < streams; ++stream)
        flowgraph->connect(from, stream, to, stream);
}

void connect_and_run(const basic_block_sptr& source,
                     const block_chain& blocks,
                     const basic_block_sptr& sink)
{
    const top_block_sptr flowgraph = make_top_block("benchmark");
    basic_block_sptr last = source;
    for (const basic_block_sptr& block : blocks) {
        connect_all(flowgraph, last, block);
        last = block;
    }
    connect_all(flowgraph, last, sink);
    flowgraph->run();
    for (const basic_block_sptr& block : blocks)
        if (const auto ours = std::dynamic_pointer_cast<engine_block>(block))
            if (!ours->error().empty())
                throw std::runtime_error(ours->error());
}

std::shared_ptr<phantom_source> make_source(const stream_shape& shape,
                                            const std::shared_ptr<run_span>& span)
{
    if (!shape.ends_on.empty())
        return std::make_shared<card_source>(
            shape.input_item_bytes, shape.ends_on.front(), span);
    return std::make_shared<phantom_source>(shape.input_item_bytes,
                                            shape.floats,
                                            shape.buffer_bytes,
                                            span,
                                            shape.input_streams);
}

std::shared_ptr<phantom_sink> make_sink(const stream_shape& shape,
                                        const std::shared_ptr<run_span>& span)
{
    if (!shape.ends_on.empty())
        return std::make_shared<card_sink>(
            shape.output_item_bytes, shape.ends_on.back(), span);
    return std::make_shared<phantom_sink>(
        shape.output_item_bytes, span, shape.output_streams);
}

one_run
run_once(const stream_shape& shape, const contender& side, const run_length& length)
{
    const auto span = std::make_shared<run_span>();
    span->warm_up = length.warm_up;
    span->seconds = length.seconds;
    const auto source = make_source(shape, span);
    const auto sink = make_sink(shape, span);
    const block_chain blocks = side.build();
    connect_and_run(source, blocks, sink);
    const std::string trouble = span->source_error + span->sink_error;
    if (!trouble.empty())
        throw std::runtime_error(side.name + ": " + trouble);
    const double items = sink->items_per_second();
    if (items == 0)
        throw std::runtime_error(side.name + ": the flowgraph ended by itself");
    return { items * shape.samples_per_output_item,
             source->chunk_bytes(),
             sink->cores(),
             edge_of(blocks) };
}

template <class Member>
spread spread_of(const std::vector<one_run>& runs, Member member)
{
    std::vector<double> values;
    for (const one_run& run : runs)
        values.push_back(run.*member);
    std::sort(values.begin(), values.end());
    return { values[values.size() / 2], values.front(), values.back() };
}

} // namespace

std::vector<run_result> compete(const stream_shape& shape,
                                const std::vector<contender>& contenders,
                                const run_length& length)
{
    std::vector<std::vector<one_run>> runs(contenders.size());
    for (int turn = 0; turn < length.repeats; ++turn)
        for (std::size_t i = 0; i < contenders.size(); ++i)
            runs[i].push_back(run_once(shape, contenders[i], length));

    std::vector<run_result> results;
    for (const auto& each : runs)
        results.push_back({ spread_of(each, &one_run::samples_per_second),
                            spread_of(each, &one_run::chunk_bytes).median,
                            spread_of(each, &one_run::cores).median,
                            each.back().edge });
    return results;
}

delays delays_of(std::vector<float> seconds)
{
    seconds.erase(seconds.begin(), seconds.begin() + seconds.size() / 5);
    std::sort(seconds.begin(), seconds.end());
    const auto quantile = [&](double share) {
        return seconds[static_cast<std::size_t>(share * (seconds.size() - 1))];
    };
    return { quantile(0.5), quantile(0.9), quantile(0.99), seconds.back() };
}

delays measure_delays(const contender& side,
                      std::size_t item_bytes,
                      double vectors_per_second,
                      double seconds)
{
    const auto when = std::make_shared<arrivals>();
    when->rate = vectors_per_second;
    when->total = std::max<std::uint64_t>(10, vectors_per_second * seconds);
    const auto source =
        std::make_shared<paced_source>(item_bytes, PACED_BUFFER_BYTES, when);
    const auto sink = std::make_shared<arrival_sink>(item_bytes, when);
    connect_and_run(source, side.build(), sink);

    if (sink->delays().size() != when->total)
        throw std::runtime_error(side.name + ": vectors were lost");
    delays result = delays_of(sink->delays());
    result.cores = sink->cores();
    return result;
}

} // namespace gpufft
} // namespace gr
