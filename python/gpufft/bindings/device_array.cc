// SPDX-License-Identifier: GPL-3.0-or-later
//
// DLPack and __cuda_array_interface__, both ways.

#include "device_array.h"
#include "block_bindings.h"
#include "dlpack.h"

#include <spdlog/fmt/fmt.h>

namespace gr {
namespace gpufft {

namespace {

constexpr const char* CUDA_ARRAY_INTERFACE = "__cuda_array_interface__";

std::size_t count(const std::vector<py::ssize_t>& shape)
{
    std::size_t product = 1;
    for (py::ssize_t length : shape)
        product *= length;
    return product;
}

// In units of one element; axes of one element have any stride.
void check_order(const std::vector<py::ssize_t>& shape,
                 const std::vector<py::ssize_t>& strides,
                 const std::string& name)
{
    py::ssize_t dense = 1;
    for (std::size_t axis = shape.size(); axis-- > 0;) {
        if (shape[axis] > 1 && strides[axis] != dense && count(shape) > 0)
            throw std::invalid_argument(
                fmt::format("{} has strides: an array on a GPU must be in C order "
                            "without gaps; copy it first",
                            name));
        dense *= shape[axis];
    }
}

py::dtype type_of(const dlpack::tensor& array, const std::string& name)
{
    const int bytes = array.type.bits / 8;
    const char* letter = nullptr;
    if (array.type.lanes == 1 && array.type.code == dlpack::signed_integer && bytes <= 8)
        letter = "i";
    if (array.type.lanes == 1 && array.type.code == dlpack::unsigned_integer &&
        bytes <= 8)
        letter = "u";
    if (array.type.lanes == 1 && array.type.code == dlpack::floating && bytes <= 8)
        letter = "f";
    if (array.type.lanes == 1 && array.type.code == dlpack::complex && bytes >= 8)
        letter = "c";
    if (letter == nullptr || bytes == 0)
        throw py::type_error(
            fmt::format("{} has DLPack type code {} with {} bits and {} lanes, but must "
                        "have integers, floats or complex numbers",
                        name,
                        array.type.code,
                        array.type.bits,
                        array.type.lanes));
    return py::dtype(letter + std::to_string(bytes));
}

// Takes the tensor out of the capsule, which from then on is used up.
device_view take_capsule(const py::object& capsule, const std::string& name)
{
    auto* tensor = static_cast<dlpack::managed_tensor*>(
        PyCapsule_GetPointer(capsule.ptr(), dlpack::NAME));
    if (tensor == nullptr)
        throw py::error_already_set();
    PyCapsule_SetName(capsule.ptr(), dlpack::USED_NAME);
    device_view view;
    view.keeper = std::shared_ptr<void>(tensor, [](void* used) {
        auto* self = static_cast<dlpack::managed_tensor*>(used);
        if (self->deleter != nullptr)
            self->deleter(self);
    });
    const dlpack::tensor& array = tensor->array;
    if (array.device.type != dlpack::CUDA && array.device.type != dlpack::CUDA_MANAGED)
        throw std::invalid_argument(fmt::format(
            "{} is on DLPack device type {}, but must be on a CUDA GPU (2 or 13)",
            name,
            array.device.type));
    view.data = static_cast<char*>(array.data) + array.byte_offset;
    view.shape.assign(array.shape, array.shape + array.axes);
    view.type = type_of(array, name);
    view.device = array.device.index;
    if (array.strides != nullptr)
        check_order(view.shape, { array.strides, array.strides + array.axes }, name);
    return view;
}

device_view read_interface(const py::object& x, const std::string& name, bool writable)
{
    const py::dict interface = x.attr(CUDA_ARRAY_INTERFACE);
    device_view view;
    const py::tuple data = interface["data"];
    if (writable && py::cast<bool>(data[1]))
        throw std::invalid_argument(name + " is read-only");
    view.data = reinterpret_cast<void*>(py::cast<std::uintptr_t>(data[0]));
    view.shape = py::cast<std::vector<py::ssize_t>>(interface["shape"]);
    view.type = py::dtype::from_args(interface["typestr"]);
    if (interface.contains("strides") && !interface["strides"].is_none()) {
        auto strides = py::cast<std::vector<py::ssize_t>>(interface["strides"]);
        for (py::ssize_t& stride : strides)
            stride = stride % view.type.itemsize() == 0 ? stride / view.type.itemsize()
                                                        : -1; // refused below
        check_order(view.shape, strides, name);
    }
    if (interface.contains("stream") && !interface["stream"].is_none())
        view.stream = py::cast<std::uintptr_t>(interface["stream"]);
    // Python objects must be released under the GIL.
    view.keeper = std::shared_ptr<void>(new py::object(x), [](void* kept) {
        const py::gil_scoped_acquire acquire;
        delete static_cast<py::object*>(kept);
    });
    return view;
}

// What a DLPack capsule of ours keeps.
struct exported {
    dlpack::managed_tensor tensor;
    std::shared_ptr<async_device::memory> memory;
    std::vector<std::int64_t> shape;
};

void drop_unused(PyObject* capsule)
{
    if (!PyCapsule_IsValid(capsule, dlpack::NAME))
        return; // taken over, the new owner drops it
    auto* tensor =
        static_cast<dlpack::managed_tensor*>(PyCapsule_GetPointer(capsule, dlpack::NAME));
    tensor->deleter(tensor);
}

} // namespace

bool device_view::is_device_array(const py::object& x)
{
    if (py::hasattr(x, "__dlpack_device__")) {
        const py::tuple device = x.attr("__dlpack_device__")();
        const int type = py::cast<int>(py::int_(device[0]));
        return type == dlpack::CUDA || type == dlpack::CUDA_MANAGED;
    }
    return py::hasattr(x, CUDA_ARRAY_INTERFACE);
}

device_view device_view::read(const py::object& x,
                              const std::string& name,
                              std::uintptr_t stream,
                              bool writable)
{
    // DLPack first: its producer orders its work before ours.
    if (py::hasattr(x, "__dlpack__") && py::hasattr(x, "__dlpack_device__"))
        return take_capsule(x.attr("__dlpack__")("stream"_a = stream), name);
    return read_interface(x, name, writable);
}

void order_streams(async_device& device, std::uintptr_t earlier, std::uintptr_t later)
{
    if (earlier == later)
        return;
    const auto from = device.borrow_queue(stream_handle(earlier));
    const auto to = device.borrow_queue(stream_handle(later));
    const auto event = device.make_event(async_device::event_use::ordering);
    device.record(*event, *from);
    device.wait(*to, *event);
}

device_array::device_array(async_device::sptr device,
                           const py::dtype& type,
                           const std::vector<py::ssize_t>& shape,
                           std::uintptr_t stream)
    : d_device(std::move(device)),
      d_type(type),
      d_shape(shape),
      d_stream(stream)
{
    const std::size_t needed = std::max<std::size_t>(bytes(), 1);
    d_memory = call_without_gil([&] { return d_device->allocate(needed); });
}

device_array::device_array(async_device::sptr device,
                           std::shared_ptr<async_device::memory> memory,
                           const py::dtype& type,
                           const std::vector<py::ssize_t>& shape,
                           std::uintptr_t stream)
    : d_device(std::move(device)),
      d_memory(std::move(memory)),
      d_type(type),
      d_shape(shape),
      d_stream(stream)
{
}

device_array device_array::from_host(const py::array& values, int device)
{
    const py::array dense = py::array::ensure(values, py::array::c_style);
    device_array made(make_cuda_device(device),
                      dense.dtype(),
                      { dense.shape(), dense.shape() + dense.ndim() },
                      LEGACY_STREAM);
    const void* from = dense.data();
    call_without_gil([&] {
        const auto queue = made.d_device->borrow_queue(stream_handle(LEGACY_STREAM));
        made.d_device->copy(*queue, made.data(), from, made.bytes());
        made.d_device->synchronize(*queue);
    });
    return made;
}

std::size_t device_array::bytes() const { return count(d_shape) * d_type.itemsize(); }

py::array device_array::to_host() const
{
    py::array values(d_type, d_shape);
    void* to = values.mutable_data();
    call_without_gil([&] {
        const auto queue = d_device->borrow_queue(stream_handle(d_stream));
        d_device->copy(*queue, to, data(), bytes());
        d_device->synchronize(*queue);
    });
    return values;
}

py::dict device_array::cuda_array_interface() const
{
    return py::dict("shape"_a = py::tuple(py::cast(d_shape)),
                    "typestr"_a = d_type.attr("str"),
                    "data"_a =
                        py::make_tuple(reinterpret_cast<std::uintptr_t>(data()), false),
                    "version"_a = 3,
                    "strides"_a = py::none(),
                    "stream"_a = d_stream);
}

py::capsule device_array::dlpack(const py::object& stream) const
{
    const auto wanted =
        stream.is_none() ? std::intptr_t(LEGACY_STREAM) : py::cast<std::intptr_t>(stream);
    if (wanted == 0 || wanted < -1)
        throw std::invalid_argument(
            fmt::format("stream is {}, but must be None, -1 (no ordering), 1 (legacy "
                        "default), 2 (default of the thread) or a CUstream",
                        wanted));
    if (wanted != -1)
        call_without_gil([&] { order_streams(*d_device, d_stream, wanted); });
    auto made = std::make_unique<exported>();
    made->memory = d_memory;
    made->shape.assign(d_shape.begin(), d_shape.end());
    dlpack::tensor& array = made->tensor.array;
    array = {};
    array.data = data();
    array.device = { dlpack::CUDA, device() };
    array.axes = static_cast<std::int32_t>(d_shape.size());
    const char kind = d_type.kind();
    array.type.code = kind == 'c'   ? dlpack::complex
                      : kind == 'f' ? dlpack::floating
                      : kind == 'u' ? dlpack::unsigned_integer
                                    : dlpack::signed_integer;
    array.type.bits = static_cast<std::uint8_t>(8 * d_type.itemsize());
    array.type.lanes = 1;
    array.shape = made->shape.data();
    made->tensor.manager = made.get();
    made->tensor.deleter = [](dlpack::managed_tensor* self) {
        delete static_cast<exported*>(self->manager);
    };
    PyObject* capsule = PyCapsule_New(&made->tensor, dlpack::NAME, drop_unused);
    if (capsule == nullptr)
        throw py::error_already_set();
    made.release();
    return py::reinterpret_steal<py::capsule>(capsule);
}

constexpr const char* DEVICE_ARRAY_DOC =
    R"(An array in the memory of a GPU, in C order.

Other libraries use it without a copy through __cuda_array_interface__ (version 3) and
__dlpack__. The memory is freed with its last user.
)";

void bind_device_array(py::module& module)
{
    py::class_<device_array>(module, "device_array", DEVICE_ARRAY_DOC)
        .def_property_readonly(
            "shape",
            [](const device_array& self) { return py::tuple(py::cast(self.shape())); },
            "Length of each axis.")
        .def_property_readonly(
            "dtype", &device_array::type, "NumPy's type of an element.")
        .def_property_readonly("nbytes", &device_array::bytes, "Bytes of all elements.")
        .def_property_readonly(
            "device", &device_array::device, "Index of the NVIDIA GPU.")
        .def_property_readonly("stream",
                               &device_array::stream,
                               "The CUstream, as an integer, on which it is computed.")
        .def("to_host",
             &device_array::to_host,
             "A numpy array of the values; waits until they are computed.")
        .def_property_readonly("__cuda_array_interface__",
                               &device_array::cuda_array_interface)
        .def("__dlpack__", &device_array::dlpack, "stream"_a = py::none())
        .def("__dlpack_device__", [](const device_array& self) {
            return py::make_tuple(dlpack::CUDA, self.device());
        });
    module.def(
        "to_device",
        &device_array::from_host,
        "values"_a,
        "device"_a = 0,
        "A device_array with the values of a numpy array, on the NVIDIA GPU of that "
        "index (device).");
}

} // namespace gpufft
} // namespace gr
