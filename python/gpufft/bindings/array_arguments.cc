// SPDX-License-Identifier: GPL-3.0-or-later
//
// Arrays, axes and lengths, read and checked.

#include "array_arguments.h"
#include "blocks/ranges.h"

#include <algorithm>
#include <complex>
#include <limits>
#include <spdlog/fmt/fmt.h>

namespace gr {
namespace gpufft {

namespace {

// Nothing if it is no int, or none that fits.
std::optional<long> read_int(const py::handle& number)
{
    if (!PyLong_CheckExact(number.ptr()))
        return std::nullopt;
    int overflow = 0;
    const long value = PyLong_AsLongAndOverflow(number.ptr(), &overflow);
    return overflow == 0 ? std::make_optional(value) : std::nullopt;
}

} // namespace

std::optional<norm> read_norm(const py::handle& name)
{
    if (name.is_none())
        return norm::backward;
    if (!PyUnicode_Check(name.ptr()))
        return std::nullopt;
    if (PyUnicode_CompareWithASCIIString(name.ptr(), "backward") == 0)
        return norm::backward;
    if (PyUnicode_CompareWithASCIIString(name.ptr(), "ortho") == 0)
        return norm::ortho;
    if (PyUnicode_CompareWithASCIIString(name.ptr(), "forward") == 0)
        return norm::forward;
    return std::nullopt;
}

std::optional<sample_type> type_of(const py::array& x)
{
    if (!(x.flags() & py::detail::npy_api::NPY_ARRAY_ALIGNED_))
        return std::nullopt;
    const py::dtype type = x.dtype();
    if (type.byteorder() != '=')
        return std::nullopt;
    switch (type.num()) {
    case py::detail::npy_api::NPY_FLOAT_:
        return sample_type{ false, false };
    case py::detail::npy_api::NPY_DOUBLE_:
        return sample_type{ false, true };
    case py::detail::npy_api::NPY_CFLOAT_:
        return sample_type{ true, false };
    case py::detail::npy_api::NPY_CDOUBLE_:
        return sample_type{ true, true };
    default:
        return std::nullopt;
    }
}

py::array
make_array(bool is_complex, bool is_double, const std::vector<std::size_t>& shape)
{
    if (is_complex)
        return is_double ? py::array(py::array_t<std::complex<double>>(shape))
                         : py::array(py::array_t<std::complex<float>>(shape));
    return is_double ? py::array(py::array_t<double>(shape))
                     : py::array(py::array_t<float>(shape));
}

host_array view_of(const py::array& array)
{
    host_array view;
    view.data = const_cast<char*>(static_cast<const char*>(array.data()));
    view.shape.assign(array.shape(), array.shape() + array.ndim());
    view.strides.assign(array.strides(), array.strides() + array.ndim());
    return view;
}

void check_request(const array_request& what, const py::array& x, const sample_type& type)
{
    const bool takes_complex =
        what.kind == transform_kind::c2c || what.kind == transform_kind::c2r;
    if (type.is_complex ? !takes_complex : what.kind == transform_kind::c2r)
        throw std::out_of_range(fmt::format("x is {}: {} takes the other",
                                            type.is_complex ? "complex" : "real",
                                            to_string(what.kind)));
    check_range("size of x", x.size(), 1, std::numeric_limits<std::int64_t>::max());
    check_range("number of axes", what.axes.size(), 1, x.ndim());
    check_range(
        "number of lengths", what.lengths.size(), what.axes.size(), what.axes.size());
    for (std::size_t i = 0; i < what.axes.size(); ++i) {
        const std::size_t axis = what.axes[i], length = what.lengths[i];
        check_range("axis", axis, 0, x.ndim() - 1);
        if (std::count(what.axes.begin(), what.axes.end(), axis) > 1)
            throw std::out_of_range(fmt::format("axis {} comes twice", axis));
        const bool is_half =
            what.kind == transform_kind::c2r && i + 1 == what.axes.size();
        const std::int64_t there = x.shape(axis);
        check_range("length", length, 1, is_half ? 2 * there - 1 : there);
    }
}

void check_output(const py::array& out,
                  const sample_type& wanted,
                  const std::vector<std::size_t>& shape)
{
    const std::optional<sample_type> type = type_of(out);
    if (!type || type->is_complex != wanted.is_complex ||
        type->is_double != wanted.is_double || !out.writeable() ||
        !std::equal(shape.begin(), shape.end(), out.shape(), out.shape() + out.ndim()) ||
        !has_plain_strides(view_of(out), out.itemsize()))
        throw std::out_of_range("out must have the shape and dtype of the result, be "
                                "writeable, aligned, and not backward or broadcast");
}

std::optional<std::vector<std::size_t>>
read_axes(const py::handle& named, long ndim, bool several)
{
    std::vector<std::size_t> axes;
    const auto add = [&](const py::handle& number) {
        const std::optional<long> given = read_int(number);
        if (!given || *given < -ndim || *given >= ndim)
            return false;
        const std::size_t axis = *given + (*given < 0 ? ndim : 0);
        if (std::count(axes.begin(), axes.end(), axis) > 0)
            return false;
        axes.push_back(axis);
        return true;
    };
    if (several && named.is_none())
        for (long axis = 0; axis < ndim; ++axis)
            axes.push_back(axis);
    else if (several && PyTuple_CheckExact(named.ptr())) {
        for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(named.ptr()); ++i)
            if (!add(PyTuple_GET_ITEM(named.ptr(), i)))
                return std::nullopt;
    } else if (!add(named))
        return std::nullopt;
    if (axes.empty())
        return std::nullopt;
    return axes;
}

std::optional<std::vector<std::size_t>> read_lengths(const py::handle& n,
                                                     const py::array& x,
                                                     const std::vector<std::size_t>& axes,
                                                     transform_kind kind)
{
    const bool halves = kind == transform_kind::c2r;
    std::vector<std::size_t> lengths;
    for (std::size_t axis : axes)
        lengths.push_back(x.shape(axis));
    const std::size_t there = lengths.back();
    if (halves)
        lengths.back() = 2 * (there - 1);
    if (!n.is_none()) {
        const std::optional<long> asked = read_int(n);
        if (!asked || *asked < 1 || *asked > static_cast<long>(MAX_ARRAY_POINTS) ||
            (halves ? *asked / 2 + 1 : *asked) > static_cast<long>(there))
            return std::nullopt;
        lengths.back() = *asked;
    }
    for (std::size_t length : lengths)
        if (length < (kind == transform_kind::dct1 ? 2 : 1))
            return std::nullopt;
    return lengths;
}

} // namespace gpufft
} // namespace gr
