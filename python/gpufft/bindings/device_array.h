// SPDX-License-Identifier: GPL-3.0-or-later
//
// Arrays in the memory of a GPU: those of other libraries, read through DLPack or
// __cuda_array_interface__, and our own, which offer both.

#ifndef INCLUDED_GPUFFT_DEVICE_ARRAY_H
#define INCLUDED_GPUFFT_DEVICE_ARRAY_H

#include "engine/async_device.h"
#include <memory>
#include <optional>
#include <pybind11/numpy.h>
#include <string>
#include <vector>

namespace gr {
namespace gpufft {

namespace py = pybind11;

// Streams by the numbers of __cuda_array_interface__ and DLPack, which the driver knows
// as handles, too: 1 the legacy default, 2 that of the thread, else a CUstream.
constexpr std::uintptr_t LEGACY_STREAM = 1;

inline void* stream_handle(std::uintptr_t stream)
{
    return reinterpret_cast<void*>(stream);
}

// An array of another library in C order without gaps, and what keeps its memory.
struct device_view {
    void* data = nullptr;
    std::vector<py::ssize_t> shape;
    py::dtype type;
    std::optional<int> device;            // if it says that
    std::optional<std::uintptr_t> stream; // its data is ready there, not yet on ours
    std::shared_ptr<void> keeper;

    // True if x is on a GPU.
    static bool is_device_array(const py::object& x);

    // Its data will be used on `stream`. Throws std::invalid_argument, which names the
    // array by `name`, if it has strides, is read-only though `writable`, or is not on a
    // GPU after all; py::type_error for formats that are no numbers.
    static device_view read(const py::object& x,
                            const std::string& name,
                            std::uintptr_t stream,
                            bool writable);
};

// Memory of a GPU that an array owns. Freed with it.
class device_array
{
public:
    device_array(async_device::sptr device,
                 const py::dtype& type,
                 const std::vector<py::ssize_t>& shape,
                 std::uintptr_t stream);

    // An array in memory of another owner, which `memory` represents.
    device_array(async_device::sptr device,
                 std::shared_ptr<async_device::memory> memory,
                 const py::dtype& type,
                 const std::vector<py::ssize_t>& shape,
                 std::uintptr_t stream);

    static device_array from_host(const py::array& values, int device);

    void* data() const { return d_memory->address(); }
    const py::dtype& type() const { return d_type; }
    const std::vector<py::ssize_t>& shape() const { return d_shape; }
    int device() const { return d_device->index(); }
    std::uintptr_t stream() const { return d_stream; }
    std::size_t bytes() const;

    py::array to_host() const;
    py::dict cuda_array_interface() const;
    py::capsule dlpack(const py::object& stream) const;

private:
    async_device::sptr d_device;
    std::shared_ptr<async_device::memory> d_memory;
    py::dtype d_type;
    std::vector<py::ssize_t> d_shape;
    std::uintptr_t d_stream; // computes it
};

// Makes work queued on `later` from now on wait for all that is queued on `earlier`.
void order_streams(async_device& device, std::uintptr_t earlier, std::uintptr_t later);

} // namespace gpufft
} // namespace gr

#endif
