// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the functions in the style of scipy.fft call: transforms along axes of numpy
// arrays. The everyday call is checked here in one step, because that takes as long as
// a short transform; what is unusual goes back to Python.

#include "array_arguments.h"
#include "block_bindings.h"
#include "blocks/ranges.h"
#include "plan_cache.h"
#include "problem_python.h"

#include <algorithm>
#include <atomic>
#include <optional>
#include <pybind11/numpy.h>

namespace gr {
namespace gpufft {

namespace {

// Engine and device of all array functions of the process.
struct engine_choice {
    engine_kind engine;
    int device;
};
std::atomic<engine_choice> s_engine{ { engine_kind::automatic, 0 } };

thread_local int s_workers = 1; // where scipy.fft is not loaded

double scale_of(transform_kind kind,
                const std::vector<std::size_t>& lengths,
                bool forward,
                norm how)
{
    if (forward == (how == norm::backward) && how != norm::ortho)
        return 1;
    return how == norm::ortho ? norm_factor(kind, lengths, forward, "ortho")
                              : norm_factor(kind, lengths, true, "forward");
}

// One that has arrays of its samples' shape.
transform_kind kind_of(int number)
{
    const auto& kinds = transform_kinds();
    const transform_kind kind =
        kinds[check_range("kind", number, 0, int(kinds.size()) - 1)].kind;
    if (kind != transform_kind::c2c && !reads_real(kind) && !stores_real(kind))
        throw std::out_of_range(fmt::format(
            "kind is {}: must be c2c, or have real samples or rows", to_string(kind)));
    return kind;
}

// scipy.fft.get_workers() of this thread if scipy.fft is loaded, else our own number.
// SciPy takes any number.
int default_workers()
{
    static PyObject* get_workers = nullptr; // guarded by the GIL
    if (get_workers == nullptr) {
        PyObject* scipy_fft = PyDict_GetItemString(PyImport_GetModuleDict(), "scipy.fft");
        if (scipy_fft == nullptr || !PyObject_HasAttrString(scipy_fft, "get_workers"))
            return s_workers;
        get_workers = PyObject_GetAttrString(scipy_fft, "get_workers");
    }
    const py::object number = py::reinterpret_borrow<py::object>(get_workers)();
    int overflow = 0;
    const long workers = PyLong_AsLongAndOverflow(number.ptr(), &overflow);
    return overflow > 0 ? MAX_THREADS : int(std::min<long>(workers, MAX_THREADS));
}

// `x` fits the request. `out` may be strided.
py::array transform(array_request& what,
                    py::array x,
                    const sample_type& type,
                    std::optional<py::array> out)
{
    what.is_double = type.is_double;
    what.from_real = what.kind == transform_kind::c2c && !type.is_complex;
    const engine_choice engine = s_engine;
    what.engine = engine.engine;
    what.device = engine.device;
    host_array input = view_of(x);
    if (!has_plain_strides(input, x.itemsize())) {
        x = py::array::ensure(x.attr("copy")("C"));
        input = view_of(x);
    }
    std::vector<std::size_t> shape = input.shape;
    for (std::size_t i = 0; i < what.axes.size(); ++i)
        shape[what.axes[i]] = what.lengths[i];
    if (what.kind == transform_kind::r2c)
        shape[what.axes.back()] = what.lengths.back() / 2 + 1;
    const sample_type made{ what.kind == transform_kind::c2c ||
                                what.kind == transform_kind::r2c,
                            type.is_double };
    if (out)
        check_output(*out, made, shape);
    py::array result = out ? *out : make_array(made.is_complex, made.is_double, shape);
    const host_array output = view_of(result);
    call_without_gil([&] { transform_array(what, input, output); });
    return result;
}

constexpr const char* QUICK_DOC =
    R"(The transform along an axis or several in the everyday case, else None.

The everyday case is an array of float32, float64, complex64 or complex128 that needs no
padding, valid axes (an int or, with `several`, a tuple, or None for all) and a valid norm, and
the default workers; n may be given for one axis.
)";

py::object transform_quickly(int kind_number,
                             bool forward,
                             const py::object& x,
                             const py::object& n,
                             const py::object& named_axes,
                             const py::object& norm_name,
                             const py::object& workers,
                             const py::object& orthogonalize,
                             bool several)
{
    array_request what;
    what.kind = kind_of(kind_number);
    const std::optional<norm> how = read_norm(norm_name);
    const bool is_usual = workers.is_none() &&
                          (orthogonalize.is_none() || PyBool_Check(orthogonalize.ptr()));
    if (!how || !is_usual || !py::isinstance<py::array>(x))
        return py::none();
    const py::array samples = py::reinterpret_borrow<py::array>(x);
    const std::optional<sample_type> type = type_of(samples);
    const bool takes_complex =
        what.kind == transform_kind::c2c || what.kind == transform_kind::c2r;
    const bool takes_real = what.kind != transform_kind::c2r;
    if (!type || !(type->is_complex ? takes_complex : takes_real) || samples.size() == 0)
        return py::none();
    const auto axes = read_axes(named_axes, samples.ndim(), several);
    if (!axes)
        return py::none();
    const auto lengths = read_lengths(n, samples, *axes, what.kind);
    if (!lengths)
        return py::none();
    what.axes = *axes;
    what.lengths = *lengths;
    what.dir = forward ? direction::forward : direction::inverse;
    what.scale = scale_of(what.kind, what.lengths, forward, *how);
    what.orthogonal =
        properties_of(what.kind).has_orthogonal_form() &&
        (orthogonalize.is_none() ? *how == norm::ortho : orthogonalize.ptr() == Py_True);
    what.threads = default_workers();
    return transform(what, samples, *type, std::nullopt);
}

constexpr const char* TRANSFORM_DOC =
    R"(The transform along axes of an array that needs no further preparation.

Args:
    kind: as in transform_kinds
    forward: the direction; forward with c2r is a fault of the caller, who conjugates
    x: float32, float64, complex64 or complex128 in native byte order, aligned, not empty,
        with at least the samples that `lengths` asks for
    axes: which, 0 ... ndim-1, each once; the last one is halved by r2c and c2r
    lengths: of the transform along each
    scale_forward: the direction for norm
    norm: None, "backward", "ortho" or "forward"
    workers: threads
    orthogonal: of dct and dst
    out: where the result goes, of its shape and dtype, or None
)";

py::array transform_axes(int kind_number,
                         bool forward,
                         const py::array& x,
                         const std::vector<std::size_t>& axes,
                         const std::vector<std::size_t>& lengths,
                         bool scale_forward,
                         const py::object& norm_name,
                         int workers,
                         bool orthogonal,
                         const std::optional<py::array>& out)
{
    const std::optional<sample_type> type = type_of(x);
    const std::optional<norm> how = read_norm(norm_name);
    if (!type || !how)
        throw std::invalid_argument("x must be an aligned array of float32, float64, "
                                    "complex64 or complex128, norm one of SciPy's");
    array_request what;
    what.kind = kind_of(kind_number);
    what.dir = forward ? direction::forward : direction::inverse;
    what.axes = axes;
    what.lengths = lengths;
    what.scale = scale_of(what.kind, lengths, scale_forward, *how);
    what.orthogonal = orthogonal;
    what.threads = static_cast<int>(check_range("workers", workers, 1, MAX_THREADS));
    check_request(what, x, *type);
    return transform(what, x, *type, out);
}

// The smallest product of the primes >= n.
std::size_t next_smooth(std::size_t n, const std::vector<std::size_t>& odd_primes)
{
    std::size_t best = 1;
    while (best < n)
        best *= 2;
    std::vector<std::size_t> odd{ 1 }; // odd products below best
    for (std::size_t prime : odd_primes)
        for (std::size_t i = 0; i < odd.size(); ++i)
            if (odd[i] <= (best - 1) / prime)
                odd.push_back(odd[i] * prime);
    for (std::size_t product : odd) {
        while (product < n)
            product *= 2;
        best = std::min(best, product);
    }
    return best;
}

py::dict cache_dict()
{
    const plan_cache::info now =
        call_without_gil([] { return plan_cache::get().query(); });
    py::list recent;
    for (const plan_cache::plan_info& each : now.recent)
        recent.append(py::dict(
            "problem"_a = each.problem, "engine"_a = each.engine, "idle"_a = each.idle));
    return py::dict("plans"_a = now.plans,
                    "capacity"_a = now.capacity,
                    "hits"_a = now.hits,
                    "misses"_a = now.misses,
                    "recent"_a = recent);
}

} // namespace

