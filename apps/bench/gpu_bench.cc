// SPDX-License-Identifier: GPL-3.0-or-later
//
// Our plans, cuFFT and VkFFT on one GPU, one after the other on the same data.

#include "bench_engine.h"
#include "cufft_chain.h"
#include "cufft_peer.h"
#include "engine/cuda/cuda_plan.h"
#include "engine/cuda/nvrtc.h"
#include "engine/wisdom_file.h"
#include "fresh_cache.h"
#include "gpu_data.h"
#include "gpu_timing.h"
#include "parallel.h"
#include "planner/planner.h"
#include "vkfft_peer.h"
#include <cctype>
#include <cstdio>
#include <fstream>
#include <future>
#include <gnuradio/gpufft/plan.h>
#include <map>
#include <optional>
#include <set>
#include <sstream>

namespace gr {
namespace gpufft {

namespace {

// VkFFT's plans hold up to VKFFT_COPIES times the data while they are compiled.
constexpr std::size_t VKFFT_COPIES = 4;

// The copy rate is that of memory, not of the L2 cache.
constexpr std::size_t DEVICE_COPY_BYTES = std::size_t(1) << 28;

// The name of what does not depend on our algorithm.
std::string without_algorithm(bench_case each)
{
    each.what.algorithm.clear();
    return each.to_string();
}

class gpu_bench : public bench_engine
{
public:
    explicit gpu_bench(const bench_settings& settings);

    std::string card() const override;
    std::string head() const override;
    void prepare(const std::vector<bench_case>& cases) override;
    double measure_copy_rate(std::string& text) override;
    measurement measure(const bench_case& what) override;

private:
    // What prepare() has made for a problem, by whatever algorithm.
    struct prepared {
        std::optional<reference> expected;
        std::string vkfft;
    };

    plan::uptr make_plan(const problem& what) const;
    CUdeviceptr read_by(const bench_case& each) const;
    timing time(const bench_case& each, const queued_work& work);
    void fill_input(const bench_case& each);
    double error(const bench_case& each, const queued_work& work);
    const prepared& prepared_for(const bench_case& each) const;
    const measurement& peers_of(const bench_case& each);
    int vkfft_threads(std::size_t bytes) const;
    void measure_ours(measurement& row);
    void measure_cufft(measurement& row);
    void measure_chain(measurement& row);
    void measure_vkfft(measurement& row);
    typedef void (gpu_bench::*measure_function)(measurement&);
    bool attempt(measurement& row, const char* library, measure_function measure_it);

