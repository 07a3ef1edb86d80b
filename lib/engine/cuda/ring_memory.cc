// SPDX-License-Identifier: GPL-3.0-or-later
//
// One allocation, mapped twice.

#include "ring_memory.h"
#include <gnuradio/gpufft/plan.h>
#include <string>
#include <vector>

namespace gr {
namespace gpufft {

namespace {

int card_count()
{
    int count = 0;
    GPUFFT_CUDA(cuDeviceGetCount(&count));
    return count;
}

// The card itself, and the cards that can access its memory.
std::vector<CUmemAccessDesc> users_of(int card)
{
    std::vector<CUmemAccessDesc> users;
    for (int other = 0; other < card_count(); ++other) {
        if (can_access(other, card))
            users.push_back({ { CU_MEM_LOCATION_TYPE_DEVICE, other },
                              CU_MEM_ACCESS_FLAGS_PROT_READWRITE });
    }
    return users;
}

} // namespace

bool can_access(int user, int owner)
{
    int can = user == owner || user >= card_count(); // true if there is no such card
    if (!can)
        GPUFFT_CUDA(cuDeviceCanAccessPeer(&can, user, owner));
    return can;
}

ring_memory::ring_memory(const device_context& context, std::size_t bytes)
    : d_context(context),
      d_guest(&context),
      d_bytes(bytes)
{
    CUmemAllocationProp what = {};
    what.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    what.location = { CU_MEM_LOCATION_TYPE_DEVICE, context.index() };
    const device_context::scope scope(context);
    try {
        allocate(what);
        map();
    } catch (...) {
        release();
        throw;
    }
}

ring_memory::~ring_memory() { release(); }

void ring_memory::allocate(const CUmemAllocationProp& what)
{
    std::size_t unit = 0;
    GPUFFT_CUDA(cuMemGetAllocationGranularity(
        &unit, &what, CU_MEM_ALLOC_GRANULARITY_RECOMMENDED));
    d_bytes = (d_bytes + unit - 1) / unit * unit;
    const CUresult result = cuda().cuMemCreate(&d_memory, d_bytes, &what, 0);
    if (result == CUDA_ERROR_OUT_OF_MEMORY)
        throw cuda_error(result,
                         "out of memory: " + std::to_string(d_bytes) +
                             " bytes of device memory were requested; " +
                             describe_memory(d_context));
    check_cuda(result, "cuMemCreate", __FILE__, __LINE__);
}

void ring_memory::map()
{
    GPUFFT_CUDA(cuMemAddressReserve(&d_address, 2 * d_bytes, 0, 0, 0));
    for (; d_mapped < 2 * d_bytes; d_mapped += d_bytes)
        GPUFFT_CUDA(cuMemMap(d_address + d_mapped, d_bytes, 0, d_memory, 0));
    const std::vector<CUmemAccessDesc> users = users_of(d_context.index());
    GPUFFT_CUDA(cuMemSetAccess(d_address, 2 * d_bytes, users.data(), users.size()));
}

// Ignores errors, about which nothing can be done here.
void ring_memory::release() noexcept
{
    try {
        d_context.watch().call([&context = d_context,
                                bytes = d_bytes,
                                mapped = d_mapped,
                                address = d_address,
                                memory = d_memory]() mutable {
            const device_context::scope scope(context,
                                              device_context::scope::purpose::to_release);
            cuda()
                .cuCtxSynchronize(); // cuMemFree waits for the card, cuMemUnmap does not
            for (; mapped > 0; mapped -= bytes)
                cuda().cuMemUnmap(address + mapped - bytes, bytes);
            if (address != 0)
                cuda().cuMemAddressFree(address, 2 * bytes);
            if (memory != 0)
                cuda().cuMemRelease(memory);
        });
    } catch (const std::exception&) {
    }
}

} // namespace gpufft
} // namespace gr
