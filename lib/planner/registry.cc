// SPDX-License-Identifier: GPL-3.0-or-later
//
// The list of algorithms.

#include "registry.h"
#include "planner/axes/row_column.h"
#include "planner/axes/strided.h"
#include "planner/axes/tensor.h"
#include "planner/cluster/cluster.h"
#include "planner/convolution/bluestein.h"
#include "planner/convolution/in_place.h"
#include "planner/convolution/mixed.h"
#include "planner/convolution/rader.h"
#include "planner/convolution/zoom.h"
#include "planner/filters/channels.h"
#include "planner/filters/correlation.h"
#include "planner/filters/filter.h"
#include "planner/filters/synthesis.h"
#include "planner/levels/columns.h"
#include "planner/levels/hierarchical.h"
#include "planner/real/real.h"
#include "planner/real/real_tensor.h"
#include "planner/stockham/stockham.h"
#include "planner/textbook/ladder.h"
#include "planner/textbook/textbook.h"

#include <stdexcept>

namespace gr {
namespace gpufft {

const std::vector<algorithm>& algorithms()
{
    static const std::vector<algorithm> all = [] {
        std::vector<algorithm> list = { stockham_algorithm(),
                                        in_place_algorithm(),
                                        cluster_algorithm(),
                                        hierarchical_algorithm(),
                                        rader_algorithm(),
                                        bluestein_algorithm(),
                                        mixed_algorithm(),
                                        real_algorithm(),
                                        tensor_algorithm(),
                                        real_tensor_algorithm(),
                                        row_column_algorithm(),
                                        columns_algorithm(),
                                        strided_algorithm(),
                                        zoom_algorithm(),
                                        filter_algorithm(),
                                        channels_algorithm(),
                                        synthesis_algorithm(),
                                        correlation_algorithm(),
                                        bluestein_inexact_algorithm() };
        for (const auto& more : { ladder_algorithms(), textbook_algorithms() })
            list.insert(list.end(), more.begin(), more.end());
        return list;
    }();
    return all;
}

static const auto& s_made_algorithms = algorithms();

std::vector<std::string> algorithm_names()
{
    std::vector<std::string> names;
    for (const algorithm& each : algorithms())
        names.emplace_back(each.name);
    return names;
}

const algorithm& find_algorithm(const std::string& name)
{
    std::string list;
    for (const algorithm& each : algorithms()) {
        if (name == each.name)
            return each;
        list += std::string(list.empty() ? "" : ", ") + each.name;
    }
    throw std::invalid_argument("algorithm is " + name + ", but must be one of " + list);
}

std::vector<unsigned char> window_of(const problem& what,
                                     const recipe& how,
                                     const std::vector<double>& window,
                                     const std::vector<plan::rotation>& rotations)
{
    if (what.is_channel_bank())
        return make_window(what, how, window, rotations);
    const auto spectrum_of = find_algorithm(how.algorithm).spectrum_of;
    if (spectrum_of == nullptr)
        return in_working_precision(what, window);
    std::vector<double> numbers;
    for (const std::complex<double>& value : spectrum_of(what, how, window)) {
        numbers.push_back(value.real());
        numbers.push_back(value.imag());
    }
    return in_working_precision(what, numbers);
}

program build_program(const problem& what, const recipe& how)
{
    for (const stockham_shape& shape : how.core().shapes)
        if (shape.is_double != what.is_double())
            throw std::invalid_argument("the recipe " + how.to_text() +
                                        " is not of the precision of " +
                                        what.to_string());
    program made = find_algorithm(how.algorithm).build(what, how);
    made.set_precision(what.is_double());
    return made;
}

} // namespace gpufft
} // namespace gr
