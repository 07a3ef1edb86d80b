// SPDX-License-Identifier: GPL-3.0-or-later
//
// host_accuracy ACCURACY.csv CHIRP.csv: errors of the GPU's kernels, executed on the CPU,
// against double precision. The files are those of `gpufft verify`, whose --from judges
// and draws them.

#include "accuracy_problems.h"
#include "host/host_plan.h"
#include "planner/number_theory.h"
#include "planner/planner.h"
#include "reference_dft.h"
#include <cmath>
#include <cstdio>
#include <fstream>
#include <gnuradio/gpufft/engine.h>
#include <iostream>
#include <sstream>
#include <stdexcept>

using namespace gr::gpufft;

namespace {

typedef std::vector<std::complex<float>> samples;

std::string head()
{
    return "# gpufft " + version() +
           "\n# host engine: the GPU's kernels, executed on the CPU\n";
}

std::string number(double value)
{
    char text[32];
    std::snprintf(text, sizeof(text), "%.6g", value);
    return text;
}

samples random_frames(const problem& what)
{
    const std::vector<std::uint8_t> bytes = random_samples(what, what.n * what.batch);
    const auto* first = reinterpret_cast<const std::complex<float>*>(bytes.data());
    return { first, first + what.n * what.batch };
}

samples transform(const problem& what, const samples& input)
{
    host_plan plan(what, make_recipe(what));
    samples output(input.size(), { NAN, NAN });
    plan.execute(input.data(), output.data(), what.batch);
    return output;
}

// A line of ACCURACY.csv.
std::string accuracy_of(const problem& what)
{
    const samples input = random_frames(what);
    const samples output = transform(what, input);
    std::vector<std::uint8_t> bytes(input.size() * sizeof(input[0]));
    std::copy_n(
        reinterpret_cast<const std::uint8_t*>(input.data()), bytes.size(), bytes.begin());
    const std::vector<spectrum> expected = reference_rows(what, bytes, {}, what.batch);
    double difference = 0, total = 0, largest = 0;
    for (std::size_t i = 0; i < output.size(); ++i) {
        const std::complex<double> exact(expected[i / what.n][i % what.n]);
        const double error = std::abs(std::complex<double>(output[i]) - exact);
        difference += error * error;
        total += std::norm(exact);
        largest = largest >= error ? largest : error; // keeps a NaN
    }
    const double factor = is_smooth_to(what.n, 13) ? 1.0 : 1.6;
    const double bound =
        std::ldexp(factor, -24) * std::sqrt(std::max(1.0, std::log2(double(what.n))));
    std::ostringstream line;
    line << what.n << "," << to_string(what.dir) << ",host,"
         << number(std::sqrt(difference / total)) << "," << number(bound) << ","
         << number(largest / std::sqrt(total / double(output.size()))) << ",\""
         << make_recipe(what).to_string() << "\"\n";
    return line.str();
}

// Root mean square of inverse(forward(x)) / n - x.
double round_trip(std::size_t n, const std::string& algorithm)
{
    const problem forward = accuracy_problem(n, direction::forward, algorithm);
    const samples x = random_frames(forward);
    const samples back = transform(accuracy_problem(n, direction::inverse, algorithm),
                                   transform(forward, x));
    double sum = 0;
    for (std::size_t i = 0; i < x.size(); ++i)
        sum += std::norm(std::complex<double>(back[i]) / double(n) -
                         std::complex<double>(x[i]));
    return std::sqrt(sum / double(x.size()));
}

void write(const std::string& path, const std::string& text)
{
    std::ofstream file(path);
    if (!(file << head() << text).flush())
        throw std::runtime_error("cannot write " + path);
}

} // namespace

int main(int count, char** names)
{
    if (count != 3) {
        std::cerr << "usage: host_accuracy ACCURACY.csv CHIRP.csv\n";
        return 2;
    }
    try {
        std::string accuracy =
            "# error: relative L2; max_error: over the root mean square of the spectrum\n"
            "n,direction,engine,error,bound,max_error,recipe\n";
        for (std::size_t n : accuracy_lengths())
            for (direction dir : { direction::forward, direction::inverse })
                accuracy += accuracy_of(accuracy_problem(n, dir));
        write(names[1], accuracy);
        std::string chirp = "# root mean square error of forward + inverse / n, of "
                            "numbers uniform in -1 ... 1\n"
                            "n,exact_index_rmse,inexact_index_rmse\n";
        for (std::size_t n : chirp_primes())
            chirp += std::to_string(n) + "," + number(round_trip(n, "bluestein")) + "," +
                     number(round_trip(n, "bluestein-inexact")) + "\n";
        write(names[2], chirp);
    } catch (const std::exception& error) {
        std::cerr << "host_accuracy: " << error.what() << "\n";
        return 1;
    }
}
