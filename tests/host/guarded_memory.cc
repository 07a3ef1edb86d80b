// SPDX-License-Identifier: GPL-3.0-or-later
//
// Maps pages of their own for each memory, and keeps where it is, for messages.

#include "guarded_memory.h"

#include <cstdint>
#include <cstring>
#include <map>
#include <mutex>
#include <new>
#include <sys/mman.h>
#include <unistd.h>

namespace gr {
namespace gpufft {

namespace {

constexpr int UNWRITTEN = 0xff; // NaNs

std::mutex s_mutex;                               // guards s_memories
std::map<std::uintptr_t, std::size_t> s_memories; // bytes by address

std::size_t round_up(std::size_t bytes, std::size_t to)
{
    return (bytes + to - 1) / to * to;
}

std::size_t page()
{
    static const std::size_t bytes = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    return bytes;
}

std::size_t readable(std::size_t bytes) { return round_up(bytes + (bytes == 0), page()); }

std::uintptr_t number(const void* address)
{
    return reinterpret_cast<std::uintptr_t>(address);
}

} // namespace

void* allocate_guarded(std::size_t bytes)
{
    const std::size_t inside = readable(bytes);
    void* const all = mmap(nullptr,
                           inside + 2 * page(),
                           PROT_NONE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                           -1,
                           0);
    if (all == MAP_FAILED)
        throw std::bad_alloc();
    char* const begin = static_cast<char*>(all) + page();
    if (mprotect(begin, inside, PROT_READ | PROT_WRITE) != 0) {
        munmap(all, inside + 2 * page());
        throw std::bad_alloc();
    }
    std::memset(begin, UNWRITTEN, inside);
    void* const memory = begin + inside - round_up(bytes, 16);
    const std::lock_guard<std::mutex> lock(s_mutex);
    s_memories[number(memory)] = bytes;
    return memory;
}

void free_guarded(void* memory, std::size_t bytes) noexcept
{
    {
        const std::lock_guard<std::mutex> lock(s_mutex);
        s_memories.erase(number(memory));
    }
    const std::size_t inside = readable(bytes);
    munmap(static_cast<char*>(memory) + round_up(bytes, 16) - inside - page(),
           inside + 2 * page());
}

// Called by a signal's handler, when the program ends: it waits for no mutex.
std::string place_of(const void* address)
{
    const std::uintptr_t at = number(address);
    const auto after = s_memories.upper_bound(at);
    std::uintptr_t distance = ~std::uintptr_t(0);
    std::string place = "an address without memory";
    if (after != s_memories.begin()) {
        const auto& [begin, bytes] = *std::prev(after);
        distance = at - begin - bytes;
        place = std::to_string(distance) + " bytes behind the end of " +
                std::to_string(bytes) + " bytes";
    }
    if (after != s_memories.end() && after->first - at < distance)
        place = std::to_string(after->first - at) + " bytes before the beginning of " +
                std::to_string(after->second) + " bytes";
    return place;
}

guarded_copy::guarded_copy(const void* original, std::size_t bytes)
    : d_beyond(number(original) % 16),
      d_memory(d_beyond + bytes, UNWRITTEN)
{
    if (bytes > 0)
        std::memcpy(data(), original, bytes);
}

} // namespace gpufft
} // namespace gr
