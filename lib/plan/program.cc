// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tables of a program, each kept once.

#include "program.h"

namespace gr {
namespace gpufft {

int program::add(std::vector<std::complex<float>> points)
{
    if (points.empty())
        return -1;
    for (std::size_t i = 0; i < tables.size(); ++i)
        if (tables[i].points == points)
            return int(i);
    tables.push_back({ std::move(points), {} });
    return int(tables.size()) - 1;
}

int program::add(std::vector<int> indices)
{
    if (indices.empty())
        return -1;
    for (std::size_t i = 0; i < tables.size(); ++i)
        if (tables[i].indices == indices)
            return int(i);
    tables.push_back({ {}, std::move(indices) });
    return int(tables.size()) - 1;
}

problem powers_of_frames(const problem& what)
{
    problem powers = what;
    powers.output = output_kind::power;
    powers.average = 1;
    powers.smoothing = 1.0;
    powers.scale = 1.0;
    return powers;
}

std::size_t blocks_of(const kernel_instance& kernel, std::size_t frames)
{
    return (frames + kernel.frames_per_block - 1) / kernel.frames_per_block *
           kernel.blocks_per_frame;
}

} // namespace gpufft
} // namespace gr
