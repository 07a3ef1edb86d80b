// SPDX-License-Identifier: GPL-3.0-or-later
//
// A block around a user's own computation, on the card between two blocks of this module.

#ifndef INCLUDED_GPUFFT_DEVICE_BLOCK_H
#define INCLUDED_GPUFFT_DEVICE_BLOCK_H

#include <gnuradio/block.h>
#include <gnuradio/gpufft/device_function.h>
#include <gnuradio/gpufft/engine_block.h>
#include <memory>
#include <string>
#include <vector>

namespace gr {
namespace gpufft {

/*! \brief An input of a device_block. */
struct GPUFFT_API device_input {
    std::size_t bytes = 8;      //!< of an item, a number or a vector
    std::size_t decimation = 1; //!< new items of a frame
    std::size_t history = 0;    //!< items before those, zeros at the beginning
    bool cuda_buffer = false;   //!< the neighbour is a block of the module gr-cuda
};

/*! \brief An output of a device_block. */
struct GPUFFT_API device_output {
    std::size_t bytes = 8;         //!< of an item, a number or a vector
    std::size_t interpolation = 1; //!< items of a row
    bool cuda_buffer = false;      //!< the neighbour is a block of the module gr-cuda
};

/*! \brief The ports of a device_block: a frame has items of each input, a row items of
 * each output.
 *
 * With a neighbour of gr-cuda GNU Radio's buffer is a gr::cuda_buffer, which both sides
 * read and write on the card, see docs/own_block.md. Then the engine must be cuda, on one
 * GPU, with on_error "stop", and all decimations and interpolations 1, without history.
 */
struct GPUFFT_API device_ports {
    std::vector<device_input> inputs = std::vector<device_input>(1);
    std::vector<device_output> outputs = std::vector<device_output>(1);
};

/*!
 * \brief Calls a device_function for the chunks of a stream.
 *
 * The engine cuda brings the items to the card, unless they are there, and leaves them
 * there for blocks of this module that read them; chunks are in flight, on one card or
 * several, as for every block of this module. The engine cpu calls the function with
 * GNU Radio's buffers. Engine "auto" is cuda if there is a usable GPU and the function
 * has no obstacle, without a measurement.
 *
 * Tags of every input move to the first item of the row of their frame, at all outputs.
 */
class GPUFFT_API device_block : virtual public gr::block, virtual public engine_block
{
public:
    typedef std::shared_ptr<device_block> sptr;

    /*! \brief A block of this name that calls `function`.
     * \throws std::invalid_argument for a null pointer, a number out of range or an
     * engine that the function cannot run on; cuda_error for device trouble with engine
     * cuda. */
    static sptr make(const std::string& name,
                     const std::shared_ptr<device_function>& function,
                     const device_ports& ports,
                     const engine_options& options = engine_options());
};

} // namespace gpufft
} // namespace gr

#endif
