// SPDX-License-Identifier: GPL-3.0-or-later
//
// Speed of batched complex forward transforms on the GPU, beside cuFFT and the card's own
// copy rate in the same run. Prints a table, and writes it as CSV.

#include "bench_report.h"
#include "cufft_peer.h"
#include "engine/cuda/cuda_plan.h"
#include "engine/cuda/nvrtc.h"
#include "fresh_cache.h"
#include "gpu_timing.h"
#include "planner/planner.h"
#include <chrono>
#include <cmath>
#include <complex>
#include <cstdio>
#include <fftw3.h>
#include <fstream>
#include <random>
#include <sstream>

using namespace gr::gpufft;

namespace {

struct settings {
    std::vector<int> sizes = { 8,    16,  32,  64,   128,  256,  512,  1024, 2048, 4096,
                               8192, 243, 729, 1000, 1536, 2187, 3125, 4000, 6000 };
    std::size_t elements = std::size_t(1) << 27;
    int runs = 50;
    int candidates = 0; // 0: the planner's choice
    int device = 0;
    bool peer = true;
    bool latency = false;
    std::string csv;
    std::string commit = GPUFFT_COMMIT;
    std::string command;
};

const char* const USAGE =
    "bench_c2c [--sizes 8,16,...] [--elements E] [--runs R] [--candidates K] [--device "
    "D]\n"
    "          [--no-cufft] [--latency] [--csv FILE] [--commit TEXT]\n"
    "E complex numbers in all (default 2^27), R timed runs (default 50, at least 3). "
    "With\n"
    "--candidates the first K shapes of the planner's list are timed, one a line. "
    "--latency times\n"
    "execute() from host to host on 1 to 4096 vectors instead, by the CPU's clock.\n";

// Input and output of all sizes in device memory, the input random.
class bench_data
{
public:
    bench_data(const device_context& context, std::size_t elements)
        : d_input(context, memory_kind::device),
          d_output(context, memory_kind::device),
          d_pattern(std::min(elements, std::size_t(1) << 22))
    {
        std::mt19937 generator(1);
        std::uniform_real_distribution<float> uniform(-1, 1);
        for (std::complex<float>& value : d_pattern)
            value = { uniform(generator), uniform(generator) };
        d_input.reserve(elements * ITEM);
        d_output.reserve(elements * ITEM);
        for (std::size_t i = 0; i < elements; i += d_pattern.size())
            GPUFFT_CUDA(cuMemcpyHtoD(input() + i * ITEM,
                                     d_pattern.data(),
                                     std::min(d_pattern.size(), elements - i) * ITEM));
        GPUFFT_CUDA(cuCtxSynchronize());
    }

    CUdeviceptr input() const { return d_input.device(); }
    CUdeviceptr output() const { return d_output.device(); }

    // Worst relative L2 error of some of the vectors in the output, by FFTW in double.
    double error(std::size_t n, std::size_t batch) const
    {
        std::vector<std::complex<double>> expected(n);
        std::vector<std::complex<float>> actual(n);
        auto* data = reinterpret_cast<fftw_complex*>(expected.data());
        const fftw_plan plan = fftw_plan_dft_1d(
            static_cast<int>(n), data, data, FFTW_FORWARD, FFTW_ESTIMATE);
        double worst = 0;
        for (std::size_t vector : { std::size_t(0), batch / 3, batch / 2, batch - 1 }) {
            for (std::size_t m = 0; m < n; ++m)
                expected[m] = d_pattern[(vector * n + m) % d_pattern.size()];
            fftw_execute(plan);
            GPUFFT_CUDA(
                cuMemcpyDtoH(actual.data(), output() + vector * n * ITEM, n * ITEM));
            double difference = 0, total = 0;
            for (std::size_t k = 0; k < n; ++k) {
                difference += std::norm(std::complex<double>(actual[k]) - expected[k]);
                total += std::norm(expected[k]);
            }
            const double error = std::sqrt(difference / total);
            worst = error <= worst ? worst : error; // keeps a NaN
        }
        fftw_destroy_plan(plan);
        return worst;
    }

private:
    static constexpr std::size_t ITEM = sizeof(std::complex<float>);
    memory_buffer d_input, d_output;
    std::vector<std::complex<float>> d_pattern;
};

template <class Make>
double milliseconds(Make make)
{
    const auto start = std::chrono::steady_clock::now();
    make();
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() -
                                                     start)
        .count();
}

