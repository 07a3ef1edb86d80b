// SPDX-License-Identifier: GPL-3.0-or-later
//
// Checks in front of the driver's functions.

#include "driver_watch.h"
#include <atomic>
#include <map>
#include <mutex>
#include <shared_mutex>

#ifdef GPUFFT_HAVE_CUDA
#include "engine/cuda/driver.h"
#include <cstring>
#endif

namespace gr {
namespace gpufft {

namespace {

std::atomic<long> s_calls{ 0 }, s_copies{ 0 };
std::atomic<bool> s_struck{ false }, s_refuses_registration{ false };
std::atomic<int> s_queues{ 0 }, s_events{ 0 }, s_memories{ 0 }, s_registrations{ 0 },
    s_modules{ 0 };

std::mutex s_mutex; // guards the next two
simulation::fault s_fault = simulation::fault::none;
long s_fault_call = 0;

// Shared by all who call the driver; alone: nobody does.
std::shared_mutex s_calling;
std::atomic<const void*> s_lost{ nullptr }; // context of the lost card
std::atomic<bool> s_is_kept{ false };       // which works in truth, and stays

} // namespace

#ifdef GPUFFT_HAVE_CUDA

namespace {

enum function_index {
#define GPUFFT_INDEX(name) AT_##name,
    GPUFFT_DRIVER_FUNCTIONS(GPUFFT_INDEX)
#undef GPUFFT_INDEX
};

// What a function does, as far as it matters here.
struct role {
    bool is_watched = true;              // refused if told to
    bool is_counted = true;              // not those that a waiting thread repeats
    bool queues = false;                 // work for the card
    std::atomic<int>* objects = nullptr; // of which it makes or releases one
    int change = 0;
};

role role_of(int function)
{
    static const role IGNORED = { false }, QUEUES = { true, true, true },
                      ASKS = { true, false };
    static const std::map<int, role> roles = {
        { AT_cuInit, IGNORED },
        { AT_cuDriverGetVersion, IGNORED },
        { AT_cuGetErrorName, IGNORED },
        { AT_cuGetErrorString, IGNORED },
        { AT_cuDevicePrimaryCtxRelease, IGNORED },
        { AT_cuCtxGetCurrent, IGNORED },
        { AT_cuCtxPushCurrent, IGNORED },
        { AT_cuCtxPopCurrent, IGNORED },
        { AT_cuEventQuery, ASKS },
        { AT_cuStreamQuery, ASKS },
        { AT_cuLaunchKernel, QUEUES },
        { AT_cuLaunchKernelEx, QUEUES },
        { AT_cuMemcpyAsync, QUEUES },
        { AT_cuMemcpy2DAsync, QUEUES },
        { AT_cuMemcpy3DPeerAsync, QUEUES },
        { AT_cuMemcpyDtoHAsync, QUEUES },
        { AT_cuModuleLoadData, { true, true, false, &s_modules, 1 } },
        { AT_cuModuleUnload, { false, false, false, &s_modules, -1 } },
        { AT_cuStreamCreate, { true, true, false, &s_queues, 1 } },
        { AT_cuStreamDestroy, { false, false, false, &s_queues, -1 } },
        { AT_cuEventCreate, { true, true, false, &s_events, 1 } },
        { AT_cuEventDestroy, { false, false, false, &s_events, -1 } },
        { AT_cuMemAlloc, { true, true, false, &s_memories, 1 } },
        { AT_cuMemFree, { false, false, false, &s_memories, -1 } },
        { AT_cuMemCreate, { true, true, false, &s_memories, 1 } },
        { AT_cuMemRelease, { false, false, false, &s_memories, -1 } },
        { AT_cuMemUnmap, IGNORED },
        { AT_cuMemAddressFree, IGNORED },
        { AT_cuMemAllocHost, { true, true, false, &s_memories, 1 } },
        { AT_cuMemFreeHost, { false, false, false, &s_memories, -1 } },
        { AT_cuMemHostRegister, { true, true, false, &s_registrations, 1 } },
        { AT_cuMemHostUnregister, { false, false, false, &s_registrations, -1 } },
    };
    const auto found = roles.find(function);
    return found == roles.end() ? role() : found->second;
}

enum class verdict { proceeds, fails, is_dropped };

verdict judge(int function);
bool is_lost(); // the card whose context is current

template <int INDEX, class Function>
struct watched;

// One for each function: what the driver has, and what the library gets.
template <int INDEX, class... Arguments>
struct watched<INDEX, CUresult (*)(Arguments...)> {
    static inline CUresult (*s_real)(Arguments...) = nullptr;

