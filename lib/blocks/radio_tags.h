// SPDX-License-Identifier: GPL-3.0-or-later
//
// The tags rx_rate and rx_freq behind a block that changes what they say.

#ifndef INCLUDED_GPUFFT_BLOCKS_RADIO_TAGS_H
#define INCLUDED_GPUFFT_BLOCKS_RADIO_TAGS_H

#include <atomic>
#include <cmath>
#include <gnuradio/tags.h>

namespace gr {
namespace gpufft {

inline bool is_real_value(const pmt::pmt_t& value)
{
    return pmt::is_real(value) || pmt::is_integer(value) || pmt::is_uint64(value);
}

// pmt::to_double() throws for uint64.
inline double real_value(const pmt::pmt_t& value)
{
    return pmt::is_uint64(value) ? static_cast<double>(pmt::to_uint64(value))
                                 : pmt::to_double(value);
}

inline bool is_rate(const tag_t& tag)
{
    return pmt::eqv(tag.key, pmt::mp("rx_rate")) && is_real_value(tag.value);
}

inline bool is_center(const tag_t& tag)
{
    return pmt::eqv(tag.key, pmt::mp("rx_freq")) && is_real_value(tag.value);
}

class radio_tags
{
public:
    // Any thread.
    void set(bool follow) { d_follow = follow; }
    bool get() const { return d_follow; }

    // The input's sample rate, by its last rx_rate; 0 before the first.
    double rate() const { return d_rate; }
    void note(const tag_t& tag)
    {
        if (is_rate(tag))
            d_rate = real_value(tag.value);
    }

    // Changes a tag to what it says of an output that has `ratio` samples for each of the
    // input's, and whose centre is center() Hz from the input's. False if it is not to
    // pass: the centre, NaN, is not known.
    template <class Center>
    bool follow(tag_t& tag, double ratio, Center&& center) const
    {
        if (!d_follow)
            return true;
        if (is_rate(tag) && ratio != 1)
            tag.value = pmt::from_double(real_value(tag.value) * ratio);
        if (!is_center(tag))
            return true;
        const double distance = center();
        if (distance != 0)
            tag.value = pmt::from_double(real_value(tag.value) + distance);
        return !std::isnan(distance);
    }

private:
    std::atomic<bool> d_follow{ true };
    double d_rate = 0;
};

} // namespace gpufft
} // namespace gr

#endif
