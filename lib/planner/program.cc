// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tables of a program, each kept once.

#include "program.h"
#include "in_threads.h"
#include "problem/frame_rows.h"

#include <stdexcept>

namespace gr {
namespace gpufft {

namespace {

// Index of the table whose `kind` has these values; adds one if there is none.
template <class T>
int share(std::vector<table>& tables, std::vector<T> table::*kind, std::vector<T> values)
{
    if (values.empty())
        return -1;
    for (std::size_t i = 0; i < tables.size(); ++i)
        if (tables[i].*kind == values)
            return int(i);
    tables.emplace_back();
    tables.back().*kind = std::move(values);
    return int(tables.size()) - 1;
}

// Moves the points from one kind to another, rounded.
template <class From, class To>
void round_points(std::vector<std::complex<From>>& from,
                  std::vector<std::complex<To>>& to)
{
    if (from.empty())
        return;
    to = table_of<std::complex<To>>(long(from.size()), [&](long i) {
        return std::complex<To>(To(from[i].real()), To(from[i].imag()));
    });
    from = {};
}

} // namespace

const void* table::data() const
{
    return !points.empty()          ? static_cast<const void*>(points.data())
           : !double_points.empty() ? static_cast<const void*>(double_points.data())
                                    : indices.data();
}

std::size_t table::bytes() const
{
    return points.size() * sizeof(points[0]) +
           double_points.size() * sizeof(double_points[0]) +
           indices.size() * sizeof(indices[0]);
}

int program::add(std::vector<std::complex<float>> points)
{
    return share(tables, &table::points, std::move(points));
}

int program::add(std::vector<std::complex<double>> points)
{
    return share(tables, &table::double_points, std::move(points));
}

int program::add(std::vector<std::complex<long double>> points)
{
    return share(tables, &table::exact_points, std::move(points));
}

int program::add(std::vector<int> indices)
{
    return share(tables, &table::indices, std::move(indices));
}

int program::add(const table& values)
{
    if (!values.indices.empty())
        return add(values.indices);
    if (!values.exact_points.empty())
        return add(values.exact_points);
    return values.points.empty() ? add(values.double_points) : add(values.points);
}

void program::take(launch_step step, const std::vector<table>& its_tables)
{
    for (int launch_step::*position : { &launch_step::twiddles,
                                        &launch_step::more_twiddles,
                                        &launch_step::chirp,
                                        &launch_step::spectrum,
                                        &launch_step::order })
        if (step.*position >= 0)
            step.*position = add(its_tables[step.*position]);
    steps.push_back(step);
}

void program::set_precision(bool twice)
{
    is_double = twice;
    for (launch_step& step : steps)
        step.kernel.is_double = twice;
    for (table& each : tables) {
        if (twice && !each.points.empty())
            throw std::logic_error("a table of a double program has single precision");
        if (twice) {
            round_points(each.exact_points, each.double_points);
        } else {
            round_points(each.exact_points, each.points);
            round_points(each.double_points, each.points);
        }
    }
}

std::size_t frames_allowed_by_hop(const std::vector<launch_step>& steps,
                                  std::size_t frames,
                                  std::size_t hop)
{
    for (const launch_step& step : steps)
        if (step.from == place::input && step.lines > 1 && step.row_points > 0 &&
            hop != step.lines * step.row_points)
            return 1;
    return frames;
}

std::vector<unsigned char> in_working_precision(const problem& what,
                                                const std::vector<double>& numbers)
{
    const auto bytes_of = [](const auto& values) {
        const auto* first = reinterpret_cast<const unsigned char*>(values.data());
        return std::vector<unsigned char>(first,
                                          first + values.size() * sizeof(values[0]));
    };
    return what.is_double()
               ? bytes_of(numbers)
               : bytes_of(std::vector<float>(numbers.begin(), numbers.end()));
}

problem powers_of_frames(const problem& what)
{
    return rows_of_frames(what, output_kind::power);
}

std::size_t blocks_of(const kernel_instance& kernel, std::size_t frames)
{
    const std::size_t blocks = (frames + kernel.frames_per_block - 1) /
                               kernel.frames_per_block * kernel.blocks_per_frame;
    const std::size_t cluster = std::size_t(kernel.cluster);
    return (blocks + cluster - 1) / cluster * cluster;
}

} // namespace gpufft
} // namespace gr
