// SPDX-License-Identifier: GPL-3.0-or-later
//
// A chunk's parts.

#include "port_sizes.h"
#include <algorithm>

namespace gr {
namespace gpufft {

std::size_t port_sizes::most() const
{
    std::size_t bytes = 1;
    for (const input& each : inputs)
        bytes = std::max(bytes, each.frame);
    for (const std::size_t each : rows)
        bytes = std::max(bytes, each);
    return bytes;
}

bool port_sizes::are_on_card() const
{
    return std::any_of(
               inputs.begin(), inputs.end(), [](auto& each) { return each.on_card; }) ||
           std::find(rows_on_card.begin(), rows_on_card.end(), true) !=
               rows_on_card.end();
}

void port_sizes::cut(std::uint64_t row,
                     std::size_t ahead,
                     const std::vector<const void*>& shown_inputs,
                     const std::vector<void*>& shown_outputs,
                     chunk& next) const
{
    const std::size_t count = next.returns.run.frames;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        const auto [frame, history, on_card] = inputs[i];
        const std::uint64_t begin = row * frame;
        next.inputs.push_back(
            port_part::behind(history, begin, begin + history + count * frame));
        next.inputs[i].host =
            static_cast<char*>(const_cast<void*>(shown_inputs[i])) + ahead * frame;
    }
    for (std::size_t k = 0; k < rows.size(); ++k) {
        port_part part;
        part.host = static_cast<char*>(shown_outputs[k]) + ahead * rows[k];
        part.begin = row * rows[k];
        part.end = part.begin + count * rows[k];
        next.outputs.push_back(part);
    }
}

more_places places_of(const chunk& on_card)
{
    more_places all;
    for (std::size_t i = 1; i < on_card.inputs.size(); ++i)
        all.inputs.push_back(on_card.inputs[i].there);
    for (std::size_t k = 1; k < on_card.outputs.size(); ++k)
        all.outputs.push_back(on_card.outputs[k].there);
    return all;
}

more_places places_of(const std::vector<const void*>& inputs,
                      const std::vector<void*>& outputs)
{
    return { { inputs.begin() + 1, inputs.end() },
             { outputs.begin() + 1, outputs.end() } };
}

} // namespace gpufft
} // namespace gr
