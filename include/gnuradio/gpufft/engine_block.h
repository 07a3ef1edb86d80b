// SPDX-License-Identifier: GPL-3.0-or-later
//
// What every block of this module reports about its engine.

#ifndef INCLUDED_GPUFFT_ENGINE_BLOCK_H
#define INCLUDED_GPUFFT_ENGINE_BLOCK_H

#include <algorithm>
#include <cstdint>
#include <gnuradio/gpufft/api.h>
#include <gnuradio/gpufft/device_list.h>
#include <string>

namespace gr {
namespace gpufft {

/*! \brief Counts and times of a block's engine since its start; visit() describes each
 * value. */
struct GPUFFT_API stream_statistics {
    std::string engine;
    std::uint64_t chunks = 0, frames = 0;
    std::uint64_t bytes_up = 0, bytes_down = 0;
    double device_seconds = 0, seconds = 0;
    std::uint64_t saturated = 0;
    std::size_t in_flight = 0, most_in_flight = 0;
    std::string input_edge, output_edge;

    /*! \brief Throughput of the direction that moved more; 0 before the second chunk. */
    double gigabytes_per_second() const
    {
        return seconds > 0 ? 1e-9 * double(std::max(bytes_up, bytes_down)) / seconds : 0;
    }

    /*! \brief Calls visit(name, value, words) for each value. */
    template <class Visit>
    void visit(Visit&& visit) const
    {
        visit("engine", engine, "\"cuda\" or \"cpu\"");
        visit("chunks", chunks, "groups of frames transferred together");
        visit("frames", frames, "transforms");
        visit("bytes_up", bytes_up, "bytes from the host to the card");
        visit("bytes_down", bytes_down, "bytes from the card to the host");
        visit("device_seconds",
              device_seconds,
              "time of the kernels, estimated from every eighth chunk");
        visit("seconds", seconds, "from the first chunk to the last");
        visit("gigabytes_per_second",
              gigabytes_per_second(),
              "throughput of the direction that moved more");
        visit(
            "saturated",
            saturated,
            "integers of the output, I and Q apart, that were beyond their range; after "
            "a device failure those in flight may count twice");
        visit("in_flight", in_flight, "chunks now in flight");
        visit("most_in_flight", most_in_flight, "most chunks in flight at once");
        visit("input_edge", input_edge, "whether samples come from the card, and why");
        visit("output_edge", output_edge, "whether rows stay on the card, and why");
    }
};

/*! \brief The engine of a block, which make() of every block takes. */
struct GPUFFT_API engine_options {
    std::string engine = "auto";   //!< "auto", "cuda" or "cpu"
    device_list device = 0;        //!< the GPU, or several that take turns
    std::string on_error = "stop"; //!< "stop" or "cpu"
    double device_timeout = 10;    //!< in seconds; 0 waits for ever
};

/*!
 * \brief Common part of the blocks.
 *
 * Every block's make() has the parameters of engine_options:
 *  - engine: "auto", "cuda", "cpu". "auto" is the GPU if it is usable, supports the
 *    length and is faster than the CPU from host memory to host memory, else the CPU;
 *    both are measured once on a machine (see find_break_even());
 *  - device: index of the NVIDIA GPU, from 0; or several, which take turns by chunks (a
 *    running mean stays on the first). Is one missing, "auto" is "cpu", which uses none;
 *  - on_error: what the block does at device trouble while it runs. "stop" ends the
 *    flowgraph with the reason in error(); "cpu" continues with the same samples on the
 *    CPU: nothing is lost, repeated or out of order, and a running mean continues. (This
 *    requires the data between two blocks to be copied to the host, too.)
 *  - device_timeout: a device that does not finish a chunk within this time, in seconds,
 *    counts as in trouble, too, although the driver reports no error; the process no
 *    longer uses it. 0 waits for ever.
 *
 * The message port "status" carries dictionaries: once a second the values of
 * statistics(); at device trouble {"error": text, "engine": name}, where engine is "cpu"
 * if the block continues.
 */
class GPUFFT_API engine_block
{
public:
    virtual ~engine_block() {}

    /*! \brief The engine in use: "cuda" or "cpu". */
    virtual std::string engine() const = 0;

    /*! \brief Why the block uses this engine, e.g. "auto: GPU 6 Gsps, CPU 310 Msps". */
    virtual std::string engine_reason() const = 0;

    /*! \brief Exactly what runs, in one line. */
    virtual std::string describe() const = 0;

    /*! \brief Why the block has stopped; empty if it has not. */
    virtual std::string error() const = 0;

    /*! \brief Counts and times of the engine since start(). */
    virtual stream_statistics statistics() const = 0;
};

} // namespace gpufft
} // namespace gr

#endif
