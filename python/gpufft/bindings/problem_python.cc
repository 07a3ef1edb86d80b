// SPDX-License-Identifier: GPL-3.0-or-later
//
// Problems from their string or from keywords.

#include "problem_python.h"
#include "blocks/ranges.h"
#include "keyword_arguments.h"
#include "problem/problem_names.h"

#include <cmath>
#include <optional>
#include <pybind11/numpy.h>
#include <spdlog/fmt/fmt.h>
#include <variant>

namespace gr {
namespace gpufft {

namespace {

constexpr const char* PROBLEM_DOC = R"(What a plan computes, read from its string.

    problem("c2c_forward_n4096_b64_cs16_hop2048_window_decibel_shiftout_avg100")
    problem(kind="r2c", lengths=4096, batch=64, dtype="float64", norm="ortho")

Tokens of the string: the kind (c2c, r2c, c2r, zoom, filter, synthesis, correlation, dct1 ...
dct4, dst1 ... dst4), for c2c forward|inverse, then in any order n<N>x<M>..., b<batch>,
real (c2c or filter of real samples), cs16|cs12|cs8|cf16|f16|s16|s12|s10|s8, f64, hop<samples>,
istrides<S>x..., ostrides<S>x..., odist<bins>, window, taps<count>, running,
ctaps (a filter's complex taps), shiftin, power|decibel, outf16|outs16|outs8, shiftout, ortho,
alone, bins<bins>, from<f>, to<f>, shifts<count>, delays<count>, blocks<count>,
templates|best|grid, load=<expression>, product=<expression>, store=<expression>,
max|min|kurtosis, density<columns>x<levels>, first<bin>, span<bins>, low<dB>, high<dB>,
avg<frames>, smooth<a>, holdmax|holdmin, scale<s>, algorithm=<name>. docs/transforms.md
explains them.

Keywords:
    kind: "c2c" unless given
    lengths: of the transform, one or a sequence
    batch: frames in a typical call, 1 unless given; any number can be executed
    direction: "forward" (unless given) or "inverse", of c2c
    dtype: of the input; complex64, complex128, float32, float64, float16, int16 or int8.
        With complex kinds the last three are interleaved I and Q, and float32 and float64
        make c2c transform real samples. Single precision unless given
    norm: None (unscaled), or SciPy's "backward", "ortho" or "forward"; powers are those of
        the bins that it scales
    scale: a further factor, of the output or of its power
    orthogonalize: for dct and dst; by default on with norm "ortho"
    output: "power" or "decibel" instead of the bins
    stored: "f16", "s16" or "s8", the format to which bins are rounded
    bins, f_start, f_stop: of zoom, like m, fn and fs=1 of scipy.signal.zoom_fft without
        endpoint; bins also for a polyphase bank, whose rows then have only that many: see
        plan.set_map
    window, shift_input, shift_output: True or False
    taps: for a polyphase bank, the samples that each point sums; the window has taps times
        the length
    running: phases count from one sample of the stream, not from each frame's first
    alone: on a GPU, real frames of odd length are transformed one by one, so that the bits of
        a frame depend on no other; otherwise two share a transform, in down to half the time
    hop: samples from frame to frame; or overlap, the share of a frame that the next one
        repeats, 0 <= overlap < 1
    average: frames; smoothing: 0 < a <= 1
    detector: "mean", "max", "min" or "kurtosis" of the powers of a row's frames
    hold: "none", "max" or "min" of the rows so far, instead of smoothing
    input_strides, output_strides: samples from point to point along each axis; no two
        points of a row may lie at the same place
    output_distance: bins from row to row
    load, store: expressions of each sample and of each bin x, computed in the transform's
        kernels, e.g. load="x * gain" and store="conj(x) / 2"; with
        output "power" the store gives a real number. Names of one's own are parameters: see
        plan.set_parameter
    shifts, delays, blocks, peaks, product: of a correlation, see docs/correlator_bank.md
    algorithm: on the GPU, one of algorithm_names()
)";

// Calls visit(name, field, documentation) for each field that is both a keyword and a
// property, with the names of its values if they are not numbers.
template <class Visit>
void visit_keywords(Visit&& visit)
{
    visit("batch", &problem::batch, "Frames of a typical call.");
    visit("direction",
          &problem::dir,
          "\"forward\" or \"inverse\"; of c2c.",
          DIRECTION_NAMES);
    visit("window", &problem::window, "Whether samples are multiplied by taps.");
    visit("taps",
          &problem::taps,
          "Samples that each point sums; more than 1 for a polyphase bank.");
    visit("running",
          &problem::running,
          "Whether phases count from one sample of the stream.");
    visit("alone",
          &problem::alone,
          "Whether real frames of odd length share no transform on a GPU.");
    visit("shift_input",
          &problem::shift_input,
          "Whether samples are shifted by half, as ifftshift.");
    visit("shift_output",
          &problem::shift_output,
          "Whether bins are shifted by half, as fftshift.");
    visit("input_strides",
          &problem::input_strides,
          "Samples from point to point along each axis; [] is C order.");
    visit("output_strides",
          &problem::output_strides,
          "Bins from point to point along each axis; [] is C order.");
    visit("f_start", &problem::f_start, "First frequency of zoom, in cycles per sample.");
    visit("f_stop",
          &problem::f_stop,
          "Frequency after the last of zoom, in cycles per sample.");
    visit("shifts", &problem::shifts, "Frequency shifts of a correlation.");
    visit("delays", &problem::delays, "Delays of a correlation; 0 is all n.");
    visit("blocks", &problem::blocks, "Blocks whose powers a correlation sums.");
    visit("peaks",
          &problem::peaks,
          "Rows of a correlation: peaks of \"templates\", of the \"best\" or the whole "
          "\"grid\".",
          PEAK_NAMES);
    visit("load", &problem::load, "Expression of each sample x, \"\" for none.");
    visit("product",
          &problem::product,
          "Expression of a correlation's spectra x and h, \"\" for x*h.");
    visit("store", &problem::store, "Expression of each bin x, \"\" for none.");
    visit("average", &problem::average, "Frames in one mean.");
    visit("smoothing",
          &problem::smoothing,
          "Weight of a new row in the running average; 1 is off.");
    visit("detector",
          &problem::detector,
          "How a row combines its frames: \"mean\", \"max\", \"min\" or \"kurtosis\".",
          DETECTOR_NAMES);
    visit("hold",
          &problem::hold,
          "How a row combines with earlier rows: \"none\", \"max\" or \"min\".",
          HOLD_NAMES);
    visit("scale", &problem::scale, "Factor on the bins, or on their powers.");
    visit("algorithm",
          &problem::algorithm,
          "The algorithm on the GPU; \"\" leaves it to the planner.");
}

transform_kind kind_from_string(const std::string& name)
{
    std::string all;
    for (const kind_properties& each : transform_kinds()) {
        if (name == each.name)
            return each.kind;
        all += std::string(all.empty() ? "" : ", ") + each.name;
    }
    throw std::invalid_argument(
        fmt::format("kind is \"{}\", but must be one of {}", name, all));
}

sample_format input_format(transform_kind kind, const py::object& dtype)
{
    const bool is_real = reads_real(kind);
    if (dtype.is_none())
        return is_real ? sample_format::f32 : sample_format::cf32;
    const std::string name(py::str(py::handle(py::dtype::from_args(dtype))));
    if (name == "complex64")
        return sample_format::cf32;
    if (name == "complex128")
        return sample_format::cf64;
    if (name == "float32")
        return sample_format::f32;
    if (name == "float64")
        return sample_format::f64;
    if (name == "float16")
        return is_real ? sample_format::f16 : sample_format::cf16;
    if (name == "int16")
        return is_real ? sample_format::s16 : sample_format::cs16;
    if (name == "int8")
        return is_real ? sample_format::s8 : sample_format::cs8;
    throw py::type_error(
        fmt::format("dtype is {}, but must be complex64, complex128, float32, float64, "
                    "float16, int16 or int8",
                    name));
}

output_kind output_from_string(const std::string& name)
{
    if (name == "power")
        return output_kind::power;
    if (name == "decibel")
        return output_kind::decibel;
    throw std::invalid_argument(
        fmt::format("output is \"{}\", but must be power, decibel, or left out", name));
}

number_format stored_from_string(const std::string& name)
{
    for (number_format format : { number_format::working,
                                  number_format::f16,
                                  number_format::s16,
                                  number_format::s8 })
        if (name == to_string(format))
            return format;
    throw std::invalid_argument(
        fmt::format("stored is \"{}\", but must be working, f16, s16 or s8", name));
}

// The kinds that undo another one, for which norm "backward" divides.
bool is_inverse(const problem& what)
{
    return what.kind == transform_kind::c2r || what.dir == direction::inverse;
}

std::vector<std::size_t> read_lengths(const py::object& value)
{
    std::variant<long, std::vector<long>> given;
    try {
        given = py::cast<decltype(given)>(value);
    } catch (const py::cast_error&) {
        throw py::type_error(fmt::format(
            "lengths is {}, but must be an int in 1 ... 2^34 or a sequence of them",
            shown(value)));
    }
    const long* one = std::get_if<long>(&given);
    const std::vector<long> list =
        one ? std::vector<long>{ *one } : std::get<std::vector<long>>(given);
    std::size_t points = 1;
    for (long length : list) {
        if (length < 1 || length > long(MAX_ARRAY_POINTS))
            throw std::invalid_argument(
                fmt::format("length is {}, but must be 1 ... 2^34", length));
        if (list.size() <= MAX_AXES && std::size_t(length) > MAX_ARRAY_POINTS / points)
            throw std::invalid_argument(
                fmt::format("lengths is {}, but must have 2^34 points or fewer in all",
                            shown(value)));
        points *= length;
    }
    return { list.begin(), list.end() };
}

// The scale of powers is a factor of the power.
void read_norm(problem& what, keywords& given)
{
    bool is_ortho = false;
    given.read("norm", what.scale, [&](const std::string& norm) {
        is_ortho = norm == "ortho";
        const double factor =
            norm_factor(what.kind, what.axes(), !is_inverse(what), norm);
        return what.scale * (what.is_power() ? factor * factor : factor);
    });
    what.orthogonal = is_ortho && properties_of(what.kind).has_orthogonal_form();
    given.read("orthogonalize", what.orthogonal);
}

void read_hop(problem& what, keywords& given)
{
    given.read("hop", what.hop);
    std::optional<double> overlap;
    given.read("overlap", overlap);
    if (!overlap)
        return;
    if (what.hop != 0)
        throw std::invalid_argument(fmt::format(
            "hop is {} and overlap is {}: give only one of them", what.hop, *overlap));
    what.hop = hop_of_overlap(*overlap, what.frame_samples());
}

} // namespace

double norm_factor(transform_kind kind,
                   const std::vector<std::size_t>& lengths,
                   bool forward,
                   const std::string& norm)
{
    const kind_properties& of = properties_of(kind);
    double period = 1;
    for (std::size_t length : lengths)
        period *= of.period * (static_cast<double>(length) + of.beyond);
    if (norm == "ortho")
        return 1 / std::sqrt(period);
    if (norm == "backward")
        return forward ? 1 : 1 / period;
    if (norm == "forward")
        return forward ? 1 / period : 1;
    throw std::invalid_argument(
        fmt::format("norm is \"{}\", but must be backward, ortho or forward", norm));
}

problem problem_from_keywords(const py::kwargs& named,
                              const std::vector<std::string>& others)
{
    keywords given(named, others);
    problem what;
    given.read("kind", what.kind, kind_from_string);
    const py::object lengths = given.take("lengths");
    what = problem::make(what.kind,
                         lengths.is_none() ? std::vector<std::size_t>{ 2 }
                                           : read_lengths(lengths));
    what.input = input_format(what.kind, given.take("dtype"));
    given.read("output", what.output, output_from_string);
    given.read("bins", what.bins);
    read_hop(what, given);
    given.read("output_distance", what.output_distance);
    given.read("stored", what.stored, stored_from_string);
    visit_keywords([&](const char* name, auto field, const char*, const auto&... names) {
        given.read(name, what.*field, names...);
    });
    given.read("density_columns", what.density.columns);
    given.read("density_levels", what.density.levels);
    given.read("density_first_bin", what.density.first);
    given.read("density_bins", what.density.bins);
    given.read("density_low", what.density.low);
    given.read("density_high", what.density.high);
    read_norm(what, given);
    given.expect_none_left();
    if (lengths.is_none())
        throw py::type_error("a problem needs its string, or lengths=");
    what.validate();
    return what;
}

void bind_problem(py::module& module)
{
    py::class_<problem> bound(module, "problem", PROBLEM_DOC);
    bound.def(py::init(&problem::from_string), "text"_a, "From its text.")
        .def(py::init(
            [](const py::kwargs& named) { return problem_from_keywords(named); }))
        .def("__str__", &problem::to_string)
        .def("__repr__",
             [](const problem& self) { return "problem('" + self.to_string() + "')"; })
        .def(
            "__eq__",
            [](const problem& self, const problem& other) {
                return self.to_string() == other.to_string();
            },
            py::is_operator())
        .def("__hash__",
             [](const problem& self) { return py::hash(py::str(self.to_string())); })
        .def(py::pickle([](const problem& self) { return self.to_string(); },
                        &problem::from_string))
        .def_property_readonly(
            "kind",
            [](const problem& self) { return to_string(self.kind); },
            "Which transform, e.g. \"c2c\", \"r2c\", \"dct2\".")
        .def_readonly(
            "n", &problem::n, "Points of one transform, the product of its lengths.")
        .def_property_readonly(
            "lengths",
            [](const problem& self) { return py::tuple(py::cast(self.axes())); },
            "Length of each axis, a tuple.")
        .def_property_readonly(
            "input",
            [](const problem& self) { return to_string(self.input); },
            "Format of a sample, e.g. \"cf32\", \"cs16\".")
        .def_property_readonly(
            "output",
            [](const problem& self) { return to_string(self.output); },
            "\"complex\", \"real\", \"power\" or \"decibel\".")
        .def_property_readonly(
            "stored",
            [](const problem& self) { return to_string(self.stored); },
            "Numbers of the output: \"working\", \"f16\", \"s16\" or \"s8\".")
        .def_property_readonly("output_distance",
                               &problem::effective_output_distance,
                               "Bins from row to row.")
        .def_readonly("orthogonal",
                      &problem::orthogonal,
                      "Whether the matrix of a dct or dst is orthogonal up to a factor.")
        .def_property_readonly("bins", &problem::row_bins, "Bins of a row.")
        .def_property_readonly(
            "hop", &problem::effective_hop, "Samples from frame to frame.")
        .def_property_readonly(
            "density_columns",
            [](const problem& self) { return self.density.columns; },
            "Of the density that rows have; 0 is none.")
        .def_property_readonly(
            "density_levels",
            [](const problem& self) { return self.density.levels; },
            "Of the density.")
        .def_property_readonly("row_items",
                               &problem::row_items,
                               "Numbers of a row: its bins, or more with a density.");
    visit_keywords(
        [&](const char* name, auto field, const char* doc, const auto&... names) {
            if constexpr (sizeof...(names) == 0)
                bound.def_readonly(name, field, doc);
            else
                bound.def_property_readonly(
                    name,
                    [field](const problem& self) { return to_string(self.*field); },
                    doc);
        });
}

} // namespace gpufft
} // namespace gr
