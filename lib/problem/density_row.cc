// SPDX-License-Identifier: GPL-3.0-or-later
//
// Describes a density in words.

#include "density_row.h"
#include <sstream>

namespace gr {
namespace gpufft {

std::string describe_density(const problem& what)
{
    const density_grid& grid = what.density;
    std::ostringstream text;
    text << "density of ";
    if (what.counted_bins() == 0)
        text << "no bins";
    else
        text << "bins " << grid.first << " ... " << grid.first + what.counted_bins() - 1;
    text << " in " << grid.columns << " columns x " << grid.levels << " levels, "
         << grid.low << " ... " << grid.high << " dB";
    return text.str();
}

} // namespace gpufft
} // namespace gr
