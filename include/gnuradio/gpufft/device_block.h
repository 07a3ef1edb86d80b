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

namespace gr {
namespace gpufft {

/*! \brief The items at the ports of a device_block. */
struct GPUFFT_API device_ports {
    std::size_t input_bytes = 8;  //!< bytes of an input item, a number or a vector
    std::size_t output_bytes = 8; //!< bytes of an output item; of several outputs 1, 2, 4
                                  //!< or 8
    std::size_t outputs = 1;      //!< outputs, whose items take turns in a row
    std::size_t decimation = 1;   //!< new input items of a frame
    std::size_t interpolation = 1; //!< items that a frame adds to each output; 1 if there
                                   //!< are several
    std::size_t history = 0; //!< items before a frame's new ones, zeros at the beginning
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
 * Tags move to the first item of the row of their frame.
 */
class GPUFFT_API device_block : virtual public gr::block, virtual public engine_block
{
public:
    typedef std::shared_ptr<device_block> sptr;

    /*! \brief \throws std::invalid_argument for a number out of range or an engine that
     * the function cannot run on; cuda_error for device trouble with engine cuda. */
    static sptr make(const std::string& name,
                     const std::shared_ptr<device_function>& function,
                     const device_ports& ports,
                     const engine_options& options = engine_options());
};

} // namespace gpufft
} // namespace gr

#endif
