// SPDX-License-Identifier: GPL-3.0-or-later
//
// Plans for numpy arrays, and problems.

#include "block_bindings.h"
#include "problem_python.h"
#include "python_plan.h"
#include <gnuradio/gpufft/engine.h>
#include <gnuradio/gpufft/plan.h>
#include <gnuradio/gpufft/tuning.h>
#include <map>
#include <memory>
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

typedef std::variant<int, std::vector<int>> device_argument; // an index or several

plan_options options_of(const std::string& engine,
                        const device_argument& device,
                        int threads,
                        const std::string& effort,
                        std::size_t device_memory,
                        bool transposed)
{
    plan_options options;
    options.engine = engine_from_string(engine);
    if (const int* one = std::get_if<int>(&device)) {
        options.device = *one;
    } else {
        options.devices = std::get<std::vector<int>>(device);
        if (options.devices.empty())
            throw std::invalid_argument("device is an empty list: it needs an index");
        options.device = options.devices.front();
    }
    options.threads = threads;
    options.effort = effort_from_string(effort);
    options.device_memory = device_memory;
    options.transposed = transposed;
    return options;
}

std::unique_ptr<python_plan> make_plan(const std::variant<problem, std::string>& what,
                                       const std::string& engine,
                                       const device_argument& device,
                                       int threads,
                                       const std::string& effort,
                                       std::size_t device_memory,
                                       bool transposed)
{
    const std::string* text = std::get_if<std::string>(&what);
    return std::make_unique<python_plan>(
        text ? problem::from_string(*text) : std::get<problem>(what),
        options_of(engine, device, threads, effort, device_memory, transposed));
}

// Of keywords only.
std::unique_ptr<python_plan> make_plan_of(const std::string& engine,
                                          const device_argument& device,
                                          int threads,
                                          const std::string& effort,
                                          std::size_t device_memory,
                                          bool transposed,
                                          const py::kwargs& named)
{
    return std::make_unique<python_plan>(
        problem_from_keywords(
            named,
            { "engine", "device", "threads", "effort", "device_memory", "transposed" }),
        options_of(engine, device, threads, effort, device_memory, transposed));
}

constexpr const char* PLAN_DOC = R"(A transform prepared on one engine.

    p = gpufft.plan("c2c_forward_n1009_b3")
    spectra = p.execute(frames)        # complex64 [3, 1009] -> complex64 [3, 1009]

    p = gpufft.plan(kind="dct2", lengths=(8, 8), dtype="float64", norm="ortho")

Args:
    problem: its string, a problem, or, instead, the keywords of one: see problem
    engine: "auto" (the GPU if it is usable and has the length, whether faster or not: see
        break_even), "cuda" or "cpu"
    device: index of the NVIDIA GPU, or a list of several that compute each transform
        together, of arrays in host memory or in parts on these GPUs
    threads: threads of the cpu engine, 1 ... 1024; 0 is one for each core
    effort: how the cuda engine chooses among algorithms: "estimate" (by wisdom for this
        card, else by a cost model) or "measure" (by wisdom, else by timing on the card,
        which becomes wisdom)
    device_memory: bytes of a GPU's memory that the plan counts with; 0 means the
        environment variable GPUFFT_DEVICE_MEMORY, else all that the GPU has. Transforms
        for which they do not suffice stay in host memory and go through the GPU in slabs.
    transposed: of arrays in parts on several GPUs, the bins are split along the second axis
        instead of the first, which saves one of two exchanges. The bins are the result of
        a forward transform and of r2c, the input of an inverse one and of c2r.

Raises:
    ValueError: a problem out of range, or a length that the engine does not have
    RuntimeError: device trouble
)";

constexpr const char* EXECUTE_DOC = R"(Transforms an array; returns its rows.

