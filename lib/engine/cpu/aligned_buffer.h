// SPDX-License-Identifier: GPL-3.0-or-later
//
// Memory aligned for the widest vector instructions that VOLK and FFTW use; not
// initialised.

#ifndef INCLUDED_GPUFFT_ALIGNED_BUFFER_H
#define INCLUDED_GPUFFT_ALIGNED_BUFFER_H

#include <algorithm>
#include <cstddef>
#include <limits>
#include <memory>
#include <new>
#include <volk/volk.h>

namespace gr {
namespace gpufft {

template <class T>
class aligned_buffer
{
public:
    aligned_buffer() = default;

    // Throws std::bad_alloc, also if the size in bytes overflows.
    explicit aligned_buffer(std::size_t size) : d_size(size)
    {
        if (size == 0)
            return;
        if (size > (std::numeric_limits<std::size_t>::max() - ALIGNMENT) / sizeof(T))
            throw std::bad_alloc();
        d_memory.reset(static_cast<T*>(
            volk_malloc(size * sizeof(T), std::max(ALIGNMENT, volk_get_alignment()))));
        if (!d_memory)
            throw std::bad_alloc();
    }

    T* data() const { return d_memory.get(); }
    std::size_t size() const { return d_size; }
    T& operator[](std::size_t i) const { return d_memory.get()[i]; }

private:
    static constexpr std::size_t ALIGNMENT = 64; // a cache line, and enough for FFTW

    struct deleter {
        void operator()(T* memory) const { volk_free(memory); }
    };
    std::unique_ptr<T, deleter> d_memory;
    std::size_t d_size = 0;
};

} // namespace gpufft
} // namespace gr

#endif
