// SPDX-License-Identifier: GPL-3.0-or-later
//
// A flowgraph of random blocks, with what must come out of it.

#ifndef INCLUDED_GPUFFT_RANDOM_FLOWGRAPH_H
#define INCLUDED_GPUFFT_RANDOM_FLOWGRAPH_H

#include "stages.h"
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
    explicit random_flowgraph(unsigned seed);

    const std::string& text() const { return d_text; } // one line for each block

    // Runs it; what went wrong, or "".
    std::string run();

    // How many of our blocks read what one of our blocks writes.
    int device_edges() const { return d_device_edges; }

private:
    enum class samples { complex, real, int16, int8 };
    struct node {
        gr::basic_block_sptr block;
        samples type;
        std::size_t n;       // samples in an item
        stream_data data;    // that comes out
        double magnitude;    // of the values, log10
        std::set<int> heads; // on the way here
        bool ours;           // a block of ours
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
    node add(const node& from, const stage& what, samples type, std::size_t n);
    node add_stock_block(const node& from);
    node reshape(const node& from);
    stage our_stage(const node& from, samples& type, std::size_t& n);
    stage transform_stage(const node& from, samples& type, std::size_t& n);
    stage
    pair_in_hier(const node& from, const stage& first, samples& type, std::size_t& n);
    std::size_t pick_size(std::size_t most);
    stage_options pick_options();
    std::string pick_window(std::size_t n);
    void limit_buffers(const stage& what, std::size_t items);

    random_source d_random;
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
