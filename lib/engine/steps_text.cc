// SPDX-License-Identifier: GPL-3.0-or-later
//
// One word for each step that does something.

#include "steps_text.h"
#include "problem/density_row.h"

#include <sstream>

namespace gr {
namespace gpufft {

namespace {

std::string strides_text(const std::vector<std::size_t>& strides)
{
    std::string text;
    for (std::size_t stride : strides)
        text += (text.empty() ? " strides(" : "x") + std::to_string(stride);
    return text.empty() ? "" : text + ")";
}

} // namespace

std::string describe_steps(const problem& what)
{
    std::ostringstream text;
    const auto say = [&](bool acts, const char* step, const auto& value) {
        if (acts)
            text << " " << step << "(" << value << ")";
    };
    text << "load " << to_string(what.input) << (what.window ? " window" : "");
    say(what.taps > 1, "taps", what.taps);
    text << (what.running ? " running" : "") << (what.shift_input ? " shift" : "")
         << strides_text(what.input_strides);
    say(what.effective_hop() != what.input_span(), "hop", what.effective_hop());

    text << ", store " << (what.is_power() ? "power" : to_string(what.output));
    say(what.picks_bins(), "bins", what.bins);
    say(what.average > 1, to_string(what.detector), what.average);
    say(what.hold != hold_kind::none, "hold", to_string(what.hold));
    say(what.hold == hold_kind::none && what.smoothing < 1.0, "smooth", what.smoothing);
    say(what.scale != 1.0, "scale", what.scale);
    text << (what.output == output_kind::decibel ? " decibel" : "")
         << (what.shift_output ? " shift" : "");
    if (what.stored != number_format::working)
        text << " " << to_string(what.stored);
    text << strides_text(what.output_strides);
    say(what.effective_output_distance() != what.output_span(),
        "distance",
        what.effective_output_distance());
    if (what.has_density())
        text << ", " << describe_density(what);
    return text.str();
}

std::string describe_expressions(const problem& what)
{
    std::string text;
    const auto say = [&](const char* step, const std::string& expression) {
        if (!expression.empty())
            text += std::string(text.empty() ? "" : ", ") + step + "(" + expression + ")";
    };
    say("load", what.load);
    say("product", what.product);
    say("store", what.store);
    return text;
}

} // namespace gpufft
} // namespace gr
