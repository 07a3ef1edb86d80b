// SPDX-License-Identifier: GPL-3.0-or-later
//
// Plans for numpy arrays, problems, and what the machine offers.

#include "block_bindings.h"
#include <complex>
#include <cstdint>
#include <gnuradio/gpufft/engine.h>
#include <gnuradio/gpufft/plan.h>
#include <gnuradio/gpufft/tuning.h>
#include <mutex>
#include <pybind11/complex.h>
#include <pybind11/numpy.h>
#include <spdlog/fmt/fmt.h>
#include <string>
#include <variant>

namespace gr {
namespace gpufft {

namespace {

planning_effort effort_from_string(const std::string& name)
{
    if (name == "estimate")
        return planning_effort::estimate;
    if (name == "measure")
        return planning_effort::measure;
    throw std::invalid_argument(
        fmt::format("effort is \"{}\", but must be estimate or measure", name));
}

// A plan that several Python threads may use.
class python_plan
{
public:
    python_plan(const std::variant<problem, std::string>& what,
                const std::string& engine,
                int device,
                int threads,
                const std::string& effort)
    {
        const std::string* text = std::get_if<std::string>(&what);
        const problem wanted =
            text ? problem::from_string(*text) : std::get<problem>(what);
        plan_options options;
        options.engine = engine_from_string(engine);
        options.device = device;
        options.threads = threads;
        options.effort = effort_from_string(effort);
        d_plan = call_without_gil([&] { return plan::make(wanted, options); });
    }

    template <class Change>
    void change(Change&& change)
    {
        py::gil_scoped_release release;
        std::lock_guard<std::mutex> lock(d_mutex);
        change(*d_plan);
    }

    py::array execute(const py::array& input)
    {
        const problem& what = d_plan->what();
        switch (what.input) {
        case sample_format::cf32:
            return run(to_array<std::complex<float>>(input), 1);
        case sample_format::f32:
            return run(to_array<float>(input), 1);
        case sample_format::cs16:
            return run(exactly<std::int16_t>(input, "int16"), 2);
        case sample_format::cs8:
            return run(exactly<std::int8_t>(input, "int8"), 2);
        }
        throw std::logic_error("unknown sample format");
    }

    plan& get() { return *d_plan; }

    std::size_t scratch_bytes()
    {
        py::gil_scoped_release release;
        std::lock_guard<std::mutex> lock(d_mutex);
        return d_plan->scratch_bytes();
    }

private:
    template <class T>
    static py::array to_array(const py::array& input)
    {
        return py::array_t<T, py::array::c_style | py::array::forcecast>(input);
    }

    // Integers are never converted: a wider one would wrap.
    template <class T>
    static py::array exactly(const py::array& input, const char* name)
    {
        if (!py::isinstance<py::array_t<T>>(input))
            throw py::type_error(
                fmt::format("input has dtype {}: must be {}, interleaved",
                            std::string(py::str(input.dtype())),
                            name));
        return to_array<T>(input);
    }

    // Frames in an array of [frames, n] or of consecutive samples.
    std::size_t frames_in(const py::array& input, std::size_t items_per_sample) const
    {
        const std::size_t n = d_plan->what().n;
        const std::size_t hop = d_plan->what().effective_hop();
        if (input.ndim() == 2) {
            const std::size_t row = input.shape(1);
            if (row != n * items_per_sample || hop != n)
                throw std::invalid_argument(fmt::format(
                    "input is {} by {}: must be frames by {} (hop {}), or one "
                    "row of samples",
                    input.shape(0),
                    row,
                    n * items_per_sample,
                    n));
            return input.shape(0);
        }
        if (input.ndim() != 1)
            throw std::invalid_argument(
                fmt::format("input has {} dimensions: must be 1 or 2", input.ndim()));
        const std::size_t samples = input.size() / items_per_sample;
        return samples < n ? 0 : (samples - n) / hop + 1;
    }

    py::array run(const py::array& input, std::size_t items_per_sample)
    {
        const std::size_t n = d_plan->what().n;
        const std::size_t frames = frames_in(input, items_per_sample);
        // Nobody waits for this mutex with the GIL, so taking the GIL back under it is
        // safe.
        std::unique_lock<std::mutex> lock(d_mutex, std::defer_lock);
        call_without_gil([&] { lock.lock(); });
        const std::size_t rows = d_plan->output_rows(frames);
        py::array output = d_plan->what().is_power()
                               ? py::array(py::array_t<float>({ rows, n }))
                               : py::array(py::array_t<std::complex<float>>({ rows, n }));
        const void* samples = input.data();
        void* bins = output.mutable_data();
        if (frames > 0)
            call_without_gil([&] { d_plan->execute(samples, bins, frames); });
        return output;
    }

