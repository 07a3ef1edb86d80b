// SPDX-License-Identifier: GPL-3.0-or-later
//
// Runs of one flowgraph: phantom source, the blocks under test, phantom sink.

#ifndef INCLUDED_GPUFFT_BENCH_FLOWGRAPH_RUN_H
#define INCLUDED_GPUFFT_BENCH_FLOWGRAPH_RUN_H

#include <functional>
#include <gnuradio/basic_block.h>
#include <limits>
#include <string>
#include <vector>

namespace gr {
namespace gpufft {

typedef std::vector<basic_block_sptr> block_chain;

// A chain of blocks that is built anew for every run. As many streams go from one block
// to the next as either needs.
struct contender {
    std::string name;
    std::string engine; // empty for GNU Radio's
    int threads = 1;
    std::function<block_chain()> build;
};

// What goes in and comes out, of all contenders alike.
struct stream_shape {
    std::size_t input_item_bytes = 0;
    double samples_per_input_item = 1;
    std::size_t output_item_bytes = 0;
    double samples_per_output_item = 1;
    bool floats = true;           // else 16-bit integers come in
    std::size_t buffer_bytes = 0; // of the source, at least; 0: as GNU Radio makes it
    std::vector<int> ends_on;     // cards of source and sink, if not the host
    int input_streams = 1;        // alike
    int output_streams = 1;

    // Of a sample.
    double input_bytes() const
    {
        return input_streams * input_item_bytes / samples_per_input_item;
    }
    double output_bytes() const
    {
        return output_streams * output_item_bytes / samples_per_output_item;
    }
};

// Of several runs.
struct spread {
    double median = 0, min = 0, max = 0;
};

struct run_result {
    spread samples_per_second;
    double chunk_bytes = 0; // medians
    double cores = 0;
    std::string edge; // where the second of several of our blocks reads, and why
};

struct run_length {
    int repeats = 1;
    double warm_up = 0, seconds = 0;
};

// All contenders, turn by turn. Throws std::runtime_error with the block's own reason if
// a flowgraph ends early.
std::vector<run_result> compete(const stream_shape& shape,
                                const std::vector<contender>& contenders,
                                const run_length& length);

struct delays {
    double p50 = 0, p90 = 0, p99 = 0, max = 0; // seconds
    double cores =
        std::numeric_limits<double>::quiet_NaN(); // see run_result; NaN: unknown
};

// Those of the first fifth do not count.
delays delays_of(std::vector<float> seconds);

// Of vectors that arrive at this rate.
delays measure_delays(const contender& side,
                      std::size_t item_bytes,
                      double vectors_per_second,
                      double seconds);

} // namespace gpufft
} // namespace gr

#endif
