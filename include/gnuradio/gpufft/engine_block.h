// SPDX-License-Identifier: GPL-3.0-or-later
//
// What every block of this module reports about the engine that runs it.

#ifndef INCLUDED_GPUFFT_ENGINE_BLOCK_H
#define INCLUDED_GPUFFT_ENGINE_BLOCK_H

#include <algorithm>
#include <cstdint>
#include <gnuradio/gpufft/api.h>
#include <string>

namespace gr {
namespace gpufft {

/*! \brief What has gone through a block's engine since its start. */
struct GPUFFT_API stream_statistics {
    std::string engine;
    std::uint64_t chunks = 0;     //!< groups of frames transferred together
    std::uint64_t frames = 0;     //!< transforms
    std::uint64_t bytes_up = 0;   //!< host to card
    std::uint64_t bytes_down = 0; //!< card to host
    double device_seconds = 0;    //!< spent in kernels, from the time of every eighth
                                  //!< chunk
    double seconds = 0;           //!< from the first chunk to the last
    std::size_t in_flight = 0;    //!< chunks now in flight
    std::size_t most_in_flight = 0;
    std::string input_edge;  //!< where the samples come from, and why
    std::string output_edge; //!< where the rows go, and why

    /*! \brief Throughput of the direction that moved more; 0 before the second chunk. */
    double gigabytes_per_second() const
    {
        return seconds > 0 ? 1e-9 * std::max(bytes_up, bytes_down) / seconds : 0;
    }
};

/*!
 * \brief Common part of the blocks.
 *
 * Every block's make() has the parameters
 *  - engine: "auto", "cuda", "cpu". "auto" is the GPU where it is usable, has the length
 *    and is faster than the CPU from host memory to host memory, else the CPU; both are
 *    measured once on a machine (see find_break_even());
 *  - device: index of the NVIDIA GPU, from 0; or several GPUs, which take turns chunk by
 *    chunk (a running mean stays on the first);
 *  - on_error: what happens at device trouble while running. "stop" ends the flowgraph
 *    with the reason in error(); "cpu" continues with the same samples on the CPU:
 *    nothing is lost, repeated or out of order, and a running mean continues. (This
 *    requires the data between two blocks to be copied to the host, too.)
 *  - device_timeout: a device that does not finish a chunk within this time, in seconds,
 *    is in trouble, too, although no driver reports it; the process does not use it any
 *    more. 0 waits for ever.
 *
 * The message port "status" carries dictionaries: once a second the values of
 * statistics(); at device trouble {"error": text, "engine": name}, where engine is "cpu"
 * if the block goes on.
 */
class GPUFFT_API engine_block
{
public:
    virtual ~engine_block() {}

    /*! \brief The engine in use: "cuda" or "cpu". */
    virtual std::string engine() const = 0;

    /*! \brief Why this one, e.g. "auto: GPU 6 Gsps, CPU 310 Msps". */
    virtual std::string engine_reason() const = 0;

    /*! \brief Exactly what runs, in one line. */
    virtual std::string describe() const = 0;

    /*! \brief Why the block has stopped; empty if it has not. */
    virtual std::string error() const = 0;

    /*! \brief What has gone through the engine since start(). */
    virtual stream_statistics statistics() const = 0;
};

} // namespace gpufft
} // namespace gr

#endif