Args:
    input: [frames, *lengths] (for c2r the last length is n/2 + 1), or one row of samples
        from which frames are cut every hop (samples past the last whole frame are left
        out). It has the dtype that the problem reads; floats and complex numbers in host
        memory are converted to it. Two int16, int8 or float16 make a complex sample. On
        a GPU it is anything with __dlpack__ or __cuda_array_interface__, in C order; the
        transform is queued there without a copy or a wait. A plan on several GPUs takes
        a list of such arrays, one on each in the order of its `device`: the frame (or
        frames) split along the first of `lengths`, as by numpy.array_split. It waits.
    out: where the rows go, in host memory or on the GPU as the input; None makes a numpy
        array, or a device_array on the GPU. Of a list of parts it is a list, too, which
        may be the same one where rows are as long as frames.
    stream: of the GPU, 1 (legacy default), 2 (default of the thread) or a CUstream; None
        is that of the input's interface, else 1. Only for arrays on a GPU; 1 or 2 on
        several.

Returns:
    `out`, or a new array: [rows, *lengths] (for r2c the last length is n/2 + 1), or a row
    of bins if the problem has output strides or a distance. complex64 or complex128,
    float32 for powers and decibels, float32 or float64 for kinds with real rows; float16,
    int16 or int8 if the problem stores that, two of them for a complex bin.

Raises:
    TypeError: a dtype that cannot be converted; an array on a GPU for a plan on the CPU
    ValueError: a wrong shape; an array on a GPU with gaps, or on another GPU; a wrong
        number of parts
)";
void bind_plan_class(py::module& module)
{
    py::class_<python_plan>(module, "plan", PLAN_DOC)
        .def(py::init(&make_plan),
             "problem"_a,
             "engine"_a = "auto",
             "device"_a = 0,
             "threads"_a = 1,
             "effort"_a = "estimate",
             "device_memory"_a = 0,
             "transposed"_a = false)
        .def(py::init(&make_plan_of),
             py::kw_only(),
             "engine"_a = "auto",
             "device"_a = 0,
             "threads"_a = 1,
             "effort"_a = "estimate",
             "device_memory"_a = 0,
             "transposed"_a = false)
        .def("execute",
             &python_plan::execute,
             "input"_a,
             "out"_a = py::none(),
             "stream"_a = py::none(),
             EXECUTE_DOC)
        .def(
            "describe",
            [](python_plan& self) {
                return self.locked([](plan& now) { return now.describe(); });
            },
            "Exactly what runs, in one line.")
        .def_property_readonly(
            "problem",
            [](python_plan& self) {
                return self.locked([](plan& now) { return problem(now.what()); });
            },
            "What it computes, with the current values.")
        .def_property_readonly(
            "engine",
            [](python_plan& self) { return to_string(self.get().engine()); },
            "The engine in use: \"cuda\" or \"cpu\".")
        .def_property_readonly(
            "engine_reason",
            [](const python_plan& self) { return self.get().engine_reason(); },
            "Why this engine, in one sentence.")
        .def_property_readonly(
            "scratch_bytes",
            [](python_plan& self) {
                return self.locked([](plan& now) { return now.scratch_bytes(); });
            },
            "Bytes of device memory that it holds now beside the data.")
        .def(
            "set_window",
            [](python_plan& self, const py::object& given) {
                const problem& what = self.get().what();
                const std::size_t n = what.window_numbers();
                const auto window = py::cast<window_spec>(given);
                std::vector<float> taps = window.build(n, "the window's length");
                if (taps.empty())
                    taps.assign(n, 1.0f);
                std::vector<double> exact(taps.begin(), taps.end());
                if (window.has_taps())
                    exact = py::cast<std::vector<double>>(given);
                self.locked([&](plan& now) { now.set_double_window(exact); });
            },
            "window"_a,
            "A tap for each sample of a frame (a correlation: real and imaginary parts "
            "of "
            "its templates), a name, a type, or none; the problem must have `window`.")
        .def(
            "set_parameter",
            [](python_plan& self, const std::string& name, float value) {
                self.locked([&](plan& now) { now.set_parameter(name, value); });
            },
            "name"_a,
            "value"_a,
            "Sets `name` to `value`: a parameter of the problem's expressions, from the "
            "next frame on; all "
            "are 1 "
            "at first.")
        .def(
            "parameters",
            [](python_plan& self) {
                return self.locked([](plan& now) {
                    std::map<std::string, float> values;
                    for (const std::string& name : now.parameter_names())
                        values[name] = now.parameter(name);
                    return values;
                });
            },
            "The parameters of the problem's expressions, a dict.")
        .def(
            "set_position",
            [](python_plan& self, std::uint64_t samples) {
                self.locked([&](plan& now) { now.set_position(samples); });
            },
            "samples"_a,
            "Sets the stream position of the next frame, in samples; the phases of a "
            "`running` problem count from sample 0, and each frame adds one hop.")
        .def(
            "set_rotations",
            [](python_plan& self,
               const std::vector<std::pair<std::uint64_t, std::uint64_t>>& turns) {
                std::vector<plan::rotation> rotations;
                for (const auto& [step, phase] : turns)
                    rotations.push_back({ step, phase });
                self.locked([&](plan& now) { now.set_rotations(rotations); });
            },
            "rotations"_a,
            "rotations has for each `running` filter a pair of whole numbers modulo "
            "2**64: its "
            "frequency "
            "in\nturns per sample and its phase at position 0 in turns, both times "
            "2**64.")
        .def(
            "set_map",
            [](python_plan& self, const std::vector<int>& map) {
                self.locked([&](plan& now) { now.set_map(map); });
            },
            "map"_a,
            "map says which bins the rows of a polyphase bank have if the bank picks "
            "`bins` "
            "of "
            "them:\nplace i has bin map[i], 0 ... n-1, in any order, also several times; "
            "from the next frame on. At first\nit is 0, 1, ...")
        .def(
            "set_hop",
            [](python_plan& self, std::size_t samples) {
                self.locked([&](plan& now) { now.set_hop(samples); });
            },
            "samples"_a,
            "Sets the samples from frame to frame, at least 1.")
        .def(
            "set_average",
            [](python_plan& self, std::size_t frames) {
                self.locked([&](plan& now) { now.set_average(frames); });
            },
            "frames"_a,
            "Sets the frames in one mean, at least 1; starts a new mean.")
        .def(
            "set_density",
            [](python_plan& self,
               std::size_t first,
               std::size_t bins,
               double low,
               double high) {
                self.locked([&](plan& now) { now.set_density(first, bins, low, high); });
            },
            "first"_a,
            "bins"_a,
            "low"_a,
            "high"_a,
            "What the density counts: `bins` bins of the row from `first` on, levels "
            "from "
            "low to high in dB; begins a new row.")
        .def(
            "reset_average",
            [](python_plan& self) {
                self.locked([](plan& now) { now.reset_average(); });
            },
            "Clears the running mean, its smoothing and its hold.");
}

