// SPDX-License-Identifier: GPL-3.0-or-later
//
// The table of the kinds of transforms.

#include <gnuradio/gpufft/transform_kind.h>
#include <stdexcept>
#include <string>

namespace gr {
namespace gpufft {

const std::vector<kind_properties>& transform_kinds()
{
    typedef transform_kind kind;
    static const std::vector<kind_properties> table = {
        // reads and stores real numbers, type, sine, period
        { kind::c2c, "c2c", false, false, 0, false, 1, 0 },
        { kind::r2c, "r2c", true, false, 0, false, 1, 0 },
        { kind::c2r, "c2r", false, true, 0, false, 1, 0 },
        { kind::zoom, "zoom", false, false, 0, false, 1, 0 },
        { kind::filter, "filter", false, false, 0, false, 1, 0 },
        { kind::synthesis, "synthesis", false, false, 0, false, 1, 0 },
        { kind::correlation, "correlation", false, false, 0, false, 1, 0 },
        { kind::dct1, "dct1", true, true, 1, false, 2, -1 },
        { kind::dct2, "dct2", true, true, 2, false, 2, 0 },
        { kind::dct3, "dct3", true, true, 3, false, 2, 0 },
        { kind::dct4, "dct4", true, true, 4, false, 2, 0 },
        { kind::dst1, "dst1", true, true, 1, true, 2, 1 },
        { kind::dst2, "dst2", true, true, 2, true, 2, 0 },
        { kind::dst3, "dst3", true, true, 3, true, 2, 0 },
        { kind::dst4, "dst4", true, true, 4, true, 2, 0 }
    };
    return table;
}

// Runs when the library is loaded: the child of a process that forks while another thread
// makes the table would wait for it for ever.
const std::vector<kind_properties>& s_made_kinds = transform_kinds();

const kind_properties& properties_of(transform_kind kind)
{
    // bytes to bytes, which no precision converts
    static constexpr kind_properties function = {
        transform_kind::function, "function", true, true, 0, false, 1, 0
    };
    if (kind == transform_kind::function)
        return function;
    for (const kind_properties& each : transform_kinds())
        if (each.kind == kind)
            return each;
    throw std::logic_error("transform_kind is " + std::to_string(static_cast<int>(kind)) +
                           ", which is none");
}

transform_kind real_to_real_kind(bool is_sine, int type)
{
    for (const kind_properties& each : transform_kinds())
        if (each.type == type && each.is_sine == is_sine && type > 0)
            return each.kind;
    throw std::invalid_argument("type is " + std::to_string(type) +
                                ", but must be 1, 2, 3 or 4");
}

const char* to_string(transform_kind kind) { return properties_of(kind).name; }

} // namespace gpufft
} // namespace gr
