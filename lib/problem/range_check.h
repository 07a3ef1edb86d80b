// SPDX-License-Identifier: GPL-3.0-or-later
//
// The words for a field of a problem that is out of range.

#ifndef INCLUDED_GPUFFT_RANGE_CHECK_H
#define INCLUDED_GPUFFT_RANGE_CHECK_H

#include <gnuradio/gpufft/problem.h>

#include <sstream>
#include <stdexcept>
#include <string>
#include <type_traits>

namespace gr {
namespace gpufft {
namespace ranges {

inline std::string text_of(const std::string& text) { return text; }
inline std::string text_of(std::size_t count) { return std::to_string(count); }
inline std::string text_of(double value)
{
    std::ostringstream text;
    text << value;
    return text.str();
}
inline std::string text_of(const problem& what) { return what.to_string(); }
template <class Name, class = std::enable_if_t<std::is_enum_v<Name>>>
std::string text_of(Name value)
{
    return to_string(value);
}

template <class Value>
void check(bool good,
           const std::string& name,
           const Value& value,
           const std::string& range)
{
    if (!good)
        throw std::invalid_argument(name + " is " + text_of(value) + ", but must be " +
                                    range);
}

} // namespace ranges

// Largest frequency of zoom's band, in cycles per sample: beyond it a double is too
// coarse for the bins.
constexpr double MAX_FREQUENCY = 1 << 20;

// Throws std::invalid_argument unless a correlation's fields are in range, and other
// kinds have none of them.
void check_correlation(const problem& what);

// Throws std::invalid_argument unless strides and distances are in range, and no two
// points of a row lie at the same place.
void check_layout(const problem& what);

} // namespace gpufft
} // namespace gr

#endif
