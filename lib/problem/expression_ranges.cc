// SPDX-License-Identifier: GPL-3.0-or-later
//
// Which problems may have expressions, and of which type these must be.

#include "expression.h"

#include <stdexcept>

namespace gr {
namespace gpufft {

namespace {

[[noreturn]] void refuse(const char* step, const std::string& text, const char* range)
{
    throw std::invalid_argument(std::string(step) + " is \"" + text + "\", but must be " +
                                range);
}

} // namespace

void check_expressions(const problem& what)
{
    typedef transform_kind kind;
    if (!what.has_expressions())
        return;
    const std::string& any = !what.load.empty()      ? what.load
                             : !what.product.empty() ? what.product
                                                     : what.store;
    if (what.is_double() || !what.input_strides.empty() || !what.has_plain_rows() ||
        what.axes().size() > 1)
        refuse("expression",
               any,
               "of a problem of one axis in single precision, without strides");
    if (!what.load.empty()) {
        if (what.kind != kind::c2c && what.kind != kind::zoom &&
            what.kind != kind::correlation)
            refuse("load", what.load, "of c2c, zoom or correlation");
        expression(what.load, "x");
    }
    if (!what.product.empty()) {
        if (what.kind != kind::correlation)
            refuse("product", what.product, "of correlation");
        expression(what.product, "xh");
    }
    if (!what.store.empty()) {
        const bool is_power = what.output == output_kind::power;
        if (what.kind != kind::c2c || what.picks_bins() ||
            (!is_power && what.output != output_kind::complex) ||
            what.stored != number_format::working || what.has_mean() ||
            what.detector != detector_kind::mean)
            refuse("store",
                   what.store,
                   "of c2c with complex rows or power, without averages, a format or a "
                   "map");
        if (!expression(what.store, "x").is_real() && is_power)
            refuse("store",
                   what.store,
                   "real with output power: take real(), imag(), abs(), norm() or arg()");
    }
    if (parameters_of(what).size() > MAX_PARAMETERS)
        refuse("expression", any, "of at most 16 parameters");
}

} // namespace gpufft
} // namespace gr
