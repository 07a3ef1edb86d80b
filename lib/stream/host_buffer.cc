// SPDX-License-Identifier: GPL-3.0-or-later
//
// Registration of circular buffers, shared by base address.

#include "host_buffer.h"
#include <map>
#include <mutex>

namespace gr {
namespace gpufft {

namespace {

struct shared_registration {
    std::unique_ptr<const host_buffer> value;
    int users = 0;
};

std::mutex s_mutex;
std::map<const void*, shared_registration> s_registered; // by base address

} // namespace

host_buffer::host_buffer(const gr::buffer_sptr& buffer, async_device& device)
    : d_buffer(buffer),
      d_registration(device.register_host(
          const_cast<char*>(buffer->base()), // the card writes what the writer block owns
          2 * std::size_t(buffer->bufsize()) * buffer->get_sizeof_item()))
{
}

host_buffer::sptr host_buffer::get(const gr::buffer_sptr& buffer, async_device& device)
{
    const void* base = buffer->base();
    const std::lock_guard<std::mutex> lock(s_mutex);
    if (s_registered.count(base) == 0) {
        std::unique_ptr<const host_buffer> fresh(new host_buffer(buffer, device));
        s_registered[base].value = std::move(fresh);
    }
    shared_registration& shared = s_registered[base];
    ++shared.users;
    return sptr(shared.value.get(), [base](const host_buffer*) {
        const std::lock_guard<std::mutex> last_lock(s_mutex);
        if (--s_registered[base].users == 0)
            s_registered.erase(base);
    });
}

std::size_t host_buffer::count()
{
    const std::lock_guard<std::mutex> lock(s_mutex);
    return s_registered.size();
}

} // namespace gpufft
} // namespace gr
