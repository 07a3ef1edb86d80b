// SPDX-License-Identifier: GPL-3.0-or-later
//
// Which arrays a problem takes and gives, and executing it on them.

#include "python_plan.h"
#include "array_items.h"

#include <complex>
#include <cstring>
#include <new>
#include <spdlog/fmt/fmt.h>
#include <unistd.h>

namespace gr {
namespace gpufft {

namespace {

std::vector<py::ssize_t> shape_of(const py::array& array)
{
    return { array.shape(), array.shape() + array.ndim() };
}

} // namespace

engine_makers python_plan::s_makers;

python_plan::python_plan(const problem& what, const plan_options& options)
    : d_plan(call_without_gil([&] { return s_makers.make_plan(what, options); })),
      d_device_index(options.device),
      d_device_indices(options.devices),
      d_is_transposed(options.transposed),
      d_process(getpid())
{
}

python_plan::python_plan(plan::uptr made, int device)
    : d_plan(std::move(made)),
      d_device_index(device),
      d_process(getpid())
{
}

// A fork may happen while another thread of the parent, which the child does not have,
// holds the mutex: the child has one of its own.
std::mutex& python_plan::mutex_of_process()
{
    if (d_process != getpid()) {
        new (&d_mutex) std::mutex;
        d_process = getpid();
    }
    return d_mutex;
}

// Nobody waits for this mutex with the GIL, so taking the GIL back under it is safe.
std::unique_lock<std::mutex> python_plan::lock_without_gil()
{
    std::unique_lock<std::mutex> lock(mutex_of_process(), std::defer_lock);
    call_without_gil([&] { lock.lock(); });
    return lock;
}

py::object python_plan::execute(const py::object& input,
                                const py::object& out,
                                std::optional<std::uintptr_t> stream)
{
    const bool is_array = py::isinstance<py::array>(input);
    if (!is_array && are_parts(input))
        return execute_on_devices(input, out, stream);
    if (!is_array && device_view::is_device_array(input))
        return execute_on_device(input, out, stream);
    if (stream)
        throw std::invalid_argument(
            fmt::format("stream is {}, but input is in host memory, where there are no "
                        "streams; leave it out",
                        *stream));
    return execute_on_host(input, out);
}

// Floats and complex numbers are converted, unless they would lose their imaginary parts;
// integers and half floats are not: a wider one would wrap, and two make a sample.
py::array python_plan::to_samples(const py::object& input) const
{
    const array_item wanted = input_item_of(d_plan->what());
    const py::dtype type(wanted.type);
    const bool has_only_dlpack =
        py::hasattr(input, "__dlpack__") && !py::hasattr(input, "__array__");
    const py::array given = py::isinstance<py::array>(input)
                                ? input
                                : py::module::import("numpy").attr(
                                      has_only_dlpack ? "from_dlpack" : "asarray")(input);
    const char from = given.dtype().kind();
    const bool is_wide =
        type.kind() == 'c' || (type.kind() == 'f' && type.itemsize() > 2);
    const bool fits =
        is_wide ? std::strchr(type.kind() == 'c' ? "biufc" : "biuf", from) != nullptr
                : given.dtype().equal(type);
    if (from == '\0' || !fits)
        throw py::type_error(fmt::format("input has dtype {}: must be {}{}",
                                         name_of(given.dtype()),
                                         wanted.type,
                                         wanted.numbers == 2 ? ", interleaved" : ""));
    return given.attr("astype")(type, "order"_a = "C", "copy"_a = false);
}

// Frames in an array of [frames, lengths] or of consecutive samples.
std::size_t python_plan::frames_in(const shape& input) const
{
    const problem& what = d_plan->what();
    const std::size_t numbers = input_item_of(what).numbers;
    const shape frame = frame_shape(what);
    if (input.size() == frame.size() + 1) {
        const bool is_dense =
            what.input_strides.empty() && what.effective_hop() == what.frame_samples();
        if (is_dense && std::equal(frame.begin(), frame.end(), input.begin() + 1))
            return input.front();
        throw std::invalid_argument(fmt::format(
            "input is {}: must be frames by {} (where hop is {} and there are no "
            "strides), or one row of samples",
            shape_text(input),
            shape_text(frame),
            what.frame_samples()));
    }
    if (input.size() != 1)
        throw std::invalid_argument(
            fmt::format("input has {} dimensions: must be 1, or {} for frames by {}",
                        input.size(),
                        frame.size() + 1,
                        shape_text(frame)));
    const std::size_t samples = input.front() / numbers * what.samples_in_item();
    const std::size_t span = what.input_span();
    return samples < span ? 0 : (samples - span) / what.effective_hop() + 1;
}

python_plan::shape python_plan::output_shape(std::size_t rows) const
{
    const problem& what = d_plan->what();
    const std::size_t numbers = output_item_of(what).numbers;
    if (!what.has_plain_rows()) {
        const std::size_t bins =
            rows == 0
                ? 0
                : (rows - 1) * what.effective_output_distance() + what.output_span();
        return { static_cast<py::ssize_t>(bins * numbers) };
    }
    if (what.has_density())
        return { static_cast<py::ssize_t>(rows),
                 static_cast<py::ssize_t>(what.row_items()) };
    shape row = item_shape(what.kind == transform_kind::zoom ||
                                   what.kind == transform_kind::filter ||
                                   what.kind == transform_kind::synthesis ||
                                   what.picks_bins() || what.is_correlation()
                               ? std::vector<std::size_t>{ what.row_bins() }
                               : what.axes(),
                           what.kind == transform_kind::r2c,
                           numbers);
    row.insert(row.begin(), rows);
    return row;
}

void python_plan::check_out(const shape& there,
                            const py::dtype& type,
                            const shape& wanted) const
{
    const char* needed = output_item_of(d_plan->what()).type;
    if (!type.equal(py::dtype(needed)))
        throw py::type_error(
            fmt::format("out has dtype {}: must be {}", name_of(type), needed));
    if (there != wanted)
        throw std::invalid_argument(
            fmt::format("out is {}: must be {}", shape_text(there), shape_text(wanted)));
}

py::array python_plan::execute_on_host(const py::object& input, const py::object& out)
{
    const py::array samples = to_samples(input);
    const std::unique_lock<std::mutex> lock = lock_without_gil(); // the hop may change
    const std::size_t frames = frames_in(shape_of(samples));
    const shape wanted = output_shape(d_plan->output_rows(frames));
    py::array output;
    if (out.is_none()) {
        output = py::array(py::dtype(output_item_of(d_plan->what()).type), wanted);
        if (!d_plan->what().has_plain_rows())
            std::memset(output.mutable_data(), 0, output.nbytes());
    } else {
        if (!py::isinstance<py::array>(out))
            throw py::type_error("out must be a numpy array, as the input is");
        output = py::reinterpret_borrow<py::array>(out);
        check_out(shape_of(output), output.dtype(), wanted);
        if (!(output.flags() & py::array::c_style) || !output.writeable())
            throw std::invalid_argument("out must be writeable, in C order without gaps");
    }
    const void* from = samples.data();
    void* to = output.mutable_data();
    if (frames > 0)
        call_without_gil([&] { d_plan->execute(from, to, frames); });
    return output;
}

py::object python_plan::execute_on_device(const py::object& input,
                                          const py::object& out,
                                          std::optional<std::uintptr_t> stream)
{
    if (d_plan->engine() != engine_kind::cuda)
        throw py::type_error(fmt::format(
            "input is an array on a GPU, but this plan is on engine {} ({}), which takes "
            "arrays in host memory; make it with engine=\"cuda\"",
            to_string(d_plan->engine()),
            d_plan->engine_reason()));
    if (stream && *stream == 0)
        throw std::invalid_argument("stream is 0, but must be 1 (legacy default), 2 "
                                    "(default of the thread) or a CUstream");
    std::uintptr_t on = stream.value_or(LEGACY_STREAM);
    const device_view from = device_view::read(input, "input", on, false);
    if (!stream && from.stream)
        on = *from.stream;
    const char* needed = input_item_of(d_plan->what()).type;
    if (!from.type.equal(py::dtype(needed)))
        throw py::type_error(fmt::format(
            "input has dtype {}: must be {} on a GPU", name_of(from.type), needed));
    if (from.device && *from.device != d_device_index)
        throw std::invalid_argument(
            fmt::format("input is on device {}, but the plan is on {}",
                        *from.device,
                        d_device_index));
    const std::unique_lock<std::mutex> lock = lock_without_gil(); // the hop may change
    const std::size_t frames = frames_in(from.shape);
    if (!d_device)
        d_device = s_makers.make_device(d_device_index);
    const shape wanted = output_shape(d_plan->output_rows(frames));
    py::object result = out;
    device_view to;
    if (out.is_none()) {
        device_array made(
            d_device, py::dtype(output_item_of(d_plan->what()).type), wanted, on);
        to.data = made.data();
        result = py::cast(std::move(made));
    } else {
        if (!device_view::is_device_array(out))
            throw py::type_error("out must be an array on the GPU, as the input is");
        to = device_view::read(out, "out", on, true);
        check_out(to.shape, to.type, wanted);
    }
    call_without_gil([&] {
        // Scratch belongs to the stream of the last call; foreign data to its own.
        for (const auto& earlier : { d_stream, from.stream, to.stream })
            if (earlier)
                order_streams(*d_device, *earlier, on);
        d_stream = on;
        if (frames > 0)
            d_plan->enqueue(from.data, to.data, frames, stream_handle(on));
        for (const auto& later : { from.stream, to.stream })
            if (later)
                order_streams(*d_device, on, *later);
    });
    return result;
}

} // namespace gpufft
} // namespace gr
