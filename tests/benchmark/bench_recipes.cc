// SPDX-License-Identifier: GPL-3.0-or-later
//
// Times recipes that are given by their exact text, a line each, so that variants which
// the planner does not list can be compared on a card.
//   bench_recipes [FILE [ELEMENTS [RUNS]]]      FILE - is the standard input
// A line is "RECIPE", for forward complex transforms of ELEMENTS points together (default
// 2^27; of double precision half as many, the same bytes), or "PROBLEM | RECIPE" as in
// "r2c_n1009_b133020 | real:rader 1009 ...".
// Prints for each: problem, milliseconds (data that caches could hold: the mean of many
// calls in a row), share of the card's copy rate, worst relative L2 error of some frames,
// registers, bytes of spills and of shared memory, blocks on a multiprocessor, recipe.
// Lines that do not run say why.

#include "bench_engine.h"
#include "engine/cuda/cuda_plan.h"
#include "gpu_data.h"
#include "gpu_timing.h"
#include "planner/registry.h"
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <fstream>
#include <future>
#include <iostream>
#include <map>
#include <thread>

using namespace gr::gpufft;

namespace {

struct candidate {
    problem what;
    recipe how;
};

problem complex_problem(const recipe& how, std::size_t elements)
{
    problem what;
    what.n = how.n;
    what.lengths = how.lengths;
    what.input = working_format(true, how.is_double());
    what.batch = std::max<std::size_t>(elements / (how.is_double() ? 2 : 1) / how.n, 1);
    return what;
}

candidate read_candidate(const std::string& line, std::size_t elements)
{
    const std::string bar = " | ";
    const std::size_t at = line.find(bar);
    if (at != std::string::npos)
        return { problem::from_string(line.substr(0, at)),
                 recipe::from_text(line.substr(at + bar.size())) };
    const recipe how = recipe::from_text(line);
    return { complex_problem(how, elements), how };
}

std::vector<candidate> read_candidates(std::istream& lines, std::size_t elements)
{
    std::vector<candidate> candidates;
    for (std::string line; std::getline(lines, line);)
        if (!line.empty() && line[0] != '#')
            candidates.push_back(read_candidate(line, elements));
    return candidates;
}

// Compiles every kernel into the cache, as many at once as there are cores.
void build_kernels(const std::vector<candidate>& candidates, int architecture)
{
    std::atomic<std::size_t> next(0);
    std::vector<std::future<void>> workers;
    for (unsigned i = 0; i < std::max(std::thread::hardware_concurrency(), 1u); ++i)
        workers.push_back(std::async(std::launch::async, [&] {
            for (std::size_t c = next++; c < candidates.size(); c = next++) {
                try {
                    for (const launch_step& step :
                         build_program(candidates[c].what, candidates[c].how).steps)
                        build_kernel(step.kernel, architecture);
                } catch (const std::exception&) { // told when it is to run
                }
            }
        }));
    for (std::future<void>& worker : workers)
        worker.get();
}

// All on one card, the data in its memory.
class recipe_bench
{
public:
    recipe_bench(const std::vector<candidate>& candidates, int runs)
        : d_context(device_context::get(0)),
          d_scope(d_context),
          d_stream(make_stream(d_context)),
          d_data(d_context),
          d_runs(runs)
    {
        for (const candidate& each : candidates) {
            d_input_bytes = std::max(d_input_bytes, input_bytes(each.what));
            d_output_bytes = std::max(d_output_bytes, output_bytes(each.what));
        }
        d_data.reserve(d_input_bytes, d_output_bytes);
        build_kernels(candidates, d_context.architecture());
    }

    void run(const std::vector<candidate>& candidates)
    {
        constexpr std::size_t GRANULE = 16384; // of the copies
        const double rate =
            measure_copy_rate(d_context,
                              d_data.input(),
                              d_data.output(),
                              std::min(d_input_bytes, d_output_bytes) / GRANULE * GRANULE,
                              d_stream.get(),
                              d_runs)
                .best();
        std::printf("# card: %s, sm_%d\n# commit: %s\n# command: bench_recipes\n"
                    "# copy rate: %.2f GB/s\n",
                    d_context.name().c_str(),
                    d_context.architecture(),
                    GPUFFT_COMMIT,
                    rate);
        std::printf("problem,ms,eff,error,registers,spills,shared,blocks,recipe\n");
        for (const candidate& each : candidates) {
            try {
                run(each, rate);
            } catch (const std::exception& error) {
                std::printf("# %s | %s: %s\n",
                            each.what.to_string().c_str(),
                            each.how.to_text().c_str(),
                            error.what());
            }
            std::fflush(stdout);
        }
    }

private:
    void run(const candidate& each, double rate)
    {
        const problem& what = each.what;
        const std::string name = what.to_string();
        const reference& expected = d_references.try_emplace(name, what).first->second;
        d_data.fill(what, &expected, d_stream.get());
        cuda_plan plan(what, 0, each.how);
        if (what.window)
            plan.set_window(window_of(what));
        const auto work = [&] {
            plan.set_position(0); // each run is the first
            plan.enqueue(reinterpret_cast<const void*>(d_data.input()),
                         reinterpret_cast<void*>(d_data.output()),
                         what.batch,
                         d_stream.get());
        };
        // Data that caches could hold are transformed many times back to back.
        const int calls = input_bytes(what) + output_bytes(what) >= 4 * d_l2_bytes
                              ? 1
                              : calls_in_a_run(d_stream.get(), work);
        const timing time = time_on_gpu(d_stream.get(), d_runs, work, calls);
        measurement traffic;
        traffic.what.what = what;
        const kernel& first = *plan.kernels().front();
        std::printf("%s,%.5f,%.4f,%.2e,%d,%d,%zu,%d,%s\n",
                    name.c_str(),
                    time.median,
                    traffic.efficiency(time, rate),
                    d_data.error(what, expected),
                    first.registers(),
                    first.local_bytes(),
                    first.instance().shared_bytes,
                    first.blocks(),
                    each.how.to_text().c_str());
    }

    const device_context& d_context;
    const device_context::scope d_scope;
    const stream_uptr d_stream;
    gpu_data d_data;
    const std::size_t d_l2_bytes = query_cuda().devices.front().l2_bytes;
    const int d_runs;
    std::size_t d_input_bytes = 0, d_output_bytes = 0;
    std::map<std::string, reference> d_references;
};

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
        const std::vector<candidate> candidates =
            read_candidates(name == "-" ? std::cin : file, elements);
        if (candidates.empty())
            throw std::runtime_error("no recipe in " + name);
        recipe_bench(candidates, runs).run(candidates);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "bench_recipes: %s\n", error.what());
        return 1;
    }
    return 0;
}
