// SPDX-License-Identifier: GPL-3.0-or-later
//
// Memory is asked for in words before it is taken: where a process cannot have it, FFTW
// would end the process, and std::bad_alloc says neither how much it was nor what for.

#ifndef INCLUDED_GPUFFT_MEMORY_CHECK_H
#define INCLUDED_GPUFFT_MEMORY_CHECK_H

#include <cstddef>
#include <gnuradio/gpufft/api.h>
#include <gnuradio/gpufft/problem.h>
#include <new>
#include <string>

namespace gr {
namespace gpufft {

class GPUFFT_API memory_shortage : public std::bad_alloc
{
public:
    memory_shortage(const std::string& what, std::size_t bytes);
    const char* what() const noexcept override { return d_text.c_str(); }

private:
    std::string d_text;
};

// Throws memory_shortage, which begins with `what`, if the system refuses `bytes` bytes.
// A system that promises more memory than it has refuses only what is more than all of
// it.
GPUFFT_API void check_memory(const std::string& what, std::size_t bytes);

// Bytes that a block with so long a window needs at least: its taps, their copies in the
// settings and in the plan, a frame of real samples and its bins.
inline std::size_t window_memory(std::size_t taps) { return 6 * taps * sizeof(float); }

// Bytes that a plan on the CPU needs at least: FFTW's input and output, taps and tables.
GPUFFT_API std::size_t least_memory(const problem& what);

} // namespace gpufft
} // namespace gr

#endif
