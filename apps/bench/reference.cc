// SPDX-License-Identifier: GPL-3.0-or-later
//
// Chooses the frames and transforms them.

#include "reference.h"
#include <cmath>
#include <fftw3.h>
#include <mutex>
#include <set>

namespace gr {
namespace gpufft {

namespace {

// Points in the frames of one problem together, unless the last one alone has more.
constexpr std::size_t SAMPLED_POINTS = std::size_t(1) << 20;

std::mutex planner_mutex; // FFTW plans in one thread at a time

// In place.
void transform(std::vector<std::complex<double>>& values, direction dir)
{
    auto* data = reinterpret_cast<fftw_complex*>(values.data());
    const int sign = dir == direction::forward ? FFTW_FORWARD : FFTW_BACKWARD;
    std::unique_lock<std::mutex> lock(planner_mutex);
    const fftw_plan plan = fftw_plan_dft_1d(
        static_cast<int>(values.size()), data, data, sign, FFTW_ESTIMATE);
    lock.unlock();
    fftw_execute(plan);
    lock.lock();
    fftw_destroy_plan(plan);
}

} // namespace

bool is_plain(const problem& what)
{
    return what.input == sample_format::cf32 && what.output == output_kind::complex &&
           what.effective_hop() == what.n && !what.window && !what.shift_input &&
           !what.shift_output && what.scale == 1.0;
}

reference::reference(const problem& what) : d_n(what.n)
{
    std::set<std::size_t> frames = { what.batch - 1 };
    for (std::size_t frame : { std::size_t(0), what.batch / 2, what.batch / 3 })
        if ((frames.size() + 1) * d_n <= SAMPLED_POINTS)
            frames.insert(frame);
    d_frames.assign(frames.begin(), frames.end());
    for (std::size_t frame : d_frames) {
        std::vector<std::complex<double>> values(d_n);
        for (std::size_t m = 0; m < d_n; ++m) {
            const unsigned long long i = 2ull * (frame * d_n + m);
            values[m] = { random_float(i), random_float(i + 1) };
        }
        transform(values, what.dir);
        d_expected.push_back(std::move(values));
    }
}

double reference::error(std::size_t index, const std::complex<float>* results) const
{
    const std::vector<std::complex<double>>& expected = d_expected[index];
    double difference = 0, total = 0;
    for (std::size_t k = 0; k < d_n; ++k) {
        difference += std::norm(std::complex<double>(results[k]) - expected[k]);
        total += std::norm(expected[k]);
    }
    return std::sqrt(difference / total);
}

} // namespace gpufft
} // namespace gr
