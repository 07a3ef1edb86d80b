// SPDX-License-Identifier: GPL-3.0-or-later
//
// A flowgraph of random blocks, with what must come out of it.

#ifndef INCLUDED_GPUFFT_RANDOM_FLOWGRAPH_H
#define INCLUDED_GPUFFT_RANDOM_FLOWGRAPH_H

#include "random_stages.h"
#include "test_blocks.h"
#include <gnuradio/blocks/head.h>
#include <gnuradio/top_block.h>
#include <set>

namespace gr {
namespace gpufft {

// A tree: source, then up to five of our blocks in a row, with stock blocks in between,
// fan-out after any of them, sinks at the ends.
class random_flowgraph
{
public:
    // The graphs of a seed have the same blocks and samples. From run to run they differ
    // in what must not show: pauses, and the devices that work.
    explicit random_flowgraph(unsigned seed, unsigned run = 0);

    const std::string& text() const { return d_text; } // one line for each block

    // Runs it, with at most so many items in a call; what went wrong, or "".
    std::string run(int most_items = 100000000);

    // What came out of it, sink for sink. A sink that `may_end_early` has another run's
    // beginning only: a head somewhere else ends its source.
    struct output {
        std::string text;
        stream_data received;
        bool may_end_early;
    };
    std::vector<output> outputs() const;

    // How many of our blocks read what one of our blocks writes.
    int device_edges() const { return d_device_edges; }

private:
    struct node {
        gr::basic_block_sptr block;
        int port = 0;
        item_kind items;
        stream_data data;     // that comes out
        std::set<int> heads;  // on the way here
        bool on_card = false; // a block of ours that leaves it there
        std::string indent;
    };
    struct ending {
        std::shared_ptr<recording_sink> sink;
        stream_data expected;
        std::set<int> heads;
        std::string text;
    };

    node make_source();
    void grow(const node& from, int blocks);
    void end(const node& from);
    std::vector<node> add(const node& from, const random_stage& next);
    node add_one(const node& from, const stage& what, const item_kind& gives);
    node add_stock_block(const node& from);
    node reshape(const node& from);
    random_stage in_hier(const node& from, const random_stage& first, bool pairs);
    void limit_buffers(const stage& what, std::size_t items);
    bool may_end_early(const ending& which) const;

    pace next_pace(std::size_t items) { return random_pace(d_pauses, items); }

    random_source d_random, d_pauses;
    stage_lottery d_lottery;
    const top_block_sptr d_flowgraph;
    std::string d_text;
    std::vector<ending> d_endings;
    std::vector<std::shared_ptr<engine_block>> d_ours;
    std::vector<std::pair<blocks::head::sptr, std::uint64_t>> d_heads;
    int d_device_edges = 0;
};

} // namespace gpufft
} // namespace gr

#endif
