// SPDX-License-Identifier: GPL-3.0-or-later
//
// Runs problems of every kind on the cpu engine and says in plain words what is wrong.

#ifndef INCLUDED_GPUFFT_TRANSFORM_CASES_H
#define INCLUDED_GPUFFT_TRANSFORM_CASES_H

#include "cpu_runs.h"
#include "kinds.h"

#include <algorithm>
#include <string>
#include <vector>

namespace gr {
namespace gpufft {

const std::string PRECISIONS[] = { "", "_f64" };

// A plan that FFTW does not measure for.
inline plan::uptr quick_plan(const problem& what, int threads)
{
    plan_options options;
    options.engine = engine_kind::cpu;
    options.threads = threads;
    options.effort = planning_effort::quick;
    return plan::make(what, options);
}

// dct1 has no axis of length 1.
inline bool has_kind(const std::string& kind, const std::string& shape)
{
    return kind != "dct1" || ("x" + shape + "x").find("x1x") == std::string::npos;
}

// 1.6 where FFTW computes an axis as a convolution.
inline double fftw_error_factor(const problem& what)
{
    if (what.kind == transform_kind::zoom)
        return 1.6;
    for (std::size_t length : what.axes())
        if (has_large_prime(what.kind == transform_kind::dct1   ? length - 1
                            : what.kind == transform_kind::dst1 ? length + 1
                                                                : length))
            return 1.6;
    return 1.0;
}

// The bytes of rows: all 0xff at first, and those of gaps for ever.
class row_bytes
{
public:
    row_bytes(const problem& what, std::size_t rows)
        : d_what(what),
          d_rows(rows),
          d_bytes(rows == 0 ? 0
                            : ((rows - 1) * what.effective_output_distance() +
                               what.output_span()) *
                                  what.output_item_bytes())
    {
    }

    std::size_t size() const { return d_bytes; }

    // True if every byte between the bins is as it was.
    bool has_clean_gaps(const std::uint8_t* bytes) const
    {
        std::vector<std::uint8_t> copy(bytes, bytes + d_bytes);
        std::vector<std::size_t> lengths = d_what.axes();
        if (d_what.kind == transform_kind::r2c)
            lengths.back() = lengths.back() / 2 + 1;
        if (d_what.kind == transform_kind::zoom)
            lengths = { d_what.row_bins() };
        const std::size_t item = d_what.output_item_bytes();
        for (std::size_t row = 0; row < d_rows; ++row)
            for (std::size_t k = 0; k < d_what.row_bins(); ++k) {
                std::size_t bin = row * d_what.effective_output_distance(), rest = k;
                for (std::size_t axis = lengths.size(); axis-- > 0;) {
                    bin += d_what.output_strides.empty()
                               ? 0
                               : rest % lengths[axis] * d_what.output_strides[axis];
                    rest /= lengths[axis];
                }
                bin += d_what.output_strides.empty() ? k : 0;
                std::fill_n(copy.begin() + bin * item, item, 0xff);
            }
        return std::count(copy.begin(), copy.end(), 0xff) == long(copy.size());
    }

private:
    problem d_what;
    std::size_t d_rows, d_bytes;
};

// What is wrong with `frames` frames of the problem; empty if nothing is.
inline std::string
fault_of(const problem& what, std::size_t frames, int threads, bool in_place)
{
    const test_data data(what, frames);
    const plan::uptr executes = quick_plan(what, threads);
    if (what.window)
        executes->set_window(data.window);
    const row_bytes bytes(what, executes->output_rows(frames));
    const std::size_t in_bytes = data.input.size();
    placed_bytes input(std::max(in_bytes, bytes.size()), 0), output(bytes.size(), 0);
    std::memcpy(input.data(), data.input.data(), in_bytes);
    std::memset(output.data(), 0xff, bytes.size());
    std::uint8_t* rows = in_place ? input.data() : output.data();
    executes->execute(input.data(), rows, frames);

    const double error = relative_error(what, rows, data.rows);
    double bound = error_bound(what, fftw_error_factor(what));
    if (what.output == output_kind::decibel) // see decibels()
        bound += 1e-4 * std::log(10) / 10;
    if (!(error <= bound))
        return "the error is " + std::to_string(error / bound) +
               " of what is allowed by " + executes->describe();
    if (!in_place && std::memcmp(input.data(), data.input.data(), in_bytes) != 0)
        return "the input has changed";
    if (!in_place && !bytes.has_clean_gaps(rows))
        return "bytes between the bins have changed";
    return "";
}

inline void expect_right(const std::string& name,
                         std::size_t frames,
                         int threads = 1,
                         bool in_place = false)
{
    EXPECT_EQ(fault_of(named(name), frames, threads, in_place), "")
        << name << ", frames " << frames << ", threads " << threads
        << (in_place ? ", in place" : "");
}

} // namespace gpufft
} // namespace gr

#endif
