// SPDX-License-Identifier: GPL-3.0-or-later
//
// By the formats of samples and bins.

#include "array_items.h"

#include <stdexcept>

namespace gr {
namespace gpufft {

namespace {

array_item item_of(sample_format format)
{
    switch (format) {
    case sample_format::cf32:
        return { "complex64", 1 };
    case sample_format::f32:
        return { "float32", 1 };
    case sample_format::cs16:
        return { "int16", 2 };
    case sample_format::s10: // of an item of 4 samples; s12: of 2
        return { "uint8", 5 };
    case sample_format::s12:
    case sample_format::cs12:
        return { "uint8", 3 };
    case sample_format::cs8:
        return { "int8", 2 };
    case sample_format::cf16:
        return { "float16", 2 };
    case sample_format::f16:
        return { "float16", 1 };
    case sample_format::s16:
        return { "int16", 1 };
    case sample_format::s8:
        return { "int8", 1 };
    case sample_format::cf64:
        return { "complex128", 1 };
    case sample_format::f64:
        return { "float64", 1 };
    }
    throw std::logic_error("unknown sample format");
}

} // namespace

array_item input_item_of(const problem& what) { return item_of(what.input); }

array_item output_item_of(const problem& what)
{
    const bool is_real = what.output != output_kind::complex;
    const std::size_t parts = is_real ? 1 : 2;
    switch (what.stored) {
    case number_format::working:
        if (is_real)
            return { what.is_double() ? "float64" : "float32", 1 };
        return { what.is_double() ? "complex128" : "complex64", 1 };
    case number_format::f16:
        return { "float16", parts };
    case number_format::s16:
        return { "int16", parts };
    case number_format::s8:
        return { "int8", parts };
    }
    throw std::logic_error("unknown number format");
}

std::vector<py::ssize_t> frame_shape(const problem& what)
{
    std::vector<std::size_t> lengths = what.axes();
    lengths.back() = what.input_items(lengths.back());
    return item_shape(
        lengths, what.kind == transform_kind::c2r, input_item_of(what).numbers);
}

std::vector<py::ssize_t>
item_shape(std::vector<std::size_t> lengths, bool halved, std::size_t numbers)
{
    if (halved)
        lengths.back() = lengths.back() / 2 + 1;
    lengths.back() *= numbers;
    return { lengths.begin(), lengths.end() };
}

std::string shape_text(const std::vector<py::ssize_t>& shape)
{
    std::string text;
    for (py::ssize_t length : shape)
        text += (text.empty() ? "" : " by ") + std::to_string(length);
    return text.empty() ? "a scalar" : text;
}

std::string name_of(const py::dtype& type)
{
    return std::string(py::str(py::handle(type)));
}

} // namespace gpufft
} // namespace gr
