// SPDX-License-Identifier: GPL-3.0-or-later
//
// The fake driver's card: what fails, what is counted, what lives in its context.

#include "fake_driver.h"
#include "fake_card.h"
#include <cstring>

namespace gr {
namespace gpufft {

fake_card s_card;

CUresult enter(const char* function)
{
    ++s_card.calls[function];
    if (s_card.users == 0)
        s_card.violations.push_back(std::string(function) + " without a context");
    const auto failing = s_card.failing.find(function);
    if (failing != s_card.failing.end()) {
        const CUresult error = failing->second;
        s_card.failing.erase(failing);
        return error;
    }
    return s_card.broken;
}

bool use(const char* function, const void* handle)
{
    const auto next = s_card.handles.upper_bound(handle);
    const bool is_known =
        next != s_card.handles.begin() &&
        handle < std::prev(next)->second.data() + std::prev(next)->second.size();
    if (!is_known)
        s_card.violations.push_back(std::string(function) + " of what is not there");
    return is_known;
}

CUresult release(const char* function, const void* handle)
{
    const guard lock(s_card.mutex);
    const CUresult result = enter(function);
    if (use(function, handle) && result == CUDA_SUCCESS)
        s_card.handles.erase(handle);
    return result;
}

CUresult copy(const char* function,
              const void* to,
              const void* from,
              const void* ours,
              std::size_t n)
{
    const guard lock(s_card.mutex);
    const CUresult result = enter(function);
    if (use(function, ours) && result == CUDA_SUCCESS)
        std::memcpy(const_cast<void*>(to), from, n);
    return result;
}

void let_go()
{
    if (--s_card.users > 0)
        return;
    s_card.handles.clear();
    s_card.broken = CUDA_SUCCESS;
}

CUresult retain()
{
    if (s_card.users++ == 0)
        ++s_card.contexts;
    return CUDA_SUCCESS;
}

void fake_driver::reset()
{
    const guard lock(s_card.mutex);
    s_card.breaks_at_launch = s_card.start = CUDA_SUCCESS;
    s_card.failing.clear();
    s_card.calls.clear();
    s_card.violations.clear();
    retain_for_others(false);
}

void fake_driver::break_context(CUresult error)
{
    const guard lock(s_card.mutex);
    s_card.broken = error;
}

void fake_driver::break_at_next_launch(CUresult error)
{
    const guard lock(s_card.mutex);
    s_card.breaks_at_launch = error;
}

void fake_driver::fail_once(const std::string& function, CUresult error)
{
    const guard lock(s_card.mutex);
    s_card.failing[function] = error;
}

void fake_driver::refuse_to_start(CUresult error) { s_card.start = error; }

void fake_driver::retain_for_others(bool retained)
{
    const guard lock(s_card.mutex);
    if (std::exchange(s_card.others, retained) == retained)
        return;
    if (retained)
        retain();
    else
        let_go();
}

int fake_driver::contexts()
{
    const guard lock(s_card.mutex);
    return s_card.contexts;
}

int fake_driver::handles()
{
    const guard lock(s_card.mutex);
    return static_cast<int>(s_card.handles.size());
}

long fake_driver::calls()
{
    const guard lock(s_card.mutex);
    long all = 0;
    for (const auto& each : s_card.calls)
        all += each.second;
    return all;
}

long fake_driver::calls(const char* function)
{
    const guard lock(s_card.mutex);
    return s_card.calls[function];
}

std::vector<std::string> fake_driver::violations()
{
    const guard lock(s_card.mutex);
    return s_card.violations;
}

} // namespace gpufft
} // namespace gr
