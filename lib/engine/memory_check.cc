// SPDX-License-Identifier: GPL-3.0-or-later
//
// Reserves memory for a moment.

#include "memory_check.h"
#include <algorithm>
#include <complex>
#include <cstdio>
#include <sys/mman.h>

namespace gr {
namespace gpufft {

static std::string gibibytes(std::size_t bytes)
{
    char text[32];
    std::snprintf(text, sizeof(text), "%.3g", static_cast<double>(bytes) / (1 << 30));
    return text;
}

memory_shortage::memory_shortage(const std::string& what, std::size_t bytes)
    : d_text(what + ": needs " + gibibytes(bytes) +
             " GiB of memory or more, which this process cannot have")
{
}

void check_memory(const std::string& what, std::size_t bytes)
{
    constexpr std::size_t SMALL = 64 << 20; // not worth two calls of the system
    if (bytes < SMALL)
        return;
    void* const memory = ::mmap(
        nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        throw memory_shortage(what, bytes);
    ::munmap(memory, bytes);
}

std::size_t least_memory(const problem& what)
{
    const std::size_t number = what.is_double() ? sizeof(double) : sizeof(float);
    const std::vector<std::size_t> axes = what.axes();
    std::size_t points = *std::max_element(axes.begin(), axes.end());
    std::size_t tables = what.window ? what.window_numbers() * number : 0;
    if (what.kind ==
        transform_kind::zoom) { // by a convolution; its chirp is computed first
        tables += std::max(what.n, what.row_bins()) * sizeof(std::complex<long double>);
        points = what.n + what.row_bins();
    }
    const bool is_real_filter =
        what.kind == transform_kind::filter && !is_complex(what.input);
    const std::size_t parts = is_real(what.kind) || is_real_filter ? 1 : 2;
    return tables + 2 * points * parts * number;
}

} // namespace gpufft
} // namespace gr
