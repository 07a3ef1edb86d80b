// SPDX-License-Identifier: GPL-3.0-or-later
//
// The part of a plan that all engines share: choice of the engine, checks of arguments,
// and bookkeeping of calls.

#include "address_checks.h"
#include "engines.h"
#include "memory_check.h"
#include "planner/planner.h"
#include "planner/slabs/slab_choice.h"
#include "planner/slabs/slab_program.h"
#include "problem/expression.h"
#include "slab_plan.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>
#include <stdexcept>

namespace gr {
namespace gpufft {

namespace {

constexpr int MAX_THREADS = 1024;
constexpr int MAX_DEVICE = 1023;

void check_threads(int threads)
{
    if (threads < 0 || threads > MAX_THREADS)
        throw std::invalid_argument("threads is " + std::to_string(threads) +
                                    ", but must be 0 (one for each core) ... " +
                                    std::to_string(MAX_THREADS));
}

// The same check on every machine, also without GPUs whose indices could be compared.
void check_index(int device)
{
    if (device < 0 || device > MAX_DEVICE)
        throw std::invalid_argument("device is " + std::to_string(device) +
                                    ", but must be 0 ... " + std::to_string(MAX_DEVICE));
}

// Why no card computes the problem, as a whole or in slabs; empty if one does.
std::string obstacle_of(const problem& what, const plan_options& options)
{
    const std::size_t memory = device_memory_of(options);
    if (options.enqueues)
        return planning_obstacle(what, card_of(options.device));
    if (options.devices.size() > 1) // only slabs have a place on several cards
        return slab_obstacle(what, memory);
    return card_obstacle(what, card_of(options.device), memory);
}

// Why the cuda engine cannot take the problem on this machine; empty if it can.
std::string cuda_obstacle(const problem& what, const plan_options& options)
{
    for (const int device : devices_of(options)) {
        const std::string missing = missing_card(device);
        if (!missing.empty())
            return missing;
    }
    return query_cuda().usable ? obstacle_of(what, options) : query_cuda().reason;
}

// Runs before any access to the device, so that a machine without one refuses the same
// problems.
void check_planning(const problem& what, const plan_options& options)
{
    const std::string obstacle = obstacle_of(what, options);
    if (!obstacle.empty())
        throw std::invalid_argument(obstacle);
}

plan::uptr make_card_plan(const problem& what, const plan_options& options)
{
    const bool in_slabs =
        !options.enqueues &&
        (options.devices.size() > 1 ||
         needs_slabs(what, card_of(options.device), device_memory_of(options)));
    return in_slabs ? make_slab_plan(what, options) : make_cuda_plan(what, options);
}

// One card is `device`, whichever way it is given.
plan_options checked(plan_options options)
{
    check_threads(options.threads);
    for (std::size_t i = 0; i < options.devices.size(); ++i) {
        check_index(options.devices[i]);
        for (std::size_t k = 0; k < i; ++k)
            if (options.devices[k] == options.devices[i])
                throw std::invalid_argument("device " +
                                            std::to_string(options.devices[i]) +
                                            " comes twice in the list");
    }
    if (!options.devices.empty())
        options.device = options.devices.front();
    if (options.devices.size() == 1)
        options.devices.clear();
    check_index(options.device);
    return options;
}

std::string device_name(int device)
{
    for (const cuda_device_info& info : query_cuda().devices)
        if (info.index == device)
            return info.name;
    return "device " + std::to_string(device);
}

plan::uptr make_checked_cpu_plan(const problem& what, const plan_options& options)
{
    const std::size_t bytes = least_memory(what);
    check_memory(what.to_string(), bytes);
    try {
        return make_cpu_plan(what, options);
    } catch (const memory_shortage&) {
        throw;
    } catch (const std::bad_alloc&) { // each thread has its own
        const std::string where = " in " + std::to_string(options.threads) + " threads";
        throw memory_shortage(what.to_string() + where, bytes);
    }
}

bool is_multiple(const void* address, std::size_t bytes)
{
    return reinterpret_cast<std::uintptr_t>(address) % bytes == 0;
}

void check_alignment(const char* name, const void* address, std::size_t bytes)
{
    if (!is_multiple(address, bytes))
        throw std::invalid_argument(
            std::string(name) + " is at an address " +
            std::to_string(reinterpret_cast<std::uintptr_t>(address) % bytes) +
            " bytes beyond a multiple of " + std::to_string(bytes) +
            ", but must be at a multiple: a card reads and writes whole numbers");
}

void check_pointers(const void* input, const void* output, std::size_t rows)
{
    if (input == nullptr)
        throw std::invalid_argument("input is a null pointer");
    if (output == nullptr && rows > 0)
        throw std::invalid_argument("output is a null pointer, but " +
                                    std::to_string(rows) + " rows are to be written");
}

} // namespace

std::string missing_card(int device)
{
    const cuda_status& machine = query_cuda();
    for (const cuda_device_info& info : machine.devices)
        if (info.index == device)
            return "";
    const std::size_t cards = machine.devices.size();
    if (cards == 0 && device == 0) // which nobody asked for
        return machine.reason;
    return "there is no device " + std::to_string(device) + ": " +
           (cards == 0   ? machine.reason
            : cards == 1 ? "the only one is device 0"
                         : "there are " + std::to_string(cards) + ", devices 0 ... " +
                               std::to_string(cards - 1));
}

device_traits card_of(int device)
{
    device_traits card;
    for (const cuda_device_info& info : query_cuda().devices) {
        if (info.index == device) {
            card.architecture = 10 * info.compute_major + info.compute_minor;
            card.multiprocessors = info.multiprocessors;
            card.shared_bytes = info.shared_bytes_per_block;
            card.l2_bytes = info.l2_bytes;
        }
    }
    return card;
}

plan::uptr plan::make(const problem& what, const plan_options& asked)
{
    what.validate();
    if (what.kind == transform_kind::function)
        throw std::invalid_argument("kind is function, but a plan needs a transform: "
                                    "only blocks call functions");
    const plan_options options = checked(asked);
    uptr made;
    std::string reason;
    switch (options.engine) {
    case engine_kind::automatic:
        reason = cuda_obstacle(what, options);
        if (reason.empty()) {
            try {
                made = make_card_plan(what, options);
                made->d_engine_reason = "auto: cuda, " + device_name(options.device);
                return made;
            } catch (const cuda_error& error) {
                reason = error.what();
            }
        }
        made = make_checked_cpu_plan(what, options);
        made->d_engine_reason = "auto: cpu, " + reason;
        return made;
    case engine_kind::cuda:
        check_planning(what, options);
        made = make_card_plan(what, options);
        made->d_engine_reason = "cuda: asked for, " + device_name(options.device);
        return made;
    case engine_kind::cpu:
        made = make_checked_cpu_plan(what, options);
        made->d_engine_reason = "cpu: asked for";
        return made;
    case engine_kind::host:
        break;
    }
    throw std::invalid_argument(std::string("engine is ") + to_string(options.engine) +
                                ", but plans are made on auto, cuda or cpu");
}

plan::plan(const problem& what, engine_kind engine) : d_problem(what), d_engine(engine)
{
    what.validate();
    d_parameters.resize(parameters_of(what).size(), 1.0f);
    if (what.kind == transform_kind::filter && what.running)
        d_rotations.resize(what.row_bins());
    if (what.picks_bins()) {
        d_map.resize(what.bins);
        std::iota(d_map.begin(), d_map.end(), 0);
    }
}

plan::~plan() = default;

std::size_t plan::input_samples(std::size_t frames) const
{
    return samples_at(d_problem.effective_hop(), frames);
}

std::size_t plan::samples_at(std::size_t hop, std::size_t frames) const
{
    if (frames == 0)
        return 0;
    const std::size_t item =
        std::max(d_problem.input_item_bytes(), d_problem.output_item_bytes());
    const std::size_t samples = std::numeric_limits<std::size_t>::max() / item;
    if (samples / frames < std::max(hop, d_problem.input_span()))
        throw std::invalid_argument(
            "frames is " + std::to_string(frames) + ", but must be <= " +
            std::to_string(samples / std::max(hop, d_problem.input_span())) +
            " for the bytes to fit 64 bits");
    return (frames - 1) * hop + d_problem.input_span();
}

std::size_t plan::output_rows(std::size_t frames) const
{
    return (d_frames_in_row + frames) / d_problem.average;
}

std::size_t plan::frames_to_next_row() const
{
    return d_problem.average - d_frames_in_row;
}

// Each row must lie where its frame does, or rows must overlap no frames.
void plan::check_overlap(const void* input,
                         std::size_t input_bytes,
                         const void* output,
                         std::size_t rows,
                         std::size_t hop) const
{
    if (rows == 0)
        return;
    const std::size_t bin_bytes = d_problem.output_item_bytes();
    const std::size_t distance = d_problem.effective_output_distance() * bin_bytes;
    const std::size_t row_bytes = d_problem.output_span() * bin_bytes;
    const std::size_t hop_bytes = d_problem.input_bytes(hop);
    const bool in_place = input == output && d_problem.average == 1 &&
                          (rows == 1 || (hop_bytes == distance && row_bytes <= distance &&
                                         d_problem.input_span() <= hop));
    if (!in_place &&
        overlap(input, input_bytes, output, (rows - 1) * distance + row_bytes))
        throw std::invalid_argument(
            "output overlaps input; they must be apart, or the same with every row "
            "where its frame begins (frames are " +
            std::to_string(hop_bytes) + " bytes apart, rows " + std::to_string(distance) +
            ")");
}

std::size_t plan::execute(const void* input, void* output, std::size_t frames)
{
    if (frames == 0)
        return 0;
    const std::size_t in_bytes = d_problem.input_bytes(input_samples(frames));
    const std::size_t rows = output_rows(frames);
    check_pointers(input, output, rows);
    check_overlap(input, in_bytes, output, rows, d_problem.effective_hop());
    do_execute(input, output, frames);
    advance(frames);
    return rows;
}

std::size_t
plan::enqueue(const void* dev_input, void* dev_output, std::size_t frames, void* stream)
{
    return enqueue(dev_input, dev_output, frames, stream, d_problem.effective_hop());
}

std::size_t plan::enqueue(const void* dev_input,
                          void* dev_output,
                          std::size_t frames,
                          void* stream,
                          std::size_t hop)
{
    if (d_engine != engine_kind::cuda)
        do_enqueue(dev_input, dev_output, frames, stream, hop); // throws
    if (frames == 0)
        return 0;
    const std::size_t in_bytes = d_problem.input_bytes(samples_at(hop, frames));
    const std::size_t rows = output_rows(frames);
    check_pointers(dev_input, dev_output, rows);
    check_overlap(dev_input, in_bytes, dev_output, rows, hop);
    check_alignment("input", dev_input, alignment_of(d_problem.input_item_bytes()));
    check_alignment("output", dev_output, alignment_of(d_problem.output_item_bytes()));
    do_enqueue(dev_input, dev_output, frames, stream, hop);
    advance(frames);
    return rows;
}

bool plan::is_aligned(const void* input, const void* output) const
{
    return is_multiple(input, alignment_of(d_problem.input_item_bytes())) &&
           is_multiple(output, alignment_of(d_problem.output_item_bytes()));
}

void plan::do_enqueue(const void*, void*, std::size_t, void*, std::size_t)
{
    throw std::logic_error(
        std::string("enqueue() needs the cuda engine, but this plan is "
                    "on ") +
        to_string(d_engine));
}

void plan::advance(std::size_t frames)
{
    d_frames_in_row = (d_frames_in_row + frames) % d_problem.average;
    d_position = position_after(frames);
}

// False if positions count modulo 2^64.
bool plan::has_period() const
{
    return d_problem.kind != transform_kind::filter &&
           d_problem.kind != transform_kind::function;
}

// Period of the phases in samples. n frames of a synthesis give a whole number of
// periods, whatever the length of a row.
std::size_t plan::period() const
{
    const std::size_t n = d_problem.n;
    return d_problem.kind == transform_kind::synthesis ? n * n : n;
}

std::uint64_t plan::position_after(std::size_t frames) const
{
    if (!has_period())
        return d_position + frames * d_problem.effective_hop();
    const std::size_t n = d_problem.n, step = d_problem.effective_hop() % period();
    return (d_position + frames % n * step) % period();
}

void plan::set_threads(int threads) { check_threads(threads); }

} // namespace gpufft
} // namespace gr
