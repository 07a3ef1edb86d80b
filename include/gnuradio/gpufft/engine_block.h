// SPDX-License-Identifier: GPL-3.0-or-later
//
// What every block of this module tells about the engine that runs it.

#ifndef INCLUDED_GPUFFT_ENGINE_BLOCK_H
#define INCLUDED_GPUFFT_ENGINE_BLOCK_H

#include <gnuradio/gpufft/api.h>
#include <string>

namespace gr {
namespace gpufft {

/*!
 * \brief Common part of the blocks.
 *
 * Every block's make() ends with the parameters
 *  - engine: "auto" (the GPU where it is usable and has the length, else the CPU),
 * "cuda", "cpu";
 *  - device: index of the NVIDIA GPU, from 0;
 *  - on_error: what device trouble while running does. "stop" ends the flowgraph with the
 *    reason in error(); "cpu" goes on with the same samples on the CPU (a running mean
 * starts anew).
 *
 * A block that stops publishes {"error": text, "engine": name} on its message port
 * "status".
 */
class GPUFFT_API engine_block
{
public:
    virtual ~engine_block() {}

    /*! \brief The engine in use: "cuda" or "cpu". */
    virtual std::string engine() const = 0;

    /*! \brief Exactly what runs, in one line. */
    virtual std::string describe() const = 0;

    /*! \brief Why the block has stopped; empty if it has not. */
    virtual std::string error() const = 0;
};

} // namespace gpufft
} // namespace gr

#endif
