// SPDX-License-Identifier: GPL-3.0-or-later
//
// A Python function of arrays, or a kernel, as a block: what array_block.py and
// kernel_block.py are made of.

#include "block_bindings.h"
#include "device_array.h"
#include "python_calls.h"
#include "stream/function_plan.h"
#include <algorithm>
#include <gnuradio/gpufft/kernel_function.h>
#include <iterator>
#include <map>

namespace gr {
namespace gpufft {

namespace {

// Type and shape of an item of a port.
struct item_type {
    py::dtype type;
    std::vector<py::ssize_t> shape; // of an item; empty: a number

    std::size_t bytes() const
    {
        std::size_t product = type.itemsize();
        for (const py::ssize_t length : shape)
            product *= length;
        return product;
    }
    std::vector<py::ssize_t> shape_of(std::size_t items) const
    {
        std::vector<py::ssize_t> all = { static_cast<py::ssize_t>(items) };
        all.insert(all.end(), shape.begin(), shape.end());
        return all;
    }
};

// Everything of Python, which only a thread with the GIL may touch.
struct python_call {
    py::object function;
    std::vector<item_type> inputs, outputs;
};

// Memory that a block has on a card while it calls.
struct block_memory : async_device::memory {
    explicit block_memory(void* address) : d_address(address) {}
    void* address() const override { return d_address; }
    void* const d_address;
};

class python_function : public device_function
{
public:
    python_function(const std::string& name,
                    const py::object& function,
                    const std::vector<item_type>& inputs,
                    const std::vector<item_type>& outputs,
                    const device_ports& ports,
                    const kernel_function::sptr& kernel,
                    const std::string& obstacle)
        : d_name(name),
          d_call(new python_call{ function, inputs, outputs }, forget),
          d_ports(ports),
          d_kernel(kernel),
          d_obstacle(obstacle),
          d_is_for_cpu(!function.is_none())
    {
    }

    std::string name() const override { return d_kernel ? d_kernel->name() : d_name; }

    std::string obstacle(engine_kind engine) const override
    {
        if (engine != engine_kind::cpu)
            return d_obstacle;
        if (d_is_for_cpu)
            return "";
        return d_kernel->obstacle(engine) + ": give cpu, a function of NumPy arrays";
    }

    void prepare(int device) override
    {
        if (device < 0)
            return;
        if (d_kernel)
            d_kernel->prepare(device);
        else
            d_devices.emplace(device, device_of_blocks(device));
    }
    void release(int device) override
    {
        if (d_kernel)
            d_kernel->release(device);
        d_devices.erase(device);
    }

    // Python frames of the thread that starts the flowgraph are above this one.
    void begin() override
    {
        if (!d_is_for_cpu)
            return;
        const call_of_python guard;
        const py::gil_scoped_acquire acquire;
        const py::object& function = d_call->function;
        if (py::hasattr(function, "begin"))
            function.attr("begin")();
    }

    void compute(const device_call& now) override
    {
        if (d_kernel && now.device >= 0) {
            d_kernel->compute(now);
            return;
        }
        const call_of_python guard;
        const py::gil_scoped_acquire acquire;
        try {
            call(now);
        } catch (const py::error_already_set& error) {
            throw std::runtime_error(text_of(error));
        }
    }

private:
    typedef std::vector<py::ssize_t> lengths;

    // A port's array, or a tuple of those of several ports.
    static py::object of_ports(const std::vector<py::object>& arrays)
    {
        return arrays.size() == 1 ? arrays[0] : py::object(py::tuple(py::cast(arrays)));
    }

    void call(const device_call& now)
    {
        std::vector<py::object> in, out;
        for (std::size_t i = 0; i < d_ports.inputs.size(); ++i) {
            const device_input& port = d_ports.inputs[i];
            const item_type& item = d_call->inputs[i];
            const std::size_t items = port.history + now.frames * port.decimation;
            in.push_back(array_at(
                now, const_cast<void*>(now.inputs[i]), item.type, item.shape_of(items)));
        }
        std::vector<lengths> shapes;
        for (std::size_t k = 0; k < d_ports.outputs.size(); ++k) {
            const item_type& item = d_call->outputs[k];
            shapes.push_back(
                item.shape_of(now.frames * d_ports.outputs[k].interpolation));
            out.push_back(array_at(now, now.outputs[k], item.type, shapes[k]));
        }
        const std::uint64_t first = now.first * d_ports.inputs[0].decimation;
        take_results(
            d_call->function(of_ports(in), of_ports(out), first), now, out, shapes);
        if (now.device >= 0 || d_has_warned)
            return;
        std::move(out.begin(), out.end(), std::back_inserter(in));
        d_has_warned = warn_of_kept(d_name, in);
    }

