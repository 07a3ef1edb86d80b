// SPDX-License-Identifier: GPL-3.0-or-later
//
// plan.execute() on the CPU, by the CPU's clock.

#include "bench_engine.h"
#include "random_data.h"
#include "reference.h"
#include <cstring>
#include <fftw3.h>
#include <fstream>
#include <gnuradio/gpufft/engine.h>
#include <optional>
#include <sstream>

namespace gr {
namespace gpufft {

namespace {

constexpr std::size_t HOST_COPY_BYTES = std::size_t(1) << 26; // beyond the caches
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
    double error(const problem& what, const reference& expected) const;

    bench_settings d_settings;
    void fill_input(const problem& what, const reference* expected);

    std::vector<char> d_input, d_output;
    std::string d_filled; // with what
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
    std::size_t input = HOST_COPY_BYTES, output = 0;
    for (const bench_case& each : cases) {
        input = std::max(input, input_bytes(each.what));
        output = std::max(output, output_bytes(each.what));
    }
    d_input.resize(input);
    d_output.resize(std::max(input, output));
    fill_input(problem(), nullptr);
}

// Does nothing if the input holds that.
void cpu_bench::fill_input(const problem& what, const reference* expected)
{
    const number_type type = input_type(what);
    const bool is_changed = what.kind == transform_kind::c2r;
    const std::string filled = is_changed ? what.to_string() : type_name(type);
    if (filled == d_filled)
        return;
    d_filled = filled;
    fill_random(d_input.data(), type, 0, d_input.size() / bytes_of(type));
    if (expected == nullptr)
        return;
    const std::size_t hop_bytes = what.effective_hop() * what.input_item_bytes();
    for (std::size_t i = 0; i < expected->frames().size(); ++i)
        std::copy(expected->samples(i).begin(),
                  expected->samples(i).end(),
                  d_input.begin() +
                      static_cast<std::ptrdiff_t>(expected->frames()[i] * hop_bytes));
}

double cpu_bench::measure_copy_rate(std::string& text)
{
    const std::size_t bytes = d_input.size();
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

double cpu_bench::error(const problem& what, const reference& expected) const
{
    const std::size_t row_bytes =
        what.effective_output_distance() * what.output_item_bytes();
    double worst = 0;
    for (std::size_t i = 0; i < expected.frames().size(); ++i) {
        const double error =
            expected.error(i, d_output.data() + expected.frames()[i] * row_bytes, what);
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
    if (what.window)
        plan->set_window(window_of(what));
    std::optional<reference> expected;
    if (has_reference(what))
        expected.emplace(what);
    fill_input(what, expected ? &*expected : nullptr);
    const char* const from = row.what.in_place ? d_output.data() : d_input.data();
    const auto work = [&] { plan->execute(from, d_output.data(), what.batch); };
    const auto copy_input = [&] { // fresh data, which would grow to infinity
        if (row.what.in_place)
            std::memcpy(d_output.data(), d_input.data(), input_bytes(what));
    };
    copy_input();
    work();
    if (expected) {
        row.ours_error = error(what, *expected);
        check_error(what, row.ours_error);
    }
    const double once = milliseconds_of(work);
    const int calls = static_cast<int>(LEAST_RUN_MS / std::max(once, 1e-5)) + 1;
    std::vector<double> times;
    for (int run = 0; run < d_settings.runs; ++run) {
        copy_input();
        times.push_back(milliseconds_of([&] {
                            for (int call = 0; call < calls; ++call)
                                work();
                        }) /
                        calls);
    }
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
        row.has_failed = true;
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