    plan::uptr d_plan;
    std::mutex d_mutex;
};

constexpr const char* PLAN_DOC = R"(A transform made ready on one engine.

    p = gpufft.plan("c2c_forward_n1009_b3")
    spectra = p.execute(frames)        # complex64 [3, 1009] -> complex64 [3, 1009]

Args:
    problem: its string, see problem, or a problem
    engine: "auto" (the GPU where it is usable and has the length, whether faster or not:
        see break_even), "cuda" or "cpu"
    device: index of the NVIDIA GPU
    threads: threads of the cpu engine, 1 ... 1024; 0 is one for each core
    effort: how the cuda engine chooses among algorithms: "estimate" (by wisdom for this
        card, else by a cost model) or "measure" (by wisdom, else by timing on the card,
        which becomes wisdom)

Raises:
    ValueError: a problem out of range, or a length that the engine does not have
    RuntimeError: device trouble
)";

constexpr const char* EXECUTE_DOC = R"(Transforms an array; returns rows, [rows, n].

Args:
    input: [frames, n], or one row of samples from which frames are cut every hop (samples
        past the last whole frame are left out). complex64 or float32, or interleaved int16
        or int8 with two numbers a sample.

Returns:
    complex64, or float32 for power and decibel
)";

constexpr const char* PROBLEM_DOC = R"(What is to be computed, read from its string.

Tokens: c2c, forward|inverse, n<N>, b<batch>, then in any order real|cs16|cs8, hop<samples>,
window, shiftin, power|decibel, shiftout, avg<frames>, smooth<a>, scale<s>,
algorithm=<name>; for example
"c2c_forward_n4096_b64_cs16_hop2048_window_decibel_shiftout_avg100".
)";

void bind_problem(py::module& module)
{
    py::class_<problem>(module, "problem", PROBLEM_DOC)
        .def(py::init(&problem::from_string), "text"_a)
        .def("__str__", &problem::to_string)
        .def("__repr__",
             [](const problem& self) { return "problem('" + self.to_string() + "')"; })
        .def_property_readonly("direction",
                               [](const problem& self) { return to_string(self.dir); })
        .def_readonly("n", &problem::n)
        .def_readonly("batch", &problem::batch)
        .def_property_readonly("input",
                               [](const problem& self) { return to_string(self.input); })
        .def_readonly("window", &problem::window)
        .def_property_readonly("output",
                               [](const problem& self) { return to_string(self.output); })
        .def_readonly("shift_input", &problem::shift_input)
        .def_readonly("shift_output", &problem::shift_output)
        .def_property_readonly("hop", &problem::effective_hop)
        .def_readonly("average", &problem::average)
        .def_readonly("smoothing", &problem::smoothing)
        .def_readonly("scale", &problem::scale)
        .def_readonly("algorithm", &problem::algorithm);
}

void bind_plan_class(py::module& module)
{
    py::class_<python_plan>(module, "plan", PLAN_DOC)
        .def(py::init<const std::variant<problem, std::string>&,
                      const std::string&,
                      int,
                      int,
                      const std::string&>(),
             "problem"_a,
             "engine"_a = "auto",
             "device"_a = 0,
             "threads"_a = 1,
             "effort"_a = "estimate")
        .def("execute", &python_plan::execute, "input"_a, EXECUTE_DOC)
        .def(
            "describe",
            [](python_plan& self) { return self.get().describe(); },
            "Exactly what runs, in one line.")
        .def_property_readonly("problem",
                               [](python_plan& self) { return self.get().what(); })
        .def_property_readonly(
            "engine", [](python_plan& self) { return to_string(self.get().engine()); })
        .def_property_readonly(
            "engine_reason", [](python_plan& self) { return self.get().engine_reason(); })
        .def_property_readonly(
            "scratch_bytes",
            [](python_plan& self) { return self.scratch_bytes(); },
            "Bytes of device memory that it holds now beside the data.")
        .def(
            "set_window",
            [](python_plan& self, const window_spec& window) {
                const std::size_t n = self.get().what().n;
                std::vector<float> taps = window.build(n);
                if (taps.empty())
                    taps.assign(n, 1.0f);
                self.change([&](plan& now) { now.set_window(taps); });
            },
            "window"_a,
            "n taps, a name, a type, or none; the problem must have `window`.")
        .def(
            "set_hop",
            [](python_plan& self, std::size_t samples) {
                self.change([&](plan& now) { now.set_hop(samples); });
            },
            "samples"_a,
            "Samples from frame to frame, at least 1.")
        .def(
            "set_average",
            [](python_plan& self, std::size_t frames) {
                self.change([&](plan& now) { now.set_average(frames); });
            },
            "frames"_a,
            "Frames in one mean, at least 1; starts a new mean.")
        .def(
            "reset_average",
            [](python_plan& self) {
                self.change([](plan& now) { now.reset_average(); });
            },
            "Forgets the running mean and its smoothing.");
}