    void take_results(const py::object& result,
                      const device_call& now,
                      const std::vector<py::object>& out,
                      const std::vector<lengths>& shapes)
    {
        if (result.is_none())
            return;
        const std::vector<py::object> results = results_of(result);
        for (std::size_t k = 0; k < results.size(); ++k) {
            if (results[k].is_none() || results[k].is(out[k]))
                continue;
            if (now.device < 0)
                fill(out[k], results[k], d_call->outputs[k].type, shapes[k]);
            else
                take(results[k], now, k, shapes[k]);
        }
    }

    py::object array_at(const device_call& now,
                        void* address,
                        const py::dtype& type,
                        const lengths& shape) const
    {
        if (now.device < 0) {
            const py::none owner; // or the array would be a copy
            return py::array(type, shape, address, owner);
        }
        return py::cast(device_array(d_devices.at(now.device),
                                     std::make_shared<block_memory>(address),
                                     type,
                                     shape,
                                     reinterpret_cast<std::uintptr_t>(now.stream)));
    }

    // What the function returned for each output.
    std::vector<py::object> results_of(const py::object& result) const
    {
        const std::size_t outputs = d_ports.outputs.size();
        if (outputs == 1)
            return { result };
        if (!py::isinstance<py::tuple>(result) && !py::isinstance<py::list>(result))
            throw py::type_error("the function returned " + type_of(result) +
                                 ", but must return None or a tuple of " +
                                 std::to_string(outputs) + " arrays");
        const auto results = py::cast<std::vector<py::object>>(result);
        if (results.size() != outputs)
            throw std::invalid_argument(
                "the function returned " + std::to_string(results.size()) +
                " arrays, but must return " + std::to_string(outputs));
        return results;
    }

    static std::string type_of(const py::object& object)
    {
        return py::str(py::type::of(object));
    }

    // Copies what the function returned to an output in host memory. NumPy alone would
    // repeat a number, e.g. len(out), and drop imaginary parts.
    static void fill(const py::object& out,
                     const py::object& result,
                     const py::dtype& type,
                     const lengths& shape)
    {
        const py::module numpy = py::module::import("numpy");
        const py::array array = numpy.attr("asarray")(result);
        if (array.ndim() == 0)
            throw py::type_error("the function returned " + type_of(result) +
                                 ", but must return None or an array of " +
                                 words_of(type, shape));
        const lengths found(array.shape(), array.shape() + array.ndim());
        const py::object fits = numpy.attr("can_cast")(array.dtype(), type, "same_kind");
        if (found != shape || !py::cast<bool>(fits))
            refuse(array.dtype(), found, type, shape);
        py::reinterpret_borrow<py::array>(out)[py::ellipsis()] = array;
    }

    [[noreturn]] static void refuse(const py::dtype& found,
                                    const lengths& found_shape,
                                    const py::dtype& type,
                                    const lengths& shape)
    {
        throw std::invalid_argument("the function returned an array of " +
                                    words_of(found, found_shape) + ", but must return " +
                                    words_of(type, shape));
    }

    // Copies what the function returned to an output on a card.
    void take(const py::object& result,
              const device_call& now,
              std::size_t output,
              const lengths& shape)
    {
        if (!device_view::is_device_array(result))
            throw py::type_error("the function returned " + type_of(result) +
                                 ", but must return None or an array on the GPU that has "
                                 "__cuda_array_interface__ or __dlpack__");
        const auto stream = reinterpret_cast<std::uintptr_t>(now.stream);
        const device_view view = device_view::read(
            result, "the array that the function returned", stream, false);
        const py::dtype& type = d_call->outputs[output].type;
        if (!view.type.equal(type) || view.shape != shape)
            refuse(view.type, view.shape, type, shape);
        std::size_t bytes = type.itemsize();
        for (const py::ssize_t length : shape)
            bytes *= length;
        const async_device::sptr& device = d_devices.at(now.device);
        const released_gil released;
        if (view.stream)
            order_streams(*device, *view.stream, stream);
        const auto queue = device->borrow_queue(now.stream);
        if (view.data != now.outputs[output])
            device->copy(*queue, now.outputs[output], view.data, bytes);
    }

