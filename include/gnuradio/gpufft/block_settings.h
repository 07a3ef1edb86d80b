// SPDX-License-Identifier: GPL-3.0-or-later
//
// The settings of a block as one struct, read and changed from any thread.

#ifndef INCLUDED_GPUFFT_BLOCK_SETTINGS_H
#define INCLUDED_GPUFFT_BLOCK_SETTINGS_H

#include <functional>
#include <gnuradio/gpufft/api.h>

namespace gr {
namespace gpufft {

/*! \brief The base of blocks whose make() takes the struct Settings. */
template <class Settings>
class GPUFFT_API block_settings
{
public:
    typedef Settings settings_type;

    virtual ~block_settings() {}

    virtual Settings settings() const = 0;

    /*! \brief Calls change(settings), at any time and from any thread. All of its changes
     * take effect together, or none if `change` or the check of the result throws. */
    virtual void change(const std::function<void(Settings&)>& change) = 0;

    /*! \brief Changes one field, e.g. set(&power_spectrum_settings::alpha, 0.1). */
    template <class Field, class Value>
    void set(Field Settings::*field, const Value& value)
    {
        change([&](Settings& next) { next.*field = value; });
    }
};

} // namespace gpufft
} // namespace gr

#endif
