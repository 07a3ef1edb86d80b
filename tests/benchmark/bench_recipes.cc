// SPDX-License-Identifier: GPL-3.0-or-later
//
// Times recipes that are given by their exact text, a line each, so that variants which
// the planner does not list can be compared on a card.
//   bench_recipes [FILE [ELEMENTS [RUNS]]]      FILE - is the standard input
// Prints for each: length, milliseconds of ELEMENTS points (default 2^27; of double
// precision half as many, the same bytes), share of the card's copy rate, relative L2
// error of one vector, registers, bytes of spills and of shared memory, blocks on a
// multiprocessor, recipe. Lines that do not run say why.

#include "engine/cuda/cuda_plan.h"
#include "gpu_timing.h"
#include <algorithm>
#include <atomic>
#include <cmath>
#include <complex>
#include <cstdio>
#include <fftw3.h>
#include <fstream>
#include <future>
#include <iostream>
#include <random>
#include <thread>

using namespace gr::gpufft;

namespace {

constexpr std::size_t ITEM = sizeof(std::complex<float>);

problem problem_of(const recipe& how, std::size_t elements)
{
    problem what;
    what.n = how.n;
    what.lengths = how.lengths;
    what.input = working_format(true, how.is_double());
    what.batch =
        std::max<std::size_t>(elements * ITEM / what.input_item_bytes() / how.n, 1);
    return what;
}

std::vector<recipe> read_recipes(std::istream& lines)
{
    std::vector<recipe> recipes;
    for (std::string line; std::getline(lines, line);)
        if (!line.empty() && line[0] != '#')
            recipes.push_back(recipe::from_text(line));
    return recipes;
}

// Compiles every kernel into the cache, as many at once as there are cores.
void build_kernels(const std::vector<recipe>& recipes, int architecture)
{
    std::atomic<std::size_t> next(0);
    std::vector<std::future<void>> workers;
    for (unsigned i = 0; i < std::max(std::thread::hardware_concurrency(), 1u); ++i)
        workers.push_back(std::async(std::launch::async, [&] {
            for (std::size_t r = next++; r < recipes.size(); r = next++) {
                try {
                    for (const launch_step& step :
                         build_program(problem_of(recipes[r], 1), recipes[r]).steps)
                        build_kernel(step.kernel, architecture);
                } catch (const std::exception&) { // told when it is to run
                }
            }
        }));
    for (std::future<void>& worker : workers)
        worker.get();
}

// Random samples, over and over; a prime number of them: all vectors differ.
std::vector<std::complex<double>> random_pattern(std::size_t elements)
{
    std::vector<std::complex<double>> pattern(
        std::min<std::size_t>(elements / 2, 1000003));
    std::mt19937 generator(1);
    std::uniform_real_distribution<float> uniform(-1, 1); // exact in both precisions
    for (std::complex<double>& value : pattern)
        value = { uniform(generator), uniform(generator) };
    return pattern;
}

template <class T>
void fill(memory_buffer& input, const std::vector<std::complex<double>>& pattern)
{
    const std::vector<std::complex<T>> values(pattern.begin(), pattern.end());
    const std::size_t bytes = values.size() * sizeof(values[0]);
    for (std::size_t done = 0; done < input.bytes(); done += bytes)
        GPUFFT_CUDA(cuMemcpyHtoD(
            input.device() + done, values.data(), std::min(bytes, input.bytes() - done)));
}

// Of the last vector in the output, by FFTW in double precision: of kernels of double
// precision it shows the errors of both.
template <class T>
double error_of(const problem& what,
                const std::vector<std::complex<double>>& pattern,
                CUdeviceptr output)
{
    std::vector<std::complex<double>> expected(what.n);
    std::vector<std::complex<T>> actual(what.n);
    const std::size_t first = (what.batch - 1) * what.n;
    for (std::size_t m = 0; m < what.n; ++m)
        expected[m] = pattern[(first + m) % pattern.size()];
    auto* data = reinterpret_cast<fftw_complex*>(expected.data());
    std::vector<int> lengths;
    for (std::size_t length : what.axes())
        lengths.push_back(static_cast<int>(length));
    const fftw_plan plan = fftw_plan_dft(static_cast<int>(lengths.size()),
                                         lengths.data(),
                                         data,
                                         data,
                                         FFTW_FORWARD,
                                         FFTW_ESTIMATE);
    fftw_execute(plan);
    fftw_destroy_plan(plan);
    GPUFFT_CUDA(cuMemcpyDtoH(
        actual.data(), output + first * sizeof(actual[0]), what.n * sizeof(actual[0])));
    double difference = 0, total = 0;
    for (std::size_t k = 0; k < what.n; ++k) {
        difference += std::norm(std::complex<double>(actual[k]) - expected[k]);
        total += std::norm(expected[k]);
    }
    return std::sqrt(difference / total);
}

void run(std::istream& lines, std::size_t elements, int runs)
{
    const std::vector<recipe> recipes = read_recipes(lines);
    const device_context& context = device_context::get(0);
    const device_context::scope scope(context);
    const stream_uptr stream = make_stream(context);
    build_kernels(recipes, context.architecture());

    memory_buffer single(context, memory_kind::device);
    memory_buffer twice(context, memory_kind::device); // of double precision
    memory_buffer output(context, memory_kind::device);
    single.reserve(elements * ITEM);
    twice.reserve(elements * ITEM);
    output.reserve(elements * ITEM);
    const std::vector<std::complex<double>> pattern = random_pattern(elements);
    fill<float>(single, pattern);
    fill<double>(twice, pattern);
    const double rate = measure_copy_rate(context,
                                          single.device(),
                                          output.device(),
                                          elements * ITEM / 16384 * 16384,
                                          stream.get(),
                                          runs)
                            .best();
    std::printf("# %s, copy rate %.0f GB/s\n", context.name().c_str(), rate);
    std::printf("n,ms,eff,error,registers,spills,shared,blocks,recipe\n");
    for (const recipe& how : recipes) {
        try {
            const problem what = problem_of(how, elements);
            const memory_buffer& input = what.is_double() ? twice : single;
            cuda_plan plan(what, 0, how);
            const timing time = time_on_gpu(stream.get(), runs, [&] {
                plan.enqueue(reinterpret_cast<const void*>(input.device()),
                             reinterpret_cast<void*>(output.device()),
                             what.batch,
                             stream.get());
            });
            const kernel& first = *plan.kernels().front();
            std::printf(
                "%zu,%.4f,%.4f,%.2e,%d,%d,%zu,%d,%s\n",
                how.n,
                time.median,
                2e-6 * static_cast<double>(what.batch * how.n * what.input_item_bytes()) /
                    time.median / rate,
                what.is_double() ? error_of<double>(what, pattern, output.device())
                                 : error_of<float>(what, pattern, output.device()),
                first.registers(),
                first.local_bytes(),
                first.instance().shared_bytes,
                first.blocks(),
                how.to_text().c_str());
        } catch (const std::exception& error) {
            std::printf("# %s: %s\n", how.to_text().c_str(), error.what());
        }
        std::fflush(stdout);
    }
}

} // namespace

int main(int argc, char** argv)
{
    try {
        const std::string name = argc > 1 ? argv[1] : "-";
        const std::size_t elements =
            argc > 2 ? std::stoull(argv[2]) : std::size_t(1) << 27;
        const int runs = argc > 3 ? std::stoi(argv[3]) : 20;
        std::ifstream file(name);
        if (name != "-" && !file)
            throw std::runtime_error("cannot read " + name);
        run(name == "-" ? std::cin : file, elements, runs);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "bench_recipes: %s\n", error.what());
        return 1;
    }
    return 0;
}
