// SPDX-License-Identifier: GPL-3.0-or-later
//
// Memory for the host engine's kernels that ends where a page ends and lies between two
// pages that nobody may touch: a read or write outside ends the program with a message
// that names the kernel (host_launch.h).

#ifndef INCLUDED_GPUFFT_GUARDED_MEMORY_H
#define INCLUDED_GPUFFT_GUARDED_MEMORY_H

#include <cstddef>
#include <string>
#include <vector>

namespace gr {
namespace gpufft {

// As the card's memory a multiple of 16 bytes. Up to 15 bytes behind the end, and what
// lies before the beginning up to its page, are full of NaNs. Throws std::bad_alloc.
void* allocate_guarded(std::size_t bytes);
void free_guarded(void* memory, std::size_t bytes) noexcept;

// "8 bytes behind the end of 64 bytes", of the memory that is nearest.
std::string place_of(const void* address);

template <class T>
struct guarded_allocator {
    typedef T value_type;

    guarded_allocator() = default;
    template <class U>
    guarded_allocator(const guarded_allocator<U>&)
    {
    }
    T* allocate(std::size_t count)
    {
        return static_cast<T*>(allocate_guarded(count * sizeof(T)));
    }
    void deallocate(T* memory, std::size_t count) noexcept
    {
        free_guarded(memory, count * sizeof(T));
    }
    friend bool operator==(guarded_allocator, guarded_allocator) { return true; }
    friend bool operator!=(guarded_allocator, guarded_allocator) { return false; }
};

template <class T>
using guarded_vector = std::vector<T, guarded_allocator<T>>;

// A copy of the caller's bytes, as far from a multiple of 16 as they are.
class guarded_copy
{
public:
    guarded_copy(const void* original, std::size_t bytes);
    unsigned char* data() { return d_memory.data() + d_beyond; }

private:
    const std::size_t d_beyond;
    guarded_vector<unsigned char> d_memory;
};

} // namespace gpufft
} // namespace gr

#endif