void bind_array_functions(py::module& module)
{
    py::dict kinds;
    for (const kind_properties& each : transform_kinds())
        kinds[each.name] = kinds.size();
    module.attr("transform_kinds") = kinds;
    module.def("transform_quickly", &transform_quickly, QUICK_DOC);
    module.def("transform_axes", &transform_axes, TRANSFORM_DOC);
    module.def("next_smooth", &next_smooth);
    module.def("default_workers", &default_workers);
    module.def("set_own_workers", [](int workers) { s_workers = workers; });
    module.def(
        "get_engine",
        [] {
            const engine_choice now = s_engine;
            return py::make_tuple(to_string(now.engine), now.device);
        },
        "What set_engine() has set: engine and index of the NVIDIA GPU.");
    module.def(
        "set_engine_choice",
        [](const std::string& engine, int device) {
            check_range("device", device, 0, MAX_DEVICE);
            s_engine = engine_choice{ engine_from_string(engine), device };
        },
        "engine"_a,
        "device"_a);
    module.def("plan_cache_info",
               &cache_dict,
               "The plans that the array functions keep: dict of plans (idle), capacity, "
               "hits,\nmisses, recent (most recently used first, dicts of problem, "
               "engine, idle).");
    module.def(
        "set_plan_cache_size",
        [](std::size_t plans) { plan_cache::get().set_capacity(plans); },
        "plans"_a,
        without_gil(),
        "How many idle plans the array functions keep, 0 for none; 128 at first.");
    module.def(
        "clear_plan_cache",
        [] { plan_cache::get().clear(); },
        without_gil(),
        "Deletes all idle plans and counts hits and misses from 0.");
}

} // namespace gpufft
} // namespace gr
