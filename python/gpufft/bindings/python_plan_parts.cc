// SPDX-License-Identifier: GPL-3.0-or-later
//
// Arrays in parts on several GPUs, one in a list for each.

#include "array_items.h"
#include "python_plan.h"

#include <numeric>
#include <spdlog/fmt/fmt.h>

namespace gr {
namespace gpufft {

namespace {

typedef std::vector<py::ssize_t> shape;

// Of one part of a frame or row of that shape: `numbers` of its numbers.
shape part_shape(shape whole, std::size_t numbers)
{
    const py::ssize_t row = std::accumulate(
        whole.begin() + 1, whole.end(), py::ssize_t(1), std::multiplies<>());
    whole.front() = static_cast<py::ssize_t>(numbers) / row;
    return whole;
}

std::string list_text(const std::vector<int>& values)
{
    return fmt::format("[{}]", fmt::join(values, ", "));
}

} // namespace

// One array of each device.
struct python_plan::parts {
    std::vector<device_view> views;
    std::size_t frames = 1;
    bool has_frames = false; // the first axis counts frames
};

bool python_plan::are_parts(const py::object& input)
{
    if (!py::isinstance<py::list>(input) && !py::isinstance<py::tuple>(input))
        return false;
    const py::sequence all(input);
    return py::len(all) > 0 && device_view::is_device_array(all[0]);
}

void python_plan::make_devices()
{
    for (std::size_t i = d_devices.size(); i < d_device_indices.size(); ++i)
        d_devices.push_back(s_makers.make_device(d_device_indices[i]));
}

python_plan::parts python_plan::read_parts(const py::object& given,
                                           const std::string& name,
                                           std::uintptr_t stream,
                                           bool writable) const
{
    const problem& what = d_plan->what();
    const array_item item = writable ? output_item_of(what) : input_item_of(what);
    const shape whole =
        writable ? item_shape(what.axes(), what.kind == transform_kind::r2c, item.numbers)
                 : frame_shape(what);
    const std::vector<std::size_t> items =
        writable ? d_plan->output_parts() : d_plan->input_parts();
    const std::size_t count = d_device_indices.size();
    const bool is_sequence =
        py::isinstance<py::list>(given) || py::isinstance<py::tuple>(given);
    if (!is_sequence || py::len(given) != count)
        throw std::invalid_argument(
            fmt::format("{} must be a list of {} arrays, one on each of the devices {}",
                        name,
                        count,
                        list_text(d_device_indices)));
    const py::sequence all(given);
    parts read;
    for (std::size_t i = 0; i < count; ++i) {
        if (!device_view::is_device_array(all[i]))
            throw py::type_error(
                fmt::format("part {} of {} is not on a GPU: must be on device {}, as a "
                            "CuPy array or anything else with __dlpack__",
                            i,
                            name,
                            d_device_indices[i]));
        const device_view view = device_view::read(
            all[i], fmt::format("part {} of {}", i, name), stream, writable);
        if (!view.type.equal(py::dtype(item.type)))
            throw py::type_error(fmt::format("part {} of {} has dtype {}: must be {}",
                                             i,
                                             name,
                                             name_of(view.type),
                                             item.type));
        if (view.device && *view.device != d_device_indices[i])
            throw std::invalid_argument(
                fmt::format("part {} of {} is on device {}: must be on {}",
                            i,
                            name,
                            *view.device,
                            d_device_indices[i]));
        shape wanted = part_shape(whole, items[i] * item.numbers);
        if (i == 0) {
            read.has_frames = view.shape.size() == wanted.size() + 1;
            read.frames = read.has_frames ? view.shape.front() : 1;
        }
        if (read.has_frames)
            wanted.insert(wanted.begin(), static_cast<py::ssize_t>(read.frames));
        if (view.shape != wanted)
            throw std::invalid_argument(fmt::format(
                "part {} of {} is {}: must be {}, with or without a number of "
                "frames before, the same in all parts",
                i,
                name,
                shape_text(view.shape),
                shape_text(wanted)));
        read.views.push_back(view);
    }
    return read;
}

py::list python_plan::execute_on_devices(const py::object& input,
                                         const py::object& out,
                                         std::optional<std::uintptr_t> stream)
{
    if (d_device_indices.size() < 2 || d_plan->engine() != engine_kind::cuda)
        throw std::invalid_argument(
            fmt::format("input is a list of arrays on GPUs, but this plan is on one "
                        "device, engine {} "
                        "({}); make it with engine=\"cuda\" and device=[0, 1]",
                        to_string(d_plan->engine()),
                        d_plan->engine_reason()));
    constexpr std::uintptr_t OF_THREAD = 2;
    const std::uintptr_t on = stream.value_or(LEGACY_STREAM);
    if (on != LEGACY_STREAM && on != OF_THREAD)
        throw std::invalid_argument(
            fmt::format("stream is {}, but must be 1 (legacy default) or 2 (default of "
                        "the thread) for arrays on several GPUs",
                        on));
    const parts from = read_parts(input, "input", on, false);
    const std::unique_lock<std::mutex> lock = lock_without_gil();
    call_without_gil([&] { make_devices(); });
    const problem& what = d_plan->what();
    const array_item bin = output_item_of(what);
    py::list result;
    parts to;
    if (out.is_none()) {
        const shape whole =
            item_shape(what.axes(), what.kind == transform_kind::r2c, bin.numbers);
        const std::vector<std::size_t> items = d_plan->output_parts();
        for (std::size_t i = 0; i < d_devices.size(); ++i) {
            shape part = part_shape(whole, items[i] * bin.numbers);
            if (from.has_frames)
                part.insert(part.begin(), static_cast<py::ssize_t>(from.frames));
            device_array made(d_devices[i], py::dtype(bin.type), part, on);
            to.views.emplace_back();
            to.views.back().data = made.data();
            result.append(py::cast(std::move(made)));
        }
    } else {
        to = read_parts(out, "out", on, true);
        if (to.frames != from.frames)
            throw std::invalid_argument(fmt::format(
                "out has {} frames: must have {}, as the input", to.frames, from.frames));
        result = py::list(out);
    }
    call_without_gil([&] {
        std::vector<const void*> inputs;
        std::vector<void*> outputs, streams(d_devices.size(), stream_handle(on));
        for (std::size_t i = 0; i < d_devices.size(); ++i) {
            inputs.push_back(from.views[i].data);
            outputs.push_back(to.views[i].data);
            for (const auto& earlier : { from.views[i].stream, to.views[i].stream })
                if (earlier)
                    order_streams(*d_devices[i], *earlier, on);
        }
        if (from.frames > 0)
            d_plan->execute(inputs, outputs, from.frames, streams);
    });
    return result;
}

} // namespace gpufft
} // namespace gr
