// SPDX-License-Identifier: GPL-3.0-or-later
//
// Measures a problem on both engines, and compares them.

#include "break_even.h"
#include "break_even_file.h"
#include "chunk_meter.h"
#include "cpu/fftw_transform.h"
#include "forks.h"
#include "problem/stream_batch.h"
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <thread>

namespace gr {
namespace gpufft {

namespace {

std::mutex& s_measuring = // concurrent measurements disturb each other
    free_at_forks(process_mutex::measuring, *new std::mutex);

constexpr std::size_t SMALLEST_CHUNK = std::size_t(16) << 10;
constexpr std::size_t CHUNK_STEP = 4;
constexpr std::size_t MOST_SPAN_BYTES = 4 * CUDA_LOAD_BYTES; // of a frame with strides
constexpr std::size_t MOST_PIECES = 256; // limit for frames of a chunk, if they have gaps

// Time limits for measuring one engine.
constexpr double MOST_CHUNK_SECONDS = 0.3; // larger chunks are left out
constexpr double MOST_SECONDS = 0.3;       // no smaller chunks follow after this total

// The problem in the form that blocks use, without settings that do not change its time.
problem normalized(const problem& what)
{
    row_values timed;
    timed.hop = what.hop;
    timed.average = what.average;
    timed.density.columns = what.density.columns;
    timed.density.levels = what.density.levels;
    problem result = what;
    result.batch = frames_of_stream(what.n);
    result.set(timed);
    return result;
}

bool frames_lie_apart(const problem& what)
{
    return what.effective_hop() > what.input_span();
}

// The problem without gaps between frames and between rows, which are neither read nor
// copied.
problem packed(const problem& what)
{
    problem result = what;
    if (frames_lie_apart(what))
        result.hop = 0;
    if (what.effective_output_distance() > what.output_span())
        result.output_distance = 0;
    return result;
}

std::string cpu_name()
{
    std::ifstream file("/proc/cpuinfo");
    for (std::string line; std::getline(file, line);) {
        const std::size_t colon = line.find(": ");
        if (line.compare(0, 10, "model name") == 0 && colon != std::string::npos)
            return line.substr(colon + 2);
    }
    return "CPU";
}

std::vector<chunk_times> chunks_to_measure(const break_even& table)
{
    std::vector<chunk_times> chunks;
    const problem what = packed(table.what);
    const std::size_t span_bytes =
        std::max(what.input_bytes(what.input_span()),
                 what.output_span() * what.output_item_bytes());
    if (table.frame_bytes() > CUDA_LOAD_BYTES || span_bytes > MOST_SPAN_BYTES)
        return chunks;
    chunks.emplace_back();
    chunks.back().frames = 1;
    for (std::size_t bytes = SMALLEST_CHUNK; bytes <= CUDA_LOAD_BYTES;
         bytes *= CHUNK_STEP) {
        chunk_times next;
        next.frames = bytes / table.frame_bytes();
        if (frames_lie_apart(table.what))
            next.frames = std::min(next.frames, MOST_PIECES);
        if (next.frames > chunks.back().frames)
            chunks.push_back(next);
    }
    return chunks;
}

// Computes one chunk of each size, smallest first, until the next would take too long,
// and returns the number of sizes. It predicts a latency plus a time per frame.
template <class Meter>
std::size_t sizes_in_time(const std::vector<chunk_times>& chunks, Meter& meter)
{
    double first = 0, last = 0;
    for (std::size_t i = 0; i < chunks.size(); ++i) {
        const std::size_t growth = i > 0 ? chunks[i].frames / chunks[i - 1].frames : 1;
        if (last + (last - first) * growth > MOST_CHUNK_SECONDS)
            return i;
        last = seconds_of([&] { meter.compute(chunks[i].frames); });
        if (i == 0)
            first = last;
    }
    return chunks.size();
}

// Measures the largest chunk first, because the rates of large chunks decide.
template <class Meter, class Measure>
void measure_column(std::vector<chunk_times>& chunks, Meter& meter, Measure&& measure)
{
    double all = 0;
    for (std::size_t i = sizes_in_time(chunks, meter); i > 0 && all < MOST_SECONDS; --i)
        all += seconds_of([&] { measure(chunks[i - 1]); });
}

void measure_cpu(break_even& table,
                 plan_options options,
                 bool plans_quickly,
                 const engine_makers& makers)
{
    options.engine = engine_kind::cpu;
    std::optional<quick_planning> quick;
    if (plans_quickly)
        quick.emplace();
    cpu_meter meter(makers.make_plan(packed(table.what), options),
                    table.chunks.back().frames);
    measure_column(table.chunks, meter, [&](chunk_times& each) {
        each.cpu = meter.seconds(each.frames);
    });
}

void measure_cuda(break_even& table, plan_options options, const engine_makers& makers)
{
    options.engine = engine_kind::cuda;
    options.enqueues = true;
    cuda_meter meter(makers.make_plan(packed(table.what), options),
                     makers.make_device(options.device),
                     table.chunks.back().frames,
                     frames_lie_apart(table.what));
    measure_column(table.chunks, meter, [&](chunk_times& each) {
        each.cuda_delay = meter.delay(each.frames);
        each.cuda = meter.seconds(each.frames, each.cuda_delay);
    });
}

std::string no_card(int device)
{
    const cuda_status& cuda = query_cuda();
    if (cuda.usable)
        throw std::invalid_argument("device is " + std::to_string(device) +
                                    ", but must be 0 ... " +
                                    std::to_string(cuda.devices.size() - 1));
    return cuda.reason;
}

std::string rate_text(double rate) // "6 Gsps"
{
    const char* unit = "ksps";
    double divisor = 1e3;
    if (rate >= 1e9) {
        unit = "Gsps";
        divisor = 1e9;
    } else if (rate >= 1e6) {
        unit = "Msps";
        divisor = 1e6;
    }
    char text[40];
    std::snprintf(text, sizeof(text), "%.3g %s", rate / divisor, unit);
    return text;
}

} // namespace

std::string cuda_card_name(int device)
{
    if (query_cuda().usable)
        for (const cuda_device_info& info : query_cuda().devices)
            if (info.index == device)
                return info.name;
    return "";
}

std::size_t break_even::frame_bytes() const { return frame_layout(what).frame_bytes(); }

double break_even::samples_per_second(engine_kind engine) const
{
    const bool cuda = engine == engine_kind::cuda;
    const std::size_t load =
        cuda ? CUDA_LOAD_BYTES : std::min(threads * CPU_LOAD_BYTES, MAX_CPU_LOAD_BYTES);
    double rate = 0;
    for (const chunk_times& each : chunks) { // takes the largest up to that load
        const double seconds = cuda ? each.cuda : each.cpu;
        if (seconds > 0 && (rate == 0 || each.frames * frame_bytes() <= load))
            rate = each.frames * static_cast<double>(what.effective_hop()) / seconds;
    }
    return rate;
}

engine_kind break_even::faster() const
{
    if (!obstacle.empty())
        return engine_kind::cpu;
    return samples_per_second(engine_kind::cuda) >= samples_per_second(engine_kind::cpu)
               ? engine_kind::cuda
               : engine_kind::cpu;
}

std::string break_even::reason() const
{
    if (!obstacle.empty())
        return "auto: cpu, " + obstacle;
    if (chunks.empty())
        return "auto: cuda, " + card + ", not measured for frames of more than " +
               std::to_string(CUDA_LOAD_BYTES >> 20) + " MiB, or that span more than " +
               std::to_string(MOST_SPAN_BYTES >> 20) + " MiB";
    return "auto: GPU " + rate_text(samples_per_second(engine_kind::cuda)) + ", CPU " +
           rate_text(samples_per_second(engine_kind::cpu));
}

break_even find_break_even(const problem& what,
                           const plan_options& options,
                           bool anew,
                           const engine_makers& makers)
{
    what.validate();
    break_even table;
    table.what = normalized(what);
    table.threads = options.threads == 0
                        ? std::max(1u, std::thread::hardware_concurrency())
                        : options.threads;
    table.cpu = cpu_name();
    table.card = makers.card_name(options.device);

    if (table.card.empty()) {
        table.obstacle = no_card(options.device);
        return table;
    }

    const std::lock_guard<std::mutex> lock(s_measuring);
    if (!anew) {
        if (const auto chunks = find_chunk_times(table)) {
            table.chunks = *chunks;
            return table;
        }
    }
    table.chunks = chunks_to_measure(table);
    if (table.chunks.empty())
        return table;
    try {
        measure_cuda(table, options, makers);
        measure_cpu(table, options, !anew, makers);
    } catch (const cuda_error& error) {
        table.obstacle = error.what();
    } catch (const std::invalid_argument& error) { // the GPU does not support the length
        table.obstacle = error.what();
    } catch (const std::bad_alloc&) {
        table.obstacle = "too little memory to measure";
    }
    if (table.obstacle.empty())
        store_chunk_times(table);
    return table;
}

break_even find_break_even(const problem& what, const plan_options& options, bool anew)
{
    const engine_makers makers;
    break_even table = find_break_even(what, options, anew, makers);
    if (!table.obstacle.empty()) {
        table.chunks = chunks_to_measure(table);
        try {
            if (!table.chunks.empty())
                measure_cpu(table, options, !anew, makers);
        } catch (const std::bad_alloc&) {
            table.chunks.clear();
        }
    }
    return table;
}

} // namespace gpufft
} // namespace gr
