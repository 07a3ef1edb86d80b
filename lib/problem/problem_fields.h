// SPDX-License-Identifier: GPL-3.0-or-later
//
// The table of a problem's fields in its string. problem_text.cc writes them in this
// order, problem_reader.cc reads them in any order.

#ifndef INCLUDED_GPUFFT_PROBLEM_FIELDS_H
#define INCLUDED_GPUFFT_PROBLEM_FIELDS_H

#include "problem_names.h"

#include <type_traits>

namespace gr {
namespace gpufft {

// Calls visit(token, field) for each field: a flag is its token alone; another value
// follows its token. Calls visit(token, field, names) if one of the names follows the
// token. No token begins like a later one.
template <class Visit>
void visit_fields(Visit&& visit)
{
    visit("", &problem::input, FORMAT_NAMES);
    visit("hop", &problem::hop);
    visit("istrides", &problem::input_strides);
    visit("ostrides", &problem::output_strides);
    visit("odist", &problem::output_distance);
    visit("window", &problem::window);
    visit("taps", &problem::taps);
    visit("running", &problem::running);
    visit("ctaps", &problem::complex_taps);
    visit("shiftin", &problem::shift_input);
    visit("", &problem::output, POWER_NAMES);
    visit("out", &problem::stored, STORED_NAMES);
    visit("shiftout", &problem::shift_output);
    visit("ortho", &problem::orthogonal);
    visit("alone", &problem::alone);
    visit("bins", &problem::bins);
    visit("from", &problem::f_start);
    visit("to", &problem::f_stop);
    visit("shifts", &problem::shifts);
    visit("delays", &problem::delays);
    visit("blocks", &problem::blocks);
    visit("", &problem::peaks, PEAK_NAMES);
    visit("load=", &problem::load);
    visit("product=", &problem::product);
    visit("store=", &problem::store);
    visit("", &problem::detector, DETECTOR_NAMES);
    visit("density", &problem::density); // columns x levels
    visit("first", &density_grid::first);
    visit("span", &density_grid::bins);
    visit("low", &density_grid::low);
    visit("high", &density_grid::high);
    visit("avg", &problem::average);
    visit("smooth", &problem::smoothing);
    visit("hold", &problem::hold, HOLD_NAMES);
    visit("scale", &problem::scale);
    visit("algorithm=", &problem::algorithm);
}

// A field of the problem or of its density.
template <class Problem, class Part, class Value>
auto& field_of(Problem& what, Value Part::*field)
{
    if constexpr (std::is_same_v<Part, density_grid>)
        return what.density.*field;
    else
        return what.*field;
}

// The problem of this kind whose string has no further tokens.
problem usual_problem(transform_kind kind);

} // namespace gpufft
} // namespace gr

#endif
