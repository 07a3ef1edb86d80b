// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the fake driver knows of its card, and the parts that its functions are made of.

#ifndef INCLUDED_GPUFFT_FAKE_CARD_H
#define INCLUDED_GPUFFT_FAKE_CARD_H

#include <algorithm>
#include <cuda.h>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace gr {
namespace gpufft {

struct fake_card {
    std::recursive_mutex mutex; // guards all below
    CUresult broken = CUDA_SUCCESS, breaks_at_launch = CUDA_SUCCESS, start = CUDA_SUCCESS;
    std::map<std::string, CUresult> failing;
    std::map<std::string, long> calls;
    std::vector<std::string> violations;
    int users = 0, contexts = 0;
    bool others = false;
    std::map<const void*, std::vector<char>> handles; // with the bytes of memory
    char context;                                     // its address is the handle
};
extern fake_card s_card;

typedef std::lock_guard<std::recursive_mutex> guard;

// Every call in the context starts here.
CUresult enter(const char* function);

template <class Handle>
CUresult make(const char* function, Handle* handle, std::size_t bytes = 1)
{
    const guard lock(s_card.mutex);
    const CUresult result = enter(function);
    if (result != CUDA_SUCCESS)
        return result;
    std::vector<char> memory(std::max<std::size_t>(bytes, 1));
    *handle = Handle(memory.data());
    s_card.handles.emplace(memory.data(), std::move(memory));
    return result;
}

// Whether the handle, or the address, is known; a violation if not.
bool use(const char* function, const void* handle);
CUresult release(const char* function, const void* handle);
// Copies n bytes; `ours` is the end on the card.
CUresult copy(const char* function,
              const void* to,
              const void* from,
              const void* ours,
              std::size_t n);

// A user of the primary context more, or one less: with the last one its handles go.
CUresult retain();
void let_go();

} // namespace gpufft
} // namespace gr

#endif