    static CUresult call(Arguments... arguments)
    {
        static const role does = role_of(INDEX);
        if (does.is_watched) {
            switch (judge(INDEX)) {
            case verdict::proceeds:
                break;
            case verdict::fails: // of what is not lost, an error that passes
                return is_lost() ? CUDA_ERROR_LAUNCH_FAILED : CUDA_ERROR_OPERATING_SYSTEM;
            case verdict::is_dropped:
                return CUDA_SUCCESS;
            }
        }
        if (INDEX == AT_cuDevicePrimaryCtxRelease && s_is_kept.exchange(false)) {
            s_lost = nullptr; // as if it were replaced, which takes the driver long
            return CUDA_SUCCESS;
        }
        const std::shared_lock<std::shared_mutex> lock(s_calling);
        if (does.is_watched && is_lost()) // meanwhile
            return CUDA_ERROR_LAUNCH_FAILED;
        if (does.queues)
            ++s_copies;
        const CUresult result = s_real(arguments...);
        if (does.objects != nullptr && result == CUDA_SUCCESS)
            *does.objects += does.change;
        return result;
    }
};

#define GPUFFT_WATCHED(name) watched<AT_##name, decltype(&::name)>

const void* current_context()
{
    CUcontext now = nullptr;
    GPUFFT_WATCHED(cuCtxGetCurrent)::s_real(&now);
    return now;
}

// Nothing is queued any more, and what was is done.
void lose_card()
{
    const std::lock_guard<std::shared_mutex> lock(s_calling);
    s_lost = current_context();
    s_is_kept = s_lost != nullptr;
    GPUFFT_WATCHED(cuCtxSynchronize)::s_real();
}

bool is_lost()
{
    const void* lost = s_lost;
    return lost != nullptr && lost == current_context();
}

verdict judge(int function)
{
    if (is_lost())
        return verdict::fails;
    if (function == AT_cuMemHostRegister && s_refuses_registration)
        return verdict::fails;
    if (!role_of(function).is_counted)
        return verdict::proceeds;
    std::unique_lock<std::mutex> lock(s_mutex);
    const long number = ++s_calls;
    const simulation::fault how = s_fault;
    const bool asynchronous = how == simulation::fault::asynchronous;
    const bool now = asynchronous ? role_of(function).queues && number >= s_fault_call
                                  : number == s_fault_call;
    if (how == simulation::fault::none || !now)
        return verdict::proceeds;
    s_fault = simulation::fault::none; // one is enough
    lock.unlock();

    s_struck = true;
    if (how != simulation::fault::once)
        lose_card();
    return asynchronous ? verdict::is_dropped : verdict::fails;
}

} // namespace

#endif

void driver_watch::reset()
{
    refuse_registration(false);
    fail(simulation::fault::none, 0);
    s_copies = 0;
    s_lost = nullptr;
}

void driver_watch::refuse_registration(bool refused) { s_refuses_registration = refused; }

void driver_watch::fail(simulation::fault how, long call)
{
    const std::lock_guard<std::mutex> lock(s_mutex);
    s_fault = how;
    s_fault_call = call;
    s_calls = 0;
    s_struck = false;
}

long driver_watch::calls() { return s_calls; }
bool driver_watch::struck() { return s_struck; }
long driver_watch::copies() { return s_copies; }

simulation::counts driver_watch::live()
{
    simulation::counts now;
    now.queues = s_queues;
    now.events = s_events;
    now.memories = s_memories;
    now.registrations = s_registrations;
    now.plans = s_modules;
    return now;
}

} // namespace gpufft
} // namespace gr

#ifdef GPUFFT_HAVE_CUDA

// The names are the linker's.
extern "C" void* __real_dlsym(void* library, const char* symbol);
extern "C" __attribute__((visibility("default"))) void* __wrap_dlsym(void* library,
                                                                     const char* symbol)
{
    using namespace gr::gpufft;
    void* const found = __real_dlsym(library, symbol);
    if (found == nullptr)
        return nullptr;
#define GPUFFT_TEXT_EXPANDED(name) #name
#define GPUFFT_TEXT(name) GPUFFT_TEXT_EXPANDED(name)
#define GPUFFT_HAND_OUT(name)                                                            \
    if (std::strcmp(symbol, GPUFFT_TEXT(name)) == 0) {                                   \
        typedef watched<AT_##name, decltype(&::name)> function;                          \
        function::s_real = reinterpret_cast<decltype(&::name)>(found);                   \
        return reinterpret_cast<void*>(&function::call);                                 \
    }
    GPUFFT_DRIVER_FUNCTIONS(GPUFFT_HAND_OUT)
    return found;
}

#endif
