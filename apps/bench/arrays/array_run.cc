// SPDX-License-Identifier: GPL-3.0-or-later
//
// Fresh random data for every run: a transform in place overwrites them, and FFTW may.

#include "array_run.h"
#include "../parallel.h"
#include "../random_data.h"
#include "fftw_peer.h"
#include <algorithm>
#include <cmath>
#include <memory>
#include <stdexcept>

namespace gr {
namespace gpufft {

namespace {

constexpr std::size_t COMPARED = std::size_t(1) << 22; // numbers of FFTW's result kept

// Memory that nobody has written to: the threads that fill it spread its pages.
struct array {
    explicit array(std::size_t size) : bytes(size), data(new char[size]) {}
    std::size_t bytes;
    std::unique_ptr<char[]> data;
};

void fill(array& what, number_type type, int threads)
{
    constexpr std::size_t NUMBERS = std::size_t(1) << 22; // of a task
    const std::size_t size = bytes_of(type), all = what.bytes / size;
    std::vector<std::function<void()>> tasks;
    for (std::size_t first = 0; first < all; first += NUMBERS)
        tasks.push_back(
            [&what, type, first, size, count = std::min(NUMBERS, all - first)] {
                fill_random(what.data.get() + first * size, type, first, count);
            });
    run_in_parallel(tasks, threads);
}

// Some numbers of a result, equally spaced.
std::vector<double> sample(const char* result, number_type type, std::size_t numbers)
{
    const std::size_t size = bytes_of(type);
    const std::size_t step = numbers / COMPARED | 1; // odd: real and imaginary parts
    std::vector<double> kept;
    for (std::size_t i = 0; i < numbers; i += step)
        kept.push_back(read_numbers(result + i * size, type, 1).front());
    return kept;
}

} // namespace

double relative_difference(const std::vector<double>& actual,
                           const std::vector<double>& expected)
{
    double error = 0, power = 0;
    for (std::size_t i = 0; i < std::min(actual.size(), expected.size()); ++i) {
        error += (actual[i] - expected[i]) * (actual[i] - expected[i]);
        power += expected[i] * expected[i];
    }
    return std::sqrt(error / power);
}

array_row measure_array(const problem& what,
                        const array_settings& settings,
                        const std::vector<async_device::sptr>& devices,
                        const link_rates& link)
{
    const number_type from = input_type(what), to = output_type(what);
    const std::size_t in_bytes = what.input_span() * what.input_item_bytes();
    const std::size_t out_bytes = what.output_span() * what.output_item_bytes();
    array input(settings.in_place ? std::max(in_bytes, out_bytes) : in_bytes);
    array apart(settings.in_place ? 0 : out_bytes);
    char* const output = settings.in_place ? input.data.get() : apart.data.get();
    const std::size_t numbers = out_bytes / bytes_of(to);
    if (!settings.in_place)
        fill(apart, to, settings.threads);

    const auto time = [&](const std::function<void()>& work) {
        std::vector<double> times;
        for (int run = 0; run <= settings.runs; ++run) {
            fill(input, from, settings.threads);
            const double now = milliseconds_of(work);
            if (run > 0) // the first one compiles kernels and allocates
                times.push_back(now);
        }
        return summarise(times);
    };

    array_row row;
    row.problem = what.to_string();
    row.in_place = settings.in_place;
    std::vector<double> expected;
    if (settings.fftw)
        if (const auto peer =
                make_fftw_peer(what, input.data.get(), output, settings.threads)) {
            row.fftw = time(peer);
            expected = sample(output, to, numbers);
        }
    const plan::uptr plan = plan::make(what, settings.plans);
    row.engine = to_string(plan->engine());
    const auto ours = [&] { plan->execute(input.data.get(), output, 1); };
    row.plain = time(ours);
    row.description = plan->describe();
    if (!expected.empty())
        row.error = relative_difference(sample(output, to, numbers), expected);
    if (devices.empty())
        return row;
    const auto held = devices.front()->register_host(input.data.get(), input.bytes);
    const auto also =
        settings.in_place ? nullptr : devices.front()->register_host(output, out_bytes);
    row.registered = time(ours);
    row.bound_ms = 2e-6 * double(std::max(in_bytes, out_bytes)) / link.both;
    return row;
}

} // namespace gpufft
} // namespace gr
