// SPDX-License-Identifier: GPL-3.0-or-later
//
// Turns a message into a burst, or says why it is none.

#include "burst.h"
#include <spdlog/fmt/fmt.h>
#include <stdexcept>

namespace gr {
namespace gpufft {

namespace {

// What a message, or a part of it, is, for an error's text.
std::string kind_of(const pmt::pmt_t& value)
{
    if (pmt::is_null(value))
        return "empty";
    if (pmt::is_symbol(value))
        return "a symbol";
    if (pmt::is_bool(value))
        return "a boolean";
    if (pmt::is_number(value))
        return "a number";
    if (pmt::is_u8vector(value))
        return "a u8vector (bytes)";
    if (pmt::is_s16vector(value))
        return "an s16vector (shorts)";
    if (pmt::is_s32vector(value))
        return "an s32vector (ints)";
    if (pmt::is_uniform_vector(value))
        return "a vector of another type";
    if (pmt::is_dict(value))
        return "a dictionary";
    if (pmt::is_pair(value))
        return "a pair";
    return "something else";
}

} // namespace

burst burst::of(const pmt::pmt_t& message)
{
    if (!pmt::is_pair(message))
        throw std::invalid_argument(
            fmt::format("it is {}, but must be a PDU: a pair of metadata and samples",
                        kind_of(message)));
    burst result;
    result.metadata = pmt::car(message);
    if (pmt::is_null(result.metadata))
        result.metadata = pmt::make_dict();
    if (!pmt::is_dict(result.metadata))
        throw std::invalid_argument(fmt::format(
            "its metadata is {}, but must be a dictionary", kind_of(result.metadata)));
    const pmt::pmt_t samples = pmt::cdr(message);
    result.is_real = pmt::is_f32vector(samples);
    if (result.is_real)
        result.samples = pmt::f32vector_elements(samples, result.count);
    else if (pmt::is_c32vector(samples))
        result.samples = pmt::c32vector_elements(samples, result.count);
    else
        throw std::invalid_argument(fmt::format(
            "its samples are {}, but must be a c32vector or an f32vector (complex or "
            "float)",
            kind_of(samples)));
    if (result.count == 0)
        throw std::invalid_argument("it holds no samples");
    return result;
}

} // namespace gpufft
} // namespace gr
