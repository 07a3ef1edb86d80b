// SPDX-License-Identifier: GPL-3.0-or-later
//
// Python class spectrum_view; its pictures are dictionaries of numpy arrays.

#include "block_bindings.h"
#include <gnuradio/gpufft/spectrum_view.h>
#include <gnuradio/sync_block.h>
#include <pybind11/numpy.h>

namespace gr {
namespace gpufft {

namespace {

constexpr const char* SPECTRUM_VIEW_DOC =
    R"(Rows of linear power, float vectors -> small pictures of them, for programs that draw.

take() returns what has arrived since its last call, however late that is, and drawing never
slows the stream. Every row is in the mean, peak, average and holds. Rows with NaN or Inf are
left out of everything. Counting plain rows into the density takes at most a third of the time
of one core; beyond that some rows are left out (see rows_counted()). Rows with a density
(power_spectrum_cf with density_columns) already have the counts of every frame, and the view
takes all of them; peak and holds are then of the frames, too.

Args:
    bins: floats in a row, 1 ... 2**28, as from power_spectrum_cf with mode "linear"
    columns: of the pictures, 1 ... 65536
    levels: of the density, 1 ... 256
    density_columns: columns of the density in the rows, 1 ... 65536, which then has `levels`
        levels; 0 for plain rows

Raises:
    ValueError: a value out of range
)";

constexpr const char* TAKE_DOC =
    R"(The current picture, a dict. Column c has the bins from first_bin + c * bins // columns
on, up to those of the next column. Arrays of linear power, one number a column:

    mean, peak                 of the rows since the last picture: the column's largest bin
                               of their mean, and of their maximum; empty without such rows
    average_high, average_low  largest and smallest bin of the running average
    average_bin                which bin average_high is
    max_hold, min_hold         since the start or the last reset()

density[column, level] is the share of frames and bins at that level. All are empty before the
first row. first_bin, bins, columns: of all but the density. rows: rows since the last picture.
density_first_bin, density_bins, density_columns, levels, density_low, density_high (dB): of the
density, as it was counted.)";

template <class T>
py::array_t<T> array_of(const std::vector<T>& values)
{
    return py::array_t<T>(values.size(), values.data());
}

py::dict picture_dict(const spectrum_picture& now)
{
    const py::ssize_t columns = now.density.empty() ? 0 : now.density_columns;
    return py::dict("first_bin"_a = now.first_bin,
                    "bins"_a = now.bins,
                    "columns"_a = now.columns,
                    "levels"_a = now.levels,
                    "rows"_a = now.rows,
                    "mean"_a = array_of(now.mean),
                    "peak"_a = array_of(now.peak),
                    "average_high"_a = array_of(now.average_high),
                    "average_low"_a = array_of(now.average_low),
                    "average_bin"_a = array_of(now.average_bin),
                    "max_hold"_a = array_of(now.max_hold),
                    "min_hold"_a = array_of(now.min_hold),
                    "density_first_bin"_a = now.density_first_bin,
                    "density_bins"_a = now.density_bins,
                    "density_columns"_a = now.density_columns,
                    "density_low"_a = now.density_low,
                    "density_high"_a = now.density_high,
                    "density"_a = array_of(now.density).reshape({ columns, now.levels }));
}

void bind_settings(python_block<spectrum_view>& python)
{
    python
        .def("set_span",
             &spectrum_view::set_span,
             without_gil(),
             "first_bin"_a,
             "bins"_a,
             "columns"_a,
             "Shows `bins` bins from first_bin on in `columns` columns (or one for each "
             "bin, if "
             "there are\nfewer bins); restarts a density of plain rows.")
        .def("set_level_range",
             &spectrum_view::set_level_range,
             without_gil(),
             "low"_a,
             "high"_a,
             "The density's first level begins at low, its last ends at high, in dB of "
             "power; "
             "restarts\nthe density. Rows with a density give their own range.")
        .def("set_counting",
             &spectrum_view::set_counting,
             without_gil(),
             "counting"_a,
             "Whether rows are counted into the density; they are at the start.")
        .def("set_averaging",
             &spectrum_view::set_averaging,
             without_gil(),
             "seconds"_a,
             "Time constant of the running average, in seconds; 0 is the mean since the "
             "last "
             "picture.")
        .def("set_persistence",
             &spectrum_view::set_persistence,
             without_gil(),
             "seconds"_a,
             "Time constant of the density, in seconds.")
        .def("reset",
             &spectrum_view::reset,
             without_gil(),
             "Restarts average, holds and density.");
}

} // namespace

void bind_spectrum_view(py::module& module)
{
    python_block<spectrum_view> python(module, "spectrum_view", SPECTRUM_VIEW_DOC);
    python
        .def(py::init(&spectrum_view::make),
             "bins"_a,
             "columns"_a = 1024,
             "levels"_a = 128,
             "density_columns"_a = 0)
        .def(
            "take",
            [](spectrum_view& self) {
                return picture_dict(call_without_gil([&] { return self.take(); }));
            },
            TAKE_DOC)
        .def(
            "average",
            [](const spectrum_view& self, std::int64_t first_bin, std::int64_t bins) {
                return array_of(
                    call_without_gil([&] { return self.average(first_bin, bins); }));
            },
            "first_bin"_a,
            "bins"_a,
            "Powers of the running average, as of the last picture: `bins` of them from "
            "first_bin on.")
        .def("bins", &spectrum_view::bins, "Floats in a row.")
        .def("rows", &spectrum_view::rows, "Rows since the start.")
        .def("rows_counted", &spectrum_view::rows_counted, "Rows counted in the density.")
        .def("rows_left_out",
             &spectrum_view::rows_left_out,
             "Rows with NaN or Inf, or with a density of other bins.")
        .def("has_ended",
             &spectrum_view::has_ended,
             "Whether all rows have come: their stream has ended, or the flowgraph has "
             "been stopped, and it has not been started again.");
    bind_settings(python);
}

} // namespace gpufft
} // namespace gr
