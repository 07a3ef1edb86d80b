// SPDX-License-Identifier: GPL-3.0-or-later
//
// The formats of samples at a block's stream ports.

#ifndef INCLUDED_GPUFFT_ITEM_FORMATS_H
#define INCLUDED_GPUFFT_ITEM_FORMATS_H

#include <gnuradio/gpufft/api.h>
#include <string>

namespace gr {
namespace gpufft {

/*!
 * \brief Formats of the samples that a block reads and gives.
 *
 * One item is one whole sample, at ports of vectors one element of a vector:
 *
 *     name   item                    bytes   full scale 1 is   in GNU Radio
 *     cf32   complex64               8       1                 gr_complex, fc32
 *     cs16   complex of two int16    4       32768             sc16, short with vlen 2
 *     cs12   complex of 12 bits each 3       2048              byte with vlen 3
 *     cs8    complex of two int8     2       128               sc8, byte with vlen 2
 *     cf16   complex of two halves   4       1                 short with vlen 2
 *     f32, s16, s8, f16: the same numbers, real
 *     s12    two real 12-bit integers  3     2048              byte with vlen 3
 *     s10    four real 10-bit integers 5     512               byte with vlen 5
 *
 * The last two are the only items of several samples. They and cs12 are for input only,
 * packed with the highest bits first, cs12 as UHD's sc12. s12 and s10 are for filters,
 * banks of them, polyphase channelizers and power spectra with a hop of whole items.
 *
 * Output values are multiplied by output_scale, rounded to the nearest (ties to even) and
 * limited to the range of the format. So integers pass unchanged through a block with a
 * gain of 1. stream_statistics::saturated counts those that were beyond the range, but
 * for real transforms (rfft_vfc, irfft_vcf, dct_vff, dst_vff).
 */
struct GPUFFT_API item_formats {
    std::string input;         //!< "": as the block's name says
    std::string output;        //!< "": float or complex64, as the block's name says
    double output_scale = 1.0; //!< any finite number
};

/*! \brief What the blocks with item_formats have. */
class GPUFFT_API formatted_block
{
public:
    virtual ~formatted_block() {}

    /*! \brief Sets another factor on the output, at any time and from any thread; it
     * takes effect between two outputs. \throws std::invalid_argument unless it is
     * finite. */
    virtual void set_output_scale(double factor) = 0;
    virtual double output_scale() const = 0;
};

} // namespace gpufft
} // namespace gr

#endif