py::dict to_dict(const cuda_device_info& device)
{
    return py::dict("index"_a = device.index,
                    "name"_a = device.name,
                    "compute_capability"_a =
                        py::make_tuple(device.compute_major, device.compute_minor),
                    "multiprocessors"_a = device.multiprocessors,
                    "memory_bytes"_a = device.memory_bytes,
                    "l2_bytes"_a = device.l2_bytes,
                    "shared_bytes_per_block"_a = device.shared_bytes_per_block);
}

py::dict cuda_status_dict()
{
    const cuda_status& status =
        *call_without_gil([] { return &gr::gpufft::query_cuda(); });
    py::list devices;
    for (const cuda_device_info& device : status.devices)
        devices.append(to_dict(device));
    return py::dict("built"_a = status.built,
                    "usable"_a = status.usable,
                    "reason"_a = status.reason,
                    "driver"_a = status.driver,
                    "nvrtc"_a = status.nvrtc,
                    "devices"_a = devices);
}

py::dict cache_info_dict()
{
    const cache_info info = call_without_gil([] { return gr::gpufft::query_cache(); });
    return py::dict("directory"_a = info.directory,
                    "kernels"_a = info.kernels,
                    "bytes"_a = info.bytes);
}

py::list tune_list(const std::string& text, int device, std::size_t candidates)
{
    const problem what = problem::from_string(text);
    py::list timed;
    for (const timed_recipe& each :
         call_without_gil([&] { return gr::gpufft::tune(what, device, candidates); }))
        timed.append(py::dict("recipe"_a = each.description,
                              "milliseconds"_a = each.milliseconds,
                              "wisdom"_a = each.wisdom));
    return timed;
}

std::vector<float> window_taps(const window_spec& window, std::size_t n)
{
    const std::vector<float> taps = window.build(n);
    return taps.empty() ? std::vector<float>(n, 1.0f) : taps;
}

} // namespace

void bind_plan(py::module& module)
{
    py::register_exception<cuda_error>(module, "cuda_error", PyExc_RuntimeError);
    bind_problem(module);
    bind_plan_class(module);
    module.def(
        "query_cuda",
        &cuda_status_dict,
        "What the cuda engine finds: dict of built, usable, reason, driver, nvrtc, "
        "devices (a list of dicts).");
    module.def("cache_directory",
               &cache_directory,
               "Directory of compiled kernels and FFTW wisdom.");
    module.def("query_cache",
               &cache_info_dict,
               "The kernels compiled so far: dict of directory, kernels, bytes.");
    module.def("algorithm_names",
               &algorithm_names,
               "The names that algorithm=<name> in a problem may have.");
    module.def(
        "tune",
        &tune_list,
        "problem"_a,
        "device"_a = 0,
        "candidates"_a = 24,
        "Times ways to compute a problem on a GPU and keeps the fastest as wisdom. "
        "A list, fastest first, of dicts of recipe, milliseconds, wisdom (the line "
        "\"card | problem | recipe\").");
    module.def("window_taps",
               &window_taps,
               "window"_a,
               "n"_a,
               "The n taps that a window by name, type or none stands for.");
    module.def("version", &version, "Version of the library, e.g. \"0.1.0\".");
    module.def("window_names", &window_spec::names, "The windows' names, one string.");
}

} // namespace gpufft
} // namespace gr
