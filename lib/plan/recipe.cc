// SPDX-License-Identifier: GPL-3.0-or-later
//
// Recipes as text, and what follows from a shape.

#include "recipe.h"

#include <algorithm>

namespace gr {
namespace gpufft {

int stockham_shape::points() const
{
    int most = 1;
    for (std::size_t p = 0; p < radices.size(); ++p) {
        const bool one_by_one = p > 0 && p + 1 == radices.size(); // the last pass
        const int rounds = (n / radices[p] + threads - 1) / threads;
        most = std::max(most, radices[p] * (one_by_one ? 1 : rounds));
    }
    return most;
}

int stockham_shape::results() const
{
    return (n / radices.back() + threads - 1) / threads * radices.back();
}

std::size_t stockham_shape::shared_bytes() const
{
    const bool used = radices.size() > 1 || staged_load || staged_store;
    return used ? std::size_t(stride) * transforms * 8 : 0;
}

std::string recipe::to_string() const
{
    std::string text = algorithm + "(" + std::to_string(n);
    if (algorithm == "stockham")
        for (std::size_t p = 0; p < shape.radices.size(); ++p)
            text += (p == 0 ? ": " : "·") + std::to_string(shape.radices[p]);
    return text + ")";
}

} // namespace gpufft
} // namespace gr