std::string shape_text(const recipe& how)
{
    const stockham_shape& shape = how.shape();
    std::ostringstream text;
    text << how.to_string() << " " << shape.threads << "x" << shape.transforms
         << (shape.staged_load ? " staged-load" : "")
         << (shape.staged_store ? " staged-store" : "");
    return text.str();
}

result measure_ours(const settings& set,
                    const problem& what,
                    const recipe& how,
                    const bench_data& data,
                    CUstream stream)
{
    result row;
    row.family = set.candidates > 0 ? "c2c candidate" : "c2c";
    row.problem_name = what.to_string();
    row.n = static_cast<int>(what.n);
    row.batch = what.batch;
    plan::uptr plan;
    const auto make = [&] { plan.reset(new cuda_plan(what, set.device, how)); };
    row.cold_ms = milliseconds(make);
    row.warm_ms = milliseconds(make);
    row.recipe_text =
        shape_text(how) + " " +
        std::to_string(static_cast<cuda_plan&>(*plan).kernels().front()->registers()) +
        " registers";
    row.ours = time_on_gpu(stream, set.runs, [&] {
        plan->enqueue(reinterpret_cast<const void*>(data.input()),
                      reinterpret_cast<void*>(data.output()),
                      what.batch,
                      stream);
    });
    row.ours_error = data.error(what.n, what.batch);
    return row;
}

void measure_cufft(const settings& set,
                   const bench_data& data,
                   CUstream stream,
                   result& row)
{
    cufft_peer peer(problem::make(transform_kind::c2c,
                                  { static_cast<std::size_t>(row.n) },
                                  row.batch),
                    stream);
    row.cufft =
        time_on_gpu(stream, set.runs, [&] { peer.queue(data.input(), data.output()); });
    row.cufft_error = data.error(row.n, row.batch);
}

std::string first_line(const char* path)
{
    std::ifstream file(path);
    std::string line;
    std::getline(file, line);
    return line;
}

std::string
head(const settings& set, const device_context& context, const copy_rate& rate)
{
    std::ostringstream text;
    text << "# card: " << context.name() << ", sm_" << context.architecture() << ", "
         << context.multiprocessors() << " multiprocessors\n"
         << "# driver: CUDA " << cuda_version_string(cuda().version) << "; "
         << first_line("/proc/driver/nvidia/version") << "\n"
         << "# NVRTC " << cuda_version_string(nvrtc().version) << ", cuFFT "
         << cufft_version() << "\n"
         << "# copy rate: " << rate.best() << " GB/s (driver " << rate.driver
         << ", kernel " << rate.kernel << ")\n"
         << "# commit: " << set.commit << "\n"
         << "# command: " << set.command << "\n"
         << "# eff is 16 bytes an element / time / copy rate; median of " << set.runs
         << " runs; errors are relative L2\n";
    return text.str();
}

std::size_t to_number(const std::string& option, const std::string& text)
{
    std::size_t read = 0, number = 0;
    try {
        number = std::stoull(text, &read);
    } catch (const std::logic_error&) {
    }
    if (read == 0 || read != text.size() || number > 0xffffffffu)
        throw std::invalid_argument(
            option + " takes whole numbers up to 2^32 - 1, not \"" + text + "\"");
    return number;
}