    static std::string words_of(const py::dtype& type,
                                const std::vector<py::ssize_t>& shape)
    {
        return py::cast<std::string>(type.attr("name")) + " of shape " +
               std::string(py::str(py::tuple(py::cast(shape))));
    }

    static void forget(python_call* gone)
    {
        // PyGILState_Check() is true after the end of Python, when no thread has a state
        if (PyGILState_Check() && py::detail::get_thread_state_unchecked()) {
            delete gone;
            return;
        }
        try {
            const call_of_python guard;
            const py::gil_scoped_acquire acquire;
            delete gone;
        } catch (const std::exception&) {
            // Python has ended: left to the end of the process
        }
    }

    const std::string d_name;
    const std::shared_ptr<python_call> d_call;
    const device_ports d_ports;
    const kernel_function::sptr d_kernel; // in the place of the function on a GPU
    const std::string d_obstacle;         // to the GPU
    const bool d_is_for_cpu;
    bool d_has_warned = false; // that arrays are kept; guarded by Python's lock
    std::map<int, async_device::sptr> d_devices;
};

constexpr const char* DOC = R"(The block in an array_block or a kernel_block, which see.

Args:
    name: of the block
    function: called with input array, output array and the number of the first new item;
        None if there is only a kernel
    inputs: dtype, shape of an item, decimation and history of each input
    outputs: dtype, shape of an item and interpolation of each output
    kernel: a kernel_function in the place of the function on a GPU, or None
    obstacle: why the GPU is not used, or ""
    @engine
    cuda_buffer_in: the inputs' neighbours are blocks of gr-cuda
    cuda_buffer_out: the outputs' neighbours are blocks of gr-cuda
)";

typedef std::vector<py::ssize_t> shape;
typedef std::tuple<py::dtype, shape, std::size_t, std::size_t> input;
typedef std::tuple<py::dtype, shape, std::size_t> output;

std::shared_ptr<device_block> make(const std::string& name,
                                   const py::object& function,
                                   const std::vector<input>& inputs,
                                   const std::vector<output>& outputs,
                                   const std::optional<kernel_function::sptr>& kernel,
                                   const std::string& obstacle,
                                   const std::string& engine,
                                   const device_list& device,
                                   const std::string& on_error,
                                   double device_timeout,
                                   bool cuda_buffer_in,
                                   bool cuda_buffer_out)
{
    device_ports ports;
    ports.inputs.clear();
    ports.outputs.clear();
    std::vector<item_type> in, out;
    for (const auto& [type, shape, decimation, history] : inputs) {
        in.push_back({ type, shape });
        ports.inputs.push_back(
            { in.back().bytes(), decimation, history, cuda_buffer_in });
    }
    for (const auto& [type, shape, interpolation] : outputs) {
        out.push_back({ type, shape });
        ports.outputs.push_back({ out.back().bytes(), interpolation, cuda_buffer_out });
    }
    const auto called = std::make_shared<python_function>(
        name, function, in, out, ports, kernel.value_or(nullptr), obstacle);
    return call_without_gil([&] {
        return device_block::make(
            name, called, ports, { engine, device, on_error, device_timeout });
    });
}

} // namespace

void bind_array_block(py::module& module)
{
    py::module::import("atexit").attr("register")(py::cpp_function(end_calls));
    bind_kernel_function(module);
    python_block<device_block> block(module, "device_block", described(DOC).c_str());
    block.def(py::init(&make),
              "name"_a,
              "function"_a,
              "inputs"_a,
              "outputs"_a,
              "kernel"_a = py::none(),
              "obstacle"_a = "",
              py::kw_only(),
              "engine"_a = "auto",
              "device"_a = device_list(),
              "on_error"_a = "stop",
              "device_timeout"_a = 10.0,
              "cuda_buffer_in"_a = false,
              "cuda_buffer_out"_a = false);
    bind_engine_block(block);
}

} // namespace gpufft
} // namespace gr
