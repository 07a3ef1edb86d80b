// SPDX-License-Identifier: GPL-3.0-or-later
//
// The parts of describe().

#include "general_text.h"
#include "cosine_lines.h"

#include <algorithm>
#include <sstream>
#include <vector>

namespace gr {
namespace gpufft {

namespace {

std::string times_text(const std::vector<std::size_t>& numbers)
{
    std::string text;
    for (std::size_t number : numbers)
        text += (text.empty() ? "" : "x") + std::to_string(number);
    return text;
}

std::string strides_text(const std::vector<std::size_t>& strides)
{
    return strides.empty() ? "" : " strides(" + times_text(strides) + ")";
}

// How FFTW's complex and real transforms serve a DCT or DST, if they do.
std::string inner_text(const problem& what)
{
    typedef cosine_lines<float> lines;
    const std::vector<std::size_t> axes = what.axes();
    const auto served = std::count_if(axes.begin(), axes.end(), [&](std::size_t n) {
        return lines::takes(what.kind, n);
    });
    if (served == 0)
        return "";
    return std::string(std::size_t(served) < axes.size() ? " partly by " : " by ") +
           to_string(lines::inner_kind(what.kind));
}

} // namespace

std::string general_transform_text(const problem& what)
{
    if (what.kind == transform_kind::zoom) {
        std::ostringstream text;
        text << "zoom " << what.n << " to " << what.row_bins() << " bins of "
             << what.f_start << " ... " << what.f_stop;
        return text.str();
    }
    return std::string(to_string(what.kind)) + " " + times_text(what.axes()) +
           (what.orthogonal ? " orthogonal" : "") + inner_text(what) +
           (what.axes().size() > 1 ? " axis by axis" : "");
}

std::string general_load_text(const problem& what)
{
    return std::string(to_string(what.input)) + (what.window ? " window" : "") +
           (what.shift_input ? " shift" : "") + strides_text(what.input_strides);
}

std::string general_store_text(const problem& what)
{
    std::ostringstream text;
    text << to_string(what.output);
    if (what.scale != 1.0)
        text << " scale(" << what.scale << ")";
    if (what.shift_output)
        text << " shift";
    if (what.stored != number_format::working)
        text << " " << to_string(what.stored);
    text << strides_text(what.output_strides);
    if (what.effective_output_distance() != what.output_span())
        text << " distance(" << what.effective_output_distance() << ")";
    return text.str();
}

} // namespace gpufft
} // namespace gr