std::unique_ptr<python_plan>
plan_by(const std::string& recipe, const std::string& text, int device)
{
    const problem what = problem::from_string(text);
    return std::make_unique<python_plan>(
        call_without_gil([&] { return make_plan_by(recipe, what, device); }), device);
}

std::vector<float> window_taps(const window_spec& window, std::size_t n)
{
    const std::vector<float> taps = window.build(n, "n");
    return taps.empty() ? std::vector<float>(n, 1.0f) : taps;
}

} // namespace

void bind_plan(py::module& module)
{
    py::register_exception<cuda_error>(module, "cuda_error", PyExc_RuntimeError)
        .attr("__doc__") = "A failure of a GPU: the call that failed, the driver's code, "
                           "file and line.";
    bind_problem(module);
    bind_plan_class(module);
    module.def(
        "plan_by",
        &plan_by,
        "recipe"_a,
        "problem"_a,
        "device"_a = 0,
        "A plan of `problem`, a string, on GPU `device` by `recipe`, one of those that "
        "recipes() gives.");
    module.def("window_taps",
               &window_taps,
               "window"_a,
               "n"_a,
               "The n taps of a window given by name, type or none.");
    module.def("version", &version, "Version of the library, e.g. \"0.1.0\".");
    module.def("window_names", &window_spec::names, "The windows' names, one string.");
}

} // namespace gpufft
} // namespace gr
