// SPDX-License-Identifier: GPL-3.0-or-later
//
// A filter's polyphase arms (branches), as blocks show them.

#ifndef INCLUDED_GPUFFT_ARMS_H
#define INCLUDED_GPUFFT_ARMS_H

#include <cstdio>
#include <vector>

namespace gr {
namespace gpufft {

typedef std::vector<std::vector<float>> filter_arms;

// Arm i is taps[i], taps[i + count], ..., the last ones padded with zeros.
inline filter_arms arms_of(const std::vector<float>& taps, std::size_t count)
{
    filter_arms arms(count, std::vector<float>((taps.size() + count - 1) / count));
    for (std::size_t k = 0; k < taps.size(); ++k)
        arms[k % count][k / count] = taps[k];
    return arms;
}

inline void print_arms(const filter_arms& arms)
{
    std::size_t number = 0;
    for (const std::vector<float>& arm : arms) {
        std::printf("arm[%zu]: [", number++);
        for (float tap : arm)
            std::printf(" %g", static_cast<double>(tap));
        std::printf(" ]\n");
    }
}

} // namespace gpufft
} // namespace gr

#endif
