// SPDX-License-Identifier: GPL-3.0-or-later
//
// A user's own computation between the blocks of this module, see device_block.

#ifndef INCLUDED_GPUFFT_DEVICE_FUNCTION_H
#define INCLUDED_GPUFFT_DEVICE_FUNCTION_H

#include <cstddef>
#include <cstdint>
#include <gnuradio/gpufft/api.h>
#include <gnuradio/gpufft/engine.h>
#include <string>

namespace gr {
namespace gpufft {

/*! \brief The items of one call of a device_function.
 *
 * A frame is `decimation` new items, with the `history` items before them; its row is
 * `interpolation` items of every output. Frames lie in order, `decimation` items apart,
 * so that `input` has history + frames * decimation items. Rows follow one another.
 */
struct GPUFFT_API device_call {
    const void* input = nullptr; //!< must not be written: other blocks may read it, too
    void* output = nullptr;
    std::size_t frames = 0;  //!< 1 or more
    void* stream = nullptr;  //!< the CUstream for all work, not to be waited for; null:
                             //!< both memories are the host's, and the call computes
    int device = -1;         //!< index of the GPU, whose context is current; -1: the CPU
    std::uint64_t first = 0; //!< number of the first of these frames in the stream
};

/*! \brief Computes rows from frames. One thread at a time calls it. An exception ends the
 * flowgraph with its text in error(), or with on_error "cpu" the CPU computes these
 * frames again. */
class GPUFFT_API device_function
{
public:
    virtual ~device_function();

    /*! \brief For describe(). */
    virtual std::string name() const = 0;

    /*! \brief Why this engine (cuda or cpu) cannot compute it; "" if it can. */
    virtual std::string obstacle(engine_kind engine) const;

    /*! \brief Prepares calls on this GPU, e.g. compiles; -1 is the CPU. The constructor
     * of the block calls it, for each of its GPUs. */
    virtual void prepare(int device);

    /*! \brief The calls on this GPU are over: nothing may stay there. Must not throw. */
    virtual void release(int device);

    /*! \brief The flowgraph starts, or goes on after unlock(): the thread that starts it
     * calls this before the first call of compute(). */
    virtual void begin();

    /*! \brief Computes the rows, or queues the work on the stream. */
    virtual void compute(const device_call& call) = 0;
};

} // namespace gpufft
} // namespace gr

#endif
