// SPDX-License-Identifier: GPL-3.0-or-later
//
// Python's ways to say device: an index or a sequence of them.

#ifndef INCLUDED_GPUFFT_DEVICE_CASTER_H
#define INCLUDED_GPUFFT_DEVICE_CASTER_H

#include "shown.h"
#include <gnuradio/gpufft/device_list.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <string>
#include <vector>

namespace pybind11 {
namespace detail {

template <>
struct type_caster<gr::gpufft::device_list> {
    PYBIND11_TYPE_CASTER(gr::gpufft::device_list, const_name("device"));

    bool load(handle source, bool)
    {
        make_caster<int> index;
        make_caster<std::vector<int>> indices;
        if (index.load(source, true))
            value = gr::gpufft::device_list(cast_op<int>(index));
        else if (indices.load(source, true))
            value =
                gr::gpufft::device_list(cast_op<std::vector<int>&&>(std::move(indices)));
        else
            throw type_error("device is " + gr::gpufft::shown(source) +
                             ": must be an index or a list of them");
        return true;
    }

    static handle cast(const gr::gpufft::device_list& source, return_value_policy, handle)
    {
        if (source.indices().size() == 1)
            return pybind11::cast(source.indices().front()).release();
        return pybind11::cast(source.indices()).release();
    }
};

} // namespace detail
} // namespace pybind11

#endif
