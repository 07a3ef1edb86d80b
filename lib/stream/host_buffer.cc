// SPDX-License-Identifier: GPL-3.0-or-later
//
// Registration of circular buffers, shared by base address.

#include "host_buffer.h"
#include "engine/forks.h"
#include <cerrno>
#include <map>
#include <mutex>
#include <sys/mman.h>
#include <system_error>
#include <unistd.h>

namespace gr {
namespace gpufft {

namespace {

struct shared_registration {
    std::unique_ptr<const host_buffer> value;
    int users = 0;
};

std::mutex& s_buffers_mutex = free_at_forks(process_mutex::buffers, *new std::mutex);
std::map<const void*, shared_registration> s_registered; // by base address

} // namespace

host_buffer::host_buffer(const gr::buffer_sptr& buffer, async_device& device)
    : d_base(const_cast<char*>(buffer->base())), // its writer's cards write to it
      d_bytes(std::size_t(buffer->bufsize()) * buffer->get_sizeof_item()),
      d_registration(device.register_host(d_base, 2 * d_bytes, buffer))
{
}

// The driver has pinned the pages, so they outlive their mappings. mmap() replaces a
// mapping atomically for all threads, so readers find the same contents before, between
// and after the two calls.
void host_buffer::move_away() const
{
    if (d_has_moved)
        return;
    const auto check = [](bool good, const char* what) {
        if (!good)
            throw std::system_error(errno, std::generic_category(), what);
    };
    const int file = memfd_create("gpufft_buffer", MFD_CLOEXEC);
    check(file >= 0, "memfd_create");
    const std::shared_ptr<const int> closes(&file, [](const int* open) { close(*open); });
    check(ftruncate(file, static_cast<off_t>(d_bytes)) == 0, "ftruncate");
    for (std::size_t done = 0; done < d_bytes;) {
        const ssize_t now =
            pwrite(file, d_base + done, d_bytes - done, static_cast<off_t>(done));
        check(now > 0, "pwrite");
        done += static_cast<std::size_t>(now);
    }
    for (char* half : { d_base, d_base + d_bytes })
        check(
            mmap(
                half, d_bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, 0) !=
                MAP_FAILED,
            "mmap");
    d_has_moved = true;
}

host_buffer::sptr host_buffer::get(const gr::buffer_sptr& buffer, async_device& device)
{
    const void* base = buffer->base();
    const std::lock_guard<std::mutex> lock(s_buffers_mutex);
    if (s_registered.count(base) == 0) {
        std::unique_ptr<const host_buffer> fresh(new host_buffer(buffer, device));
        s_registered[base].value = std::move(fresh);
    }
    shared_registration& shared = s_registered[base];
    ++shared.users;
    return sptr(shared.value.get(), [base](const host_buffer*) {
        const std::lock_guard<std::mutex> last_lock(s_buffers_mutex);
        if (--s_registered[base].users == 0)
            s_registered.erase(base);
    });
}

std::size_t host_buffer::count()
{
    const std::lock_guard<std::mutex> lock(s_buffers_mutex);
    return s_registered.size();
}

bool host_side::is_reachable(async_device& device, gr::logger& logger)
{
    if (!registered && !is_staged) {
        try {
            registered = host_buffer::get(buffer, device);
        } catch (const cuda_error& error) {
            is_staged = true;
            logger.info("{}; the CPU copies between GNU Radio's buffer and pinned memory "
                        "instead",
                        error.what());
        }
    }
    // Other blocks with chunks in flight keep the registration, so the buffer may have
    // moved before this block got it.
    if (registered && registered->has_moved()) {
        registered.reset();
        is_staged = true;
    }
    return registered != nullptr;
}

} // namespace gpufft
} // namespace gr
