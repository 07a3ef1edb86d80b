// SPDX-License-Identifier: GPL-3.0-or-later
//
// Values of options on the command line.

#ifndef INCLUDED_GPUFFT_BENCH_OPTION_VALUES_H
#define INCLUDED_GPUFFT_BENCH_OPTION_VALUES_H

#include <cstddef>
#include <stdexcept>
#include <string>

namespace gr {
namespace gpufft {

// Throws std::invalid_argument for what is no whole number from `least` to `most`.
inline std::size_t to_number(const std::string& option,
                             const std::string& text,
                             std::size_t least,
                             std::size_t most)
{
    std::size_t read = 0, number = 0;
    try {
        number = std::stoull(text, &read);
    } catch (const std::logic_error&) {
    }
    if (read == 0 || read != text.size() || text.front() == '-' || number < least ||
        number > most)
        throw std::invalid_argument(
            option + " is \"" + text + "\", but must be a whole number in " +
            std::to_string(least) + " ... " + std::to_string(most));
    return number;
}

} // namespace gpufft
} // namespace gr

#endif