    bench_settings d_settings;
    std::optional<fresh_cache> d_cache; // before the plans
    device_context& d_context;
    device_context::scope d_scope;
    stream_uptr d_stream;
    gpu_data d_data;
    std::size_t d_input_bytes = 0;
    std::map<std::string, prepared> d_prepared;
    std::map<std::string, measurement> d_peers; // of this run
};

gpu_bench::gpu_bench(const bench_settings& settings)
    : d_settings(settings),
      d_context(device_context::get(settings.device)),
      d_scope(d_context),
      d_stream(make_stream(d_context)),
      d_data(d_context)
{
    if (settings.plans)
        d_cache.emplace();
}

// "h100" of "NVIDIA H100 80GB HBM3": what comes before the memory's size.
std::string gpu_bench::card() const
{
    std::istringstream words(d_context.name());
    std::string name;
    for (std::string word; words >> word;) {
        if (word == "NVIDIA" || word == "GeForce" || word == "Tesla")
            continue;
        word = word.substr(0, word.find('-'));
        for (char letter : word)
            name += static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
        if (name.find_first_of("0123456789") != std::string::npos)
            break;
    }
    return name.empty() ? "gpu" : name;
}

std::string gpu_bench::head() const
{
    std::ifstream file("/proc/driver/nvidia/version");
    std::string driver;
    std::getline(file, driver);
    std::ostringstream text;
    text << "# card: " << d_context.name() << ", sm_" << d_context.architecture() << ", "
         << d_context.multiprocessors() << " multiprocessors\n"
         << "# driver: CUDA " << cuda_version_string(cuda().version) << "; " << driver
         << "\n# CUDA: NVRTC " << cuda_version_string(nvrtc().version) << "; cuFFT "
         << cufft_version() << "; VkFFT " << vkfft_version() << "\n";
    return text.str();
}

plan::uptr gpu_bench::make_plan(const problem& what) const
{
    if (!d_settings.wisdom)
        return std::make_unique<cuda_plan>(
            what, d_settings.device, make_recipe(what, d_context.traits()));
    plan_options options;
    options.engine = engine_kind::cuda;
    options.device = d_settings.device;
    options.enqueues = true;
    options.effort = d_settings.effort;
    return plan::make(what, options);
}

void gpu_bench::prepare(const std::vector<bench_case>& cases)
{
    std::size_t input = 0, output = 0;
    std::vector<std::function<void()>> tasks, vkfft_tasks;
    const bool has_vkfft = d_settings.vkfft && vkfft_version() != "absent";
    // Measuring must be alone on the card; what fails here is told when it is measured.
    const bool makes_plans =
        !d_settings.plans && d_settings.effort == planning_effort::estimate;
    const auto attempt = [](auto work) {
        return [work] {
            try {
                work();
            } catch (const std::exception&) {
            }
        };
    };
    std::set<std::string> planned;
    for (const bench_case& each : cases) {
        const problem& what = each.what;
        input = std::max(input, input_bytes(what));
        output = std::max(output, output_bytes(what));
        if (makes_plans && planned.insert(what.to_string()).second)
            tasks.emplace_back(
                attempt([this, &what] { make_plan(what); })); // into the cache
        const auto [place, is_new] =
            d_prepared.emplace(without_algorithm(each), prepared());
        if (!is_new)
            continue;
        prepared* entry = &place->second;
        if (has_reference(what))
            tasks.emplace_back(
                attempt([entry, &what] { entry->expected.emplace(what); }));
        if (has_vkfft && vkfft_takes(what))
            vkfft_tasks.emplace_back(attempt([this, entry, &each] {
                const device_context::scope scope(d_context);
                entry->vkfft = vkfft_compile(
                    each.what, d_settings.device, read_by(each), d_data.output());
            }));
    }
    input = std::max(input, DEVICE_COPY_BYTES);
    d_input_bytes = input;
    d_data.reserve(input, std::max(input, output));
    d_data.fill(problem(), nullptr, d_stream.get());
    // The longest ones, which are last, first.
    if (d_settings.vkfft && !has_vkfft)
        std::printf("VkFFT is left out: %s\n", vkfft_obstacle().c_str());
    std::reverse(tasks.begin(), tasks.end());
    std::reverse(vkfft_tasks.begin(), vkfft_tasks.end());
    const int threads = vkfft_threads(output);
    const auto vkfft =
        std::async(std::launch::async, [&] { run_in_parallel(vkfft_tasks, threads); });
    const int cores = static_cast<int>(std::thread::hardware_concurrency());
    run_in_parallel(tasks, std::max(cores - threads, 2));
    vkfft.wait();
    GPUFFT_CUDA(cuCtxSynchronize());
}

// Half of the cores, if the memory is enough for that.
int gpu_bench::vkfft_threads(std::size_t bytes) const
{
    std::size_t free = 0, total = 0;
    GPUFFT_CUDA(cuMemGetInfo(&free, &total));
    const std::size_t most = free / (VKFFT_COPIES * bytes + 1);
    const std::size_t half = std::thread::hardware_concurrency() / 2;
    return static_cast<int>(std::max<std::size_t>(std::min(most, half), 1));
}

const gpu_bench::prepared& gpu_bench::prepared_for(const bench_case& each) const
{
    return d_prepared.at(without_algorithm(each));
}

// Before every measurement; nothing happens unless the last problem had other data.
void gpu_bench::fill_input(const bench_case& each)
{
    const std::optional<reference>& expected = prepared_for(each).expected;
    d_data.fill(each.what, expected ? &*expected : nullptr, d_stream.get());
}

double gpu_bench::measure_copy_rate(std::string& text)
{
    d_peers.clear(); // a run begins
    const copy_rate rate = gpufft::measure_copy_rate(d_context,
                                                     d_data.input(),
                                                     d_data.output(),
                                                     d_input_bytes / 16384 * 16384,
                                                     d_stream.get(),
                                                     d_settings.runs);
    std::ostringstream words;
    words << rate.best() << " GB/s (driver " << rate.driver << ", kernel " << rate.kernel
          << ", " << d_input_bytes / 16384 * 16384 << " bytes)";
    text = words.str();
    return rate.best();
}

CUdeviceptr gpu_bench::read_by(const bench_case& each) const
{
    return each.in_place ? d_data.output() : d_data.input();
}

// Single transforms, and data that caches could hold, many times back to back. In place
// every run begins with fresh data, which would grow to infinity.
timing gpu_bench::time(const bench_case& each, const queued_work& work)
{
    const problem& what = each.what;
    const std::size_t l2_bytes = query_cuda().devices.at(d_settings.device).l2_bytes;
    const std::size_t bytes =
        input_bytes(what) + (each.in_place ? 0 : output_bytes(what));
    const int calls = bytes >= 4 * l2_bytes && what.batch > 1
                          ? 1
                          : calls_in_a_run(d_stream.get(), work);
    queued_work before;
    if (each.in_place)
        before = [&] { d_data.queue_copy_to_output(input_bytes(what), d_stream.get()); };
    return time_on_gpu(d_stream.get(), d_settings.runs, work, calls, before);
}

// Of one transform of the data, for which the output is overwritten before.
double gpu_bench::error(const bench_case& each, const queued_work& work)
{
    const std::optional<reference>& expected = prepared_for(each).expected;
    if (!expected)
        return MISSING;
    d_data.queue_copy_to_output(input_bytes(each.what), d_stream.get());
    work();
    GPUFFT_CUDA(cuStreamSynchronize(d_stream.get()));
    return d_data.error(each.what, *expected);
}

void gpu_bench::measure_ours(measurement& row)
{
    const problem& what = row.what.what;
    plan::uptr plan;
    const auto make = [&] { plan = make_plan(what); };
    if (d_settings.plans)
        row.cold_ms = milliseconds_of(make);
    plan.reset();
    row.warm_ms = milliseconds_of(make);
    row.recipe_text = plan->describe();
    row.recipe_from =
        d_settings.wisdom && find_wisdom(d_context.name(), what) ? "wisdom" : "estimate";
    if (what.window)
        plan->set_window(window_of(what));
    const queued_work work = [&] {
        plan->enqueue(reinterpret_cast<const void*>(read_by(row.what)),
                      reinterpret_cast<void*>(d_data.output()),
                      what.batch,
                      d_stream.get());
    };
    row.ours_error = error(row.what, work);
    if (has_reference(what))
        check_error(what, row.ours_error);
    row.ours = time(row.what, work);
    row.scratch_bytes = plan->scratch_bytes();
}

void gpu_bench::measure_cufft(measurement& row)
{
    const problem& what = row.what.what;
    cufft_peer peer(what, d_stream.get());
    const queued_work work = [&] { peer.queue(read_by(row.what), d_data.output()); };
    row.cufft_error = error(row.what, work);
    row.cufft = time(row.what, work);
    if (what.kind == transform_kind::c2r)
        d_data.spoil();
}

// What cuFFT leaves to others, by kernels around it.
void gpu_bench::measure_chain(measurement& row)
{
    const problem& what = row.what.what;
    cufft_chain peer(what, d_context, d_stream.get());
    const queued_work work = [&] { peer.queue(d_data.input(), d_data.output()); };
    row.cufft_error = error(row.what, work);
    row.cufft = time(row.what, work);
}

void gpu_bench::measure_vkfft(measurement& row)
{
    vkfft_peer peer(row.what.what,
                    d_settings.device,
                    read_by(row.what),
                    d_data.output(),
                    d_stream.get(),
                    prepared_for(row.what).vkfft);
    GPUFFT_CUDA(cuCtxSynchronize()); // with the stream that VkFFT makes its tables on
    const queued_work work = [&] { peer.queue(); };
    row.vkfft_error = error(row.what, work);
    row.vkfft = time(row.what, work);
    if (row.what.what.kind == transform_kind::c2r)
        d_data.spoil();
}

// False if it failed.
bool gpu_bench::attempt(measurement& row,
                        const char* library,
                        measure_function measure_it)
{
    try {
        fill_input(row.what);
        (this->*measure_it)(row);
        return true;
    } catch (const std::exception& error) {
        report_failure(row.what, library, error);
        return false;
    }
}

// Of a problem that comes with several of our algorithms, once in a run.
const measurement& gpu_bench::peers_of(const bench_case& each)
{
    const auto [place, is_new] = d_peers.emplace(without_algorithm(each), measurement());
    measurement& row = place->second;
    if (!is_new)
        return row;
    row.what = each;
    if (d_settings.cufft && cufft_version() != "absent" && cufft_takes(each.what))
        attempt(row, "cuFFT", &gpu_bench::measure_cufft);
    if (d_settings.cufft && cufft_version() != "absent" && chain_takes(each.what))
        attempt(row, "cuFFT", &gpu_bench::measure_chain);
    if (d_settings.vkfft && vkfft_version() != "absent" && vkfft_takes(each.what))
        attempt(row, "VkFFT", &gpu_bench::measure_vkfft);
    return row;
}

measurement gpu_bench::measure(const bench_case& what)
{
    measurement row;
    row.what = what;
    row.has_failed = !attempt(row, "ours", &gpu_bench::measure_ours);
    const measurement& peers = peers_of(what);
    row.cufft = peers.cufft;
    row.vkfft = peers.vkfft;
    row.cufft_error = peers.cufft_error;
    row.vkfft_error = peers.vkfft_error;
    return row;
}

} // namespace

std::unique_ptr<bench_engine> make_gpu_bench(const bench_settings& settings)
{
    if (!query_cuda().usable)
        throw cuda_error(0, "engine cuda cannot be used here: " + query_cuda().reason);
    return std::unique_ptr<bench_engine>(new gpu_bench(settings));
}

} // namespace gpufft
} // namespace gr