settings read_arguments(int argc, char** argv)
{
    settings set;
    for (int i = 0; i < argc; ++i)
        set.command += (i > 0 ? " " : "") + std::string(i > 0 ? argv[i] : "bench_c2c");
    for (int i = 1; i < argc; ++i) {
        const std::string option = argv[i];
        if (option == "--no-cufft") {
            set.peer = false;
            continue;
        }
        if (option == "--latency") {
            set.latency = true;
            continue;
        }
        if (i + 1 == argc || option == "--help")
            throw std::invalid_argument(USAGE);
        const std::string value = argv[++i];
        if (option == "--sizes") {
            set.sizes.clear();
            std::istringstream list(value);
            for (std::string size; std::getline(list, size, ',');)
                set.sizes.push_back(static_cast<int>(to_number(option, size)));
        } else if (option == "--elements") {
            set.elements = to_number(option, value);
        } else if (option == "--runs") {
            set.runs = std::max(static_cast<int>(to_number(option, value)), 3);
        } else if (option == "--candidates") {
            set.candidates = static_cast<int>(to_number(option, value));
        } else if (option == "--device") {
            set.device = static_cast<int>(to_number(option, value));
        } else if (option == "--csv") {
            set.csv = value;
        } else if (option == "--commit") {
            set.commit = value;
        } else {
            throw std::invalid_argument("unknown option " + option + "\n" + USAGE);
        }
    }
    return set;
}

// What is to be timed for a length: the planner's recipe, or the first of the candidates.
std::vector<recipe> recipes_for(const settings& set, const problem& what)
{
    return recipe_candidates(
        what, device_traits(), static_cast<std::size_t>(std::max(set.candidates, 1)));
}

// Microseconds of execute() from host memory to host memory.
void run_latency(const settings& set)
{
    std::printf(
        "%6s %8s %10s %10s %9s\n", "n", "vectors", "median us", "least us", "GB/s");
    for (int n : set.sizes) {
        problem what;
        what.n = n;
        cuda_plan plan(what, set.device, make_recipe(what));
        for (std::size_t vectors = 1; vectors <= 4096; vectors *= 8) {
            const std::vector<std::complex<float>> input(n * vectors);
            std::vector<std::complex<float>> output(n * vectors);
            plan.execute(input.data(), output.data(), vectors); // takes its buffers
            std::vector<double> times;
            for (int run = 0; run < set.runs; ++run)
                times.push_back(1e3 * milliseconds([&] {
                                    plan.execute(input.data(), output.data(), vectors);
                                }));
            std::sort(times.begin(), times.end());
            const double median = times[times.size() / 2];
            std::printf("%6d %8zu %10.1f %10.1f %9.2f\n",
                        n,
                        vectors,
                        median,
                        times.front(),
                        16e-3 * n * vectors / median);
        }
    }
}

void run(const settings& set)
{
    const fresh_cache cache;
    const device_context& context = device_context::get(set.device);
    const device_context::scope scope(context);
    const stream_uptr stream = make_stream(context);
    const bench_data data(context, set.elements);
    const copy_rate rate = measure_copy_rate(context,
                                             data.input(),
                                             data.output(),
                                             set.elements * 8 / 16384 * 16384,
                                             stream.get(),
                                             set.runs);
    const std::string head_text = head(set, context, rate);
    std::printf("%s", head_text.c_str());
    print_titles();
    std::vector<result> rows;
    for (int n : set.sizes) {
        if (n < 1 || static_cast<std::size_t>(n) > set.elements)
            throw std::invalid_argument("size " + std::to_string(n) +
                                        " is not in 1 ... " +
                                        std::to_string(set.elements) + " (--elements)");
        problem what;
        what.n = n;
        what.batch = std::max<std::size_t>(set.elements / n, 1);
        for (const recipe& how : recipes_for(set, what)) {
            result row = measure_ours(set, what, how, data, stream.get());
            if (set.peer && set.candidates == 0 && cufft_version() != "absent")
                measure_cufft(set, data, stream.get(), row);
            print_row(row, rate.best());
            rows.push_back(row);
        }
    }
    if (set.candidates == 0)
        print_means(rows, rate.best());
    if (!set.csv.empty())
        write_csv(set.csv, head_text, rows, rate.best());
}

} // namespace

int main(int argc, char** argv)
{
    try {
        const settings set = read_arguments(argc, argv);
        set.latency ? run_latency(set) : run(set);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "bench_c2c: %s\n", error.what());
        return 1;
    }
    return 0;
}
