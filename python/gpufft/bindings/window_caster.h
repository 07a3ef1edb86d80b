// SPDX-License-Identifier: GPL-3.0-or-later
//
// Python's ways to say window: None, a name, a type of gnuradio.fft.window, (name or
// type, parameter), or taps.

#ifndef INCLUDED_GPUFFT_WINDOW_CASTER_H
#define INCLUDED_GPUFFT_WINDOW_CASTER_H

#include "shown.h"
#include <gnuradio/gpufft/window_spec.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <string>
#include <vector>

namespace pybind11 {
namespace detail {

template <>
struct type_caster<gr::gpufft::window_spec> {
    PYBIND11_TYPE_CASTER(gr::gpufft::window_spec, const_name("window"));

    bool load(handle source, bool)
    {
        if (isinstance<tuple>(source) && len(source) == 2 && is_kind(source[int_(0)]))
            value = of_kind(source[int_(0)], number_of(source[int_(1)]));
        else if (is_kind(source))
            value = of_kind(source);
        else if (!source.is_none())
            value = gr::gpufft::window_spec(taps_of(source));
        return true;
    }

    // For defaults in signatures, which have no taps.
    static handle cast(const gr::gpufft::window_spec& source, return_value_policy, handle)
    {
        if (source.is_none())
            return none().release();
        return str(source.name()).release();
    }

private:
    static std::vector<float> taps_of(handle source)
    {
        make_caster<std::vector<float>> taps;
        const bool has_length = PyObject_Size(source.ptr()) >= 0;
        PyErr_Clear(); // of an array without dimensions, say
        if (!has_length || !taps.load(source, true))
            throw type_error("window is " + gr::gpufft::shown(source) +
                             ": must be taps, a name, a type, (name or type, "
                             "parameter) or None");
        return cast_op<std::vector<float>&&>(std::move(taps));
    }

    static double number_of(handle source)
    {
        make_caster<double> number;
        if (!number.load(source, true))
            throw type_error("window's parameter is " + gr::gpufft::shown(source) +
                             ": must be a number");
        return cast_op<double>(number);
    }

    // True for a name or a type. A tuple of two taps starts with a float.
    static bool is_kind(handle source)
    {
        return isinstance<str>(source) ||
               (PyIndex_Check(source.ptr()) && !isinstance<bool_>(source) &&
                !PySequence_Check(source.ptr()));
    }

    template <class... Param>
    static gr::gpufft::window_spec of_kind(handle kind, Param... param)
    {
        make_caster<std::string> name;
        if (isinstance<str>(kind) && name.load(kind, true))
            return gr::gpufft::window_spec(cast_op<std::string&&>(std::move(name)),
                                           param...);
        make_caster<int> type;
        if (!type.load(kind, true)) // beyond an int, or a name that is no Unicode text
            throw value_error("window type " + gr::gpufft::shown(kind) +
                              " is unknown: use one of gr-fft's, -1 (none) ... 15 "
                              "(tukey)");
        return gr::gpufft::window_spec(cast_op<int>(type), param...);
    }
};

} // namespace detail
} // namespace pybind11

#endif
