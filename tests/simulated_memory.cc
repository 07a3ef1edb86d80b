// SPDX-License-Identifier: GPL-3.0-or-later
//
// The table of all memory that simulated devices reach.

#include "simulated_internals.h"
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <mutex>
#include <new>
#include <shared_mutex>
#include <sys/mman.h>
#include <unistd.h>

namespace gr {
namespace gpufft {
namespace simulated {

namespace {

constexpr int HOST = -1; // the owner of pinned and registered memory

struct range {
    std::size_t bytes;
    int owner;
    std::shared_ptr<char> data; // where the device finds it
};

// Readers share it: looking something up orders no two threads, which would hide races.
std::shared_mutex s_mutex; // guards s_ranges
std::map<std::uintptr_t, range> s_ranges;
std::atomic<bool> s_refused{ false }, s_pins_pages{ false };
std::vector<std::function<void()>> s_kept; // frees what hung devices keep; s_mutex, too

std::uintptr_t number(const void* address)
{
    return reinterpret_cast<std::uintptr_t>(address);
}

// The range with all these bytes; null if there is none. Needs s_mutex.
const range* find(const void* address, std::size_t bytes, std::size_t* offset)
{
    auto next = s_ranges.upper_bound(number(address));
    if (next == s_ranges.begin())
        return nullptr;
    const auto& [begin, found] = *--next;
    *offset = number(address) - begin;
    return *offset < found.bytes && bytes <= found.bytes - *offset ? &found : nullptr;
}

void add(const void* address, const range& what)
{
    const std::lock_guard<std::shared_mutex> lock(s_mutex);
    s_ranges[number(address)] = what;
}

// Held by a device at work: then it is released too early.
void remove(const void* address, const char* kind)
{
    long holders = 0;
    {
        const std::lock_guard<std::shared_mutex> lock(s_mutex);
        const auto entry = s_ranges.find(number(address));
        holders = entry->second.data.use_count() - 1;
        s_ranges.erase(entry);
    }
    if (holders > 0)
        report(std::string(kind) + " memory is released while a device works on it");
}

// Frees what is no longer counted, or keeps it if the device hangs.
void release(int device, const std::function<void()>& free)
{
    if (wait_for_device(device) && !device_watch::any_hangs())
        return free();
    const std::lock_guard<std::shared_mutex> lock(s_mutex);
    s_kept.push_back(free);
}

// The pages that are at the address now, wherever they are mapped later; null if that
// cannot be had.
std::shared_ptr<char> pages_of(void* address, std::size_t bytes)
{
    char* const from = static_cast<char*>(address);
    char* const all = static_cast<char*>(
        mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    const std::shared_ptr<char> pages(all, [bytes](char* at) { munmap(at, bytes); });
    for (std::size_t offset : { std::size_t(0), bytes / 2 }) // a buffer has two mappings
        if (mremap(from + offset,
                   0,
                   bytes / 2,
                   MREMAP_MAYMOVE | MREMAP_FIXED,
                   all + offset) == MAP_FAILED)
            return nullptr;
    return pages;
}

void* map(void* where, std::size_t bytes, int protection, int flags, int file)
{
    void* address = mmap(where, bytes, protection, MAP_PRIVATE | flags, file, 0);
    if (address == MAP_FAILED)
        throw std::bad_alloc();
    return address;
}

// Memory full of poison, which takes real memory only where it is written to.
std::shared_ptr<char> map_poison(std::size_t bytes)
{
    constexpr std::size_t SLICE = std::size_t(4) << 20;
    static const int s_slice = [] {
        const int file = memfd_create("poison", MFD_CLOEXEC);
        const std::vector<char> poison(SLICE, static_cast<char>(POISON));
        if (write(file, poison.data(), SLICE) != static_cast<ssize_t>(SLICE))
            throw std::bad_alloc();
        return file;
    }();
    char* data = static_cast<char*>(
        map(nullptr, bytes, PROT_NONE, MAP_ANONYMOUS | MAP_NORESERVE, -1));
    for (std::size_t at = 0; at < bytes; at += SLICE)
        map(data + at,
            std::min(SLICE, bytes - at),
            PROT_READ | PROT_WRITE,
            MAP_FIXED,
            s_slice);
    return std::shared_ptr<char>(data, [bytes](char* all) { munmap(all, bytes); });
}

std::mutex s_used_mutex; // guards the next two
std::map<int, std::size_t> s_used_bytes;
std::size_t s_limit = 0;

// Bytes that count against the limit of a device as long as this lives.
class counted_bytes
{
public:
    counted_bytes(int device, std::size_t bytes) : d_device(device), d_bytes(bytes)
    {
        const std::lock_guard<std::mutex> lock(s_used_mutex);
        if (s_limit > 0 && s_used_bytes[device] + bytes > s_limit)
            throw cuda_error(2, "out of memory: simulated (2)");
        s_used_bytes[device] += bytes;
    }
    ~counted_bytes()
    {
        const std::lock_guard<std::mutex> lock(s_used_mutex);
        s_used_bytes[d_device] -= d_bytes;
    }
    counted_bytes(const counted_bytes&) = delete;
    counted_bytes& operator=(const counted_bytes&) = delete;

private:
    const int d_device;
    const std::size_t d_bytes;
};

class device_memory : public async_device::memory
{
public:
    device_memory(int device, std::size_t bytes)
        : d_device(device),
          d_bytes(bytes > 0 ? bytes : 1),
          d_used(device, d_bytes),
          d_address(map(nullptr, d_bytes, PROT_NONE, MAP_ANONYMOUS | MAP_NORESERVE, -1))
    {
        add(d_address, { d_bytes, device, map_poison(d_bytes) });
    }
    ~device_memory() override
    {
        release(d_device, [address = d_address, bytes = d_bytes] {
            remove(address, "device");
            munmap(address, bytes);
        });
    }
    void* address() const override { return d_address; }

private:
    const int d_device;
    const counted d_counted{ d_device, object::memory };
    const std::size_t d_bytes;
    const counted_bytes d_used;
    void* const d_address;
};

// The same memory twice.
std::shared_ptr<char> map_twice(std::size_t bytes)
{
    const int file = memfd_create("ring", MFD_CLOEXEC);
    if (file < 0 || ftruncate(file, static_cast<off_t>(bytes)) != 0)
        throw std::bad_alloc();
    char* data = static_cast<char*>(
        map(nullptr, 2 * bytes, PROT_NONE, MAP_ANONYMOUS | MAP_NORESERVE, -1));
    for (char* half : { data, data + bytes })
        if (mmap(half, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, 0) ==
            MAP_FAILED)
            throw std::bad_alloc();
    close(file);
    return std::shared_ptr<char>(data, [bytes](char* all) { munmap(all, 2 * bytes); });
}

class device_ring : public async_device::ring
{
public:
    device_ring(int device, std::size_t bytes)
        : d_device(device),
          d_bytes((bytes + PAGE - 1) / PAGE * PAGE),
          d_used(device, d_bytes),
          d_address(
              map(nullptr, 2 * d_bytes, PROT_NONE, MAP_ANONYMOUS | MAP_NORESERVE, -1))
    {
        add(d_address, { 2 * d_bytes, device, map_twice(d_bytes) });
    }
    ~device_ring() override
    {
        release(d_device, [address = d_address, bytes = d_bytes] {
            remove(address, "ring");
            munmap(address, 2 * bytes);
        });
    }
    void* address() const override { return d_address; }
    std::size_t bytes() const override { return d_bytes; }

private:
    static constexpr std::size_t PAGE = 4096;

    const int d_device;
    const counted d_counted{ d_device, object::memory };
    const std::size_t d_bytes;
    const counted_bytes d_used;
    void* const d_address;
};

class pinned_memory : public async_device::memory
{
public:
    pinned_memory(int device, std::size_t bytes)
        : d_device(device),
          d_data(static_cast<char*>(std::aligned_alloc(64, (bytes + 63) / 64 * 64)),
                 std::free)
    {
        if (!d_data)
            throw std::bad_alloc();
        std::memset(d_data.get(), POISON, bytes);
        add(d_data.get(),
            { bytes, HOST, std::shared_ptr<char>(d_data.get(), [](char*) {}) });
    }
    ~pinned_memory() override
    {
        release(d_device, [data = d_data] { remove(data.get(), "pinned"); });
    }
    void* address() const override { return d_data.get(); }

private:
    const int d_device;
    const counted d_counted{ d_device, object::memory };
    const std::shared_ptr<char> d_data;
};

class host_registration : public async_device::registration
{
public:
    host_registration(int device,
                      void* address,
                      std::size_t bytes,
                      std::shared_ptr<const void> owner)
        : d_device(device),
          d_address(address),
          d_owner(std::move(owner))
    {
        std::shared_ptr<char> pages;
        if (s_pins_pages)
            pages = pages_of(address, bytes);
        if (!pages)
            pages = std::shared_ptr<char>(static_cast<char*>(address), [](char*) {});
        const std::lock_guard<std::shared_mutex> lock(s_mutex);
        const auto next = s_ranges.lower_bound(number(address) + bytes);
        if (next != s_ranges.begin()) {
            const auto& [begin, before] = *std::prev(next);
            if (begin + before.bytes > number(address))
                throw cuda_error(712, "register_host: already registered (712)");
        }
        s_ranges[number(address)] = { bytes, HOST, pages };
    }
    ~host_registration() override
    {
        release(d_device, [address = d_address, owner = d_owner] {
            remove(address, "registered");
        });
    }

private:
    const int d_device;
    const counted d_counted{ d_device, object::registration };
    void* const d_address;
    const std::shared_ptr<const void> d_owner;
};

} // namespace

std::unique_ptr<async_device::memory> make_device_memory(int device, std::size_t bytes)
{
    return std::make_unique<device_memory>(device, bytes);
}

std::unique_ptr<async_device::ring> make_device_ring(int device, std::size_t bytes)
{
    return std::make_unique<device_ring>(device, bytes);
}

std::unique_ptr<async_device::memory> make_pinned_memory(int device, std::size_t bytes)
{
    return std::make_unique<pinned_memory>(device, bytes);
}

std::unique_ptr<async_device::registration>
make_registration(int device,
                  void* address,
                  std::size_t bytes,
                  std::shared_ptr<const void> owner)
{
    if (s_refused)
        throw cuda_error(801, "register_host: not supported (801)");
    return std::make_unique<host_registration>(device, address, bytes, std::move(owner));
}

void free_kept_memory()
{
    std::vector<std::function<void()>> kept;
    {
        const std::lock_guard<std::shared_mutex> lock(s_mutex);
        kept.swap(s_kept);
    }
    for (const auto& free : kept)
        free();
}

void pin_pages(bool pinned) { s_pins_pages = pinned; }

std::shared_ptr<char> reach(const void* address, std::size_t bytes, const char* call)
{
    {
        const std::shared_lock<std::shared_mutex> lock(s_mutex);
        std::size_t offset = 0;
        if (const range* found = find(address, bytes, &offset))
            return std::shared_ptr<char>(found->data, found->data.get() + offset);
    }
    report(std::string(call) + " " + std::to_string(bytes) +
           " bytes that no device can reach: not allocated, pinned or registered");
    return nullptr;
}

int owner(const void* address)
{
    const std::shared_lock<std::shared_mutex> lock(s_mutex);
    std::size_t offset = 0;
    const range* found = find(address, 1, &offset);
    return found ? found->owner : HOST;
}

} // namespace simulated

void simulation::limit_memory(std::size_t bytes)
{
    const std::lock_guard<std::mutex> lock(simulated::s_used_mutex);
    simulated::s_limit = bytes;
}

void simulation::refuse_registration(bool refused) { simulated::s_refused = refused; }

} // namespace gpufft
} // namespace gr
