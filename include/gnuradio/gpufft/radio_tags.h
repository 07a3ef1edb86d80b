// SPDX-License-Identifier: GPL-3.0-or-later
//
// The tags of receivers, behind blocks that change the sample rate or the centre.

#ifndef INCLUDED_GPUFFT_RADIO_TAGS_H
#define INCLUDED_GPUFFT_RADIO_TAGS_H

#include <gnuradio/gpufft/api.h>

namespace gr {
namespace gpufft {

/*!
 * \brief Common part of the filters and of the banks of channels.
 *
 * Receivers tag their streams with rx_rate (samples a second) and rx_freq (the centre of
 * the band, Hz). Behind such a block both are those of its output: rx_rate is that of one
 * channel, rx_freq the centre of the stream's channel. Vectors of all channels keep the
 * input's rx_freq. A channelizer knows its channels' centres from the last rx_rate;
 * before the first one rx_freq goes to channel 0 only. Values that are no real numbers
 * pass unchanged.
 */
class GPUFFT_API radio_tags_block
{
public:
    virtual ~radio_tags_block() {}

    /*! \brief Whether both tags follow, as above and at first, or pass unchanged, as with
     * GNU Radio's own blocks. */
    virtual void set_radio_tags(bool follow) = 0;
    virtual bool radio_tags() const = 0;
};

} // namespace gpufft
} // namespace gr

#endif
