// SPDX-License-Identifier: GPL-3.0-or-later
//
// The naive sum and FFTW, around the steps of cpu_steps.cc.

#include "cpu_ladder.h"

#include <cmath>
#include <fftw3.h>
#include <memory>
#include <new>

namespace gr {
namespace gpufft {

namespace {

typedef std::complex<float> complex;

// exp(-2 pi i k / n), k = 0 ... count-1, right to the last bit of float.
std::vector<complex> roots(std::size_t n, std::size_t count)
{
    std::vector<complex> table;
    for (std::size_t k = 0; k < count; ++k) {
        const double angle = 2 * M_PI * double(k) / double(n);
        table.emplace_back(float(std::cos(angle)), float(-std::sin(angle)));
    }
    return table;
}

// The definition. The exponent m k mod n is kept by addition.
cpu_transform naive_dft(std::size_t n)
{
    return [n, w = roots(n, n)](const complex* x, complex* X) {
        for (std::size_t k = 0; k < n; ++k) {
            complex sum = 0;
            for (std::size_t m = 0, exponent = 0; m < n; ++m) {
                sum += x[m] * w[exponent];
                exponent += k;
                exponent -= exponent >= n ? n : 0;
            }
            X[k] = sum;
        }
    };
}

// FFTW 3, single precision, one thread, out of place. Vectors are aligned like those
// that it plans on.
cpu_transform fftw(std::size_t n, unsigned effort)
{
    const auto planned_on = std::make_shared<std::vector<complex>>(2 * n);
    auto* points = reinterpret_cast<fftwf_complex*>(planned_on->data());
    const std::shared_ptr<fftwf_plan_s> plan(
        fftwf_plan_dft_1d(int(n), points, points + n, FFTW_FORWARD, effort),
        fftwf_destroy_plan);
    if (plan == nullptr)
        throw std::bad_alloc();
    return [plan](const complex* x, complex* X) {
        fftwf_execute_dft(plan.get(),
                          reinterpret_cast<fftwf_complex*>(const_cast<complex*>(x)),
                          reinterpret_cast<fftwf_complex*>(X));
    };
}

} // namespace

std::vector<cpu_step> cpu_ladder()
{
    std::vector<cpu_step> all = { { "naive_dft", naive_dft, true } };
    for (const auto& steps : { c_rules::steps, fast::steps, own::steps, native::steps })
        for (const cpu_step& each : steps())
            all.push_back(each);
    all.push_back(
        { "fftw_estimate", [](std::size_t n) { return fftw(n, FFTW_ESTIMATE); } });
    all.push_back(
        { "fftw_measure", [](std::size_t n) { return fftw(n, FFTW_MEASURE); } });
    return all;
}

} // namespace gpufft
} // namespace gr
