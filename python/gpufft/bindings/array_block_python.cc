// SPDX-License-Identifier: GPL-3.0-or-later
//
// A Python function of arrays, or a kernel, as a block: what array_block.py and
// kernel_block.py are made of.

#include "block_bindings.h"
#include "device_array.h"
#include "stream/function_plan.h"
#include <atomic>
#include <chrono>
#include <gnuradio/gpufft/kernel_function.h>
#include <map>
#include <thread>

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
    std::vector<py::ssize_t> shape_of(std::initializer_list<std::size_t> items) const
    {
        std::vector<py::ssize_t> all(items.begin(), items.end());
        all.insert(all.end(), shape.begin(), shape.end());
        return all;
    }
};

// Everything of Python, which only a thread with the GIL may touch.
struct python_call {
    py::object function;
    item_type input, output;
};

// Memory that a block has on a card while it calls.
struct block_memory : async_device::memory {
    explicit block_memory(void* address) : d_address(address) {}
    void* address() const override { return d_address; }
    void* const d_address;
};

// Whether Python is about to end, and how many calls use it: at its end a thread that
// waits for Python's lock would be ended with it, which no C++ survives.
std::atomic<bool> s_ends{ false };
std::atomic<int> s_calls{ 0 };

class call_of_python
{
public:
    call_of_python()
    {
        ++s_calls;
        if (s_ends) {
            --s_calls;
            throw std::runtime_error("Python has ended");
        }
    }
    ~call_of_python() { --s_calls; }
    call_of_python(const call_of_python&) = delete;
    call_of_python& operator=(const call_of_python&) = delete;
};

// Python calls it before it ends. Waits for calls that have begun.
void end_calls()
{
    s_ends = true;
    const py::gil_scoped_release release;
    while (s_calls > 0)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

// The error as Python prints it.
std::string text_of(const py::error_already_set& error)
{
    try {
        const py::object lines =
            py::module::import("traceback")
                .attr("format_exception")(error.type(), error.value(), error.trace());
        std::string text = py::cast<std::string>(py::str("").attr("join")(lines));
        while (!text.empty() && text.back() == '\n')
            text.pop_back();
        return text;
    } catch (const std::exception&) {
        return error.what();
    }
}

class python_function : public device_function
{
public:
    python_function(const std::string& name,
                    const py::object& function,
                    const item_type& input,
                    const item_type& output,
                    const device_ports& ports,
                    const kernel_function::sptr& kernel,
                    const std::string& obstacle)
        : d_name(name),
          d_call(new python_call{ function, input, output }, forget),
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
    void call(const device_call& now)
    {
        const item_type &in = d_call->input, &out = d_call->output;
        const auto in_shape =
            in.shape_of({ d_ports.history + now.frames * d_ports.decimation });
        const std::size_t rows = now.frames * d_ports.interpolation;
        const auto out_shape = d_ports.outputs == 1
                                   ? out.shape_of({ rows })
                                   : out.shape_of({ rows, d_ports.outputs });
        const std::uint64_t first = now.first * d_ports.decimation;
        void* const input = const_cast<void*>(now.input);
        if (now.device < 0) {
            const py::none owner; // or the arrays would be copies
            py::array x(in.type, in_shape, input, owner);
            const py::array y(out.type, out_shape, now.output, owner);
            const py::object result = d_call->function(x, y, first);
            if (!result.is_none())
                y[py::ellipsis()] = result;
            return;
        }
        const async_device::sptr& device = d_devices.at(now.device);
        const auto stream = reinterpret_cast<std::uintptr_t>(now.stream);
        const auto array_at = [&](void* address,
                                  const py::dtype& type,
                                  const auto& shape) {
            return py::cast(device_array(
                device, std::make_shared<block_memory>(address), type, shape, stream));
        };
        const py::object y = array_at(now.output, out.type, out_shape);
        const py::object result =
            d_call->function(array_at(input, in.type, in_shape), y, first);
        if (!result.is_none() && !result.is(y))
            take(result, now, *device, out_shape);
    }

    // Copies what the function returned to the output.
    void take(const py::object& result,
              const device_call& now,
              async_device& device,
              const std::vector<py::ssize_t>& shape)
    {
        if (!device_view::is_device_array(result))
            throw py::type_error("the function returned " +
                                 std::string(py::str(py::type::of(result))) +
                                 ", but must return None or an array on the GPU that has "
                                 "__cuda_array_interface__ or __dlpack__");
        const auto stream = reinterpret_cast<std::uintptr_t>(now.stream);
        const device_view view = device_view::read(
            result, "the array that the function returned", stream, false);
        const py::dtype& type = d_call->output.type;
        if (!view.type.equal(type) || view.shape != shape)
            throw std::invalid_argument("the function returned an array of " +
                                        words_of(view.type, view.shape) +
                                        ", but must return " + words_of(type, shape));
        std::size_t bytes = type.itemsize();
        for (const py::ssize_t length : shape)
            bytes *= length;
        const py::gil_scoped_release release;
        if (view.stream)
            order_streams(device, *view.stream, stream);
        const auto queue = device.borrow_queue(now.stream);
        if (view.data != now.output)
            device.copy(*queue, now.output, view.data, bytes);
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
    std::map<int, async_device::sptr> d_devices;
};

constexpr const char* DOC = R"(The block in an array_block or a kernel_block, which see.

Args:
    name: of the block
    function: called with input array, output array and the number of the first new item;
        None if there is only a kernel
    in_type: dtype of the input's numbers
    in_shape: shape of an input item
    out_type: dtype of the outputs' numbers
    out_shape: shape of an output item
    outputs: number of outputs
    decimation: new input items of a frame
    interpolation: output items of a frame
    history: items before the new ones
    kernel: a kernel_function in the place of the function on a GPU, or None
    obstacle: why the GPU is not used, or ""
    @engine
)";

std::shared_ptr<device_block> make(const std::string& name,
                                   const py::object& function,
                                   const py::dtype& in_type,
                                   const std::vector<py::ssize_t>& in_shape,
                                   const py::dtype& out_type,
                                   const std::vector<py::ssize_t>& out_shape,
                                   std::size_t outputs,
                                   std::size_t decimation,
                                   std::size_t interpolation,
                                   std::size_t history,
                                   const std::optional<kernel_function::sptr>& kernel,
                                   const std::string& obstacle,
                                   const std::string& engine,
                                   const device_list& device,
                                   const std::string& on_error,
                                   double device_timeout)
{
    const item_type input{ in_type, in_shape }, output{ out_type, out_shape };
    device_ports ports;
    ports.input_bytes = input.bytes();
    ports.output_bytes = output.bytes();
    ports.outputs = outputs;
    ports.decimation = decimation;
    ports.interpolation = interpolation;
    ports.history = history;
    const auto called = std::make_shared<python_function>(
        name, function, input, output, ports, kernel.value_or(nullptr), obstacle);
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
              "in_type"_a,
              "in_shape"_a,
              "out_type"_a,
              "out_shape"_a,
              "outputs"_a = 1,
              "decimation"_a = 1,
              "interpolation"_a = 1,
              "history"_a = 0,
              "kernel"_a = py::none(),
              "obstacle"_a = "",
              py::kw_only(),
              "engine"_a = "auto",
              "device"_a = device_list(),
              "on_error"_a = "stop",
              "device_timeout"_a = 10.0);
    bind_engine_block(block);
}

} // namespace gpufft
} // namespace gr
