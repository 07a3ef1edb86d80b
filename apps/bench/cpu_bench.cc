// SPDX-License-Identifier: GPL-3.0-or-later
//
// plan.execute() on the CPU, by the CPU's clock.

#include "bench_engine.h"
#include "reference.h"
#include <cstring>
#include <fftw3.h>
#include <fstream>
#include <gnuradio/gpufft/engine.h>
#include <sstream>

namespace gr {
namespace gpufft {

namespace {

constexpr std::size_t LEAST_COPY_BYTES = std::size_t(1) << 26; // beyond the caches
constexpr double LEAST_RUN_MS = 0.2; // shorter work is called many times in a run

class cpu_bench : public bench_engine
{
public:
    explicit cpu_bench(const bench_settings& settings) : d_settings(settings) {}

    std::string card() const override { return "cpu"; }
    std::string head() const override;
    void prepare(const std::vector<bench_case>& cases) override;
    double measure_copy_rate(std::string& text) override;
    measurement measure(const bench_case& what) override;

private:
    void measure_ours(measurement& row);
    double error(const problem& what) const;

    bench_settings d_settings;
    std::vector<float> d_input, d_output;
};

std::string cpu_bench::head() const
{
    std::ifstream file("/proc/cpuinfo");
    std::string model = "unknown";
    for (std::string line; std::getline(file, line);)
        if (line.rfind("model name", 0) == 0) {
            model = line.substr(line.find(':') + 2);
            break;
        }
    std::ostringstream text;
    text << "# card: CPU " << model << ", " << d_settings.threads
         << (d_settings.threads == 1 ? " thread" : " threads (0: one for each core)")
         << "\n# driver: none\n# CUDA: none; " << fftwf_version << "\n";
    return text.str();
}

void cpu_bench::prepare(const std::vector<bench_case>& cases)
{
    std::size_t input = 0, output = 0;
    for (const bench_case& each : cases) {
        input = std::max(input, input_bytes(each.what) + sizeof(float) - 1);
        output = std::max(output, output_bytes(each.what));
    }
    input = std::max(input, LEAST_COPY_BYTES);
    d_input.resize(input / sizeof(float));
    d_output.resize(std::max(input, output) / sizeof(float));
    for (std::size_t i = 0; i < d_input.size(); ++i)
        d_input[i] = random_float(i);
}

double cpu_bench::measure_copy_rate(std::string& text)
{
    const std::size_t bytes = d_input.size() * sizeof(float);
    std::vector<double> times;
    for (int run = 0; run < d_settings.runs; ++run)
        times.push_back(milliseconds_of(
            [&] { std::memcpy(d_output.data(), d_input.data(), bytes); }));
    const double rate = 2e-6 * static_cast<double>(bytes) / summarise(times).median;
    std::ostringstream words;
    words << rate << " GB/s (memcpy, 1 thread, " << bytes << " bytes)";
    text = words.str();
    return rate;
}

double cpu_bench::error(const problem& what) const
{
    if (!is_plain(what))
        return MISSING;
    const reference expected(what);
    const auto* results = reinterpret_cast<const std::complex<float>*>(d_output.data());
    double worst = 0;
    for (std::size_t i = 0; i < expected.frames().size(); ++i) {
        const double error = expected.error(i, results + expected.frames()[i] * what.n);
        worst = error <= worst ? worst : error; // keeps a NaN
    }
    return worst;
}

void cpu_bench::measure_ours(measurement& row)
{
    const problem& what = row.what.what;
    plan_options options;
    options.engine = engine_kind::cpu;
    options.threads = d_settings.threads;
    plan::uptr plan;
    const auto make = [&] { plan = plan::make(what, options); };
    row.cold_ms = milliseconds_of(make); // measures, unless there is FFTW wisdom
    row.warm_ms = milliseconds_of(make);
    row.recipe_text = plan->describe();
    const auto work = [&] { plan->execute(d_input.data(), d_output.data(), what.batch); };
    work();
    row.ours_error = error(what);
    const double once = milliseconds_of(work);
    const int calls = static_cast<int>(LEAST_RUN_MS / std::max(once, 1e-5)) + 1;
    std::vector<double> times;
    for (int run = 0; run < d_settings.runs; ++run)
        times.push_back(milliseconds_of([&] {
                            for (int call = 0; call < calls; ++call)
                                work();
                        }) /
                        calls);
    row.ours = summarise(times);
}

measurement cpu_bench::measure(const bench_case& what)
{
    measurement row;
    row.what = what;
    try {
        measure_ours(row);
    } catch (const std::exception& error) {
        report_failure(what, "ours", error);
    }
    return row;
}

} // namespace

std::unique_ptr<bench_engine> make_cpu_bench(const bench_settings& settings)
{
    return std::unique_ptr<bench_engine>(new cpu_bench(settings));
}

} // namespace gpufft
} // namespace gr
