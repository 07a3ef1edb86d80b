// SPDX-License-Identifier: GPL-3.0-or-later
//
// The ring's memory.

#include "shadow_ring.h"

namespace gr {
namespace gpufft {

shadow_ring::shadow_ring(async_device::sptr device,
                         std::size_t bytes,
                         sharing shared,
                         log_sptr log)
    : d_device(std::move(device)),
      d_shared(shared),
      d_memory(d_device->allocate_ring(bytes)),
      d_log(std::move(log))
{
    d_log->add(this->bytes());
}

char* shadow_ring::at(std::uint64_t place) const
{
    return static_cast<char*>(d_memory->address()) + place % bytes();
}

} // namespace gpufft
} // namespace gr
