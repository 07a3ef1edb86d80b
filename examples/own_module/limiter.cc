// SPDX-License-Identifier: GPL-3.0-or-later
//
// The kernel, and the same on the CPU.

#include "limiter.h"
#include <algorithm>
#include <complex>
#include <cstring>
#include <stdexcept>

namespace own {

namespace {

const char* const TEXT = R"(
__global__ void limit(const float2* x, float2* y, long long frames, float limit)
{
    const long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= frames)
        return;
    const float2 value = x[i];
    const float factor = fminf(1, limit / fmaxf(hypotf(value.x, value.y), 1e-30f));
    y[i] = make_float2(factor * value.x, factor * value.y);
}
)";

std::vector<char> bytes_of(float value)
{
    std::vector<char> bytes(sizeof(value));
    std::memcpy(bytes.data(), &value, sizeof(value));
    return bytes;
}

float checked(float limit)
{
    if (!(limit > 0))
        throw std::invalid_argument("limit is " + std::to_string(limit) +
                                    ": must be above 0");
    return limit;
}

} // namespace

limiter::limiter(float limit)
    : d_kernel(gr::gpufft::kernel_function::make(TEXT,
                                                 "limit",
                                                 gr::gpufft::device_ports(),
                                                 {},
                                                 { bytes_of(checked(limit)) })),
      d_limit(limit)
{
}

void limiter::set_limit(float limit)
{
    d_kernel->set_parameters({ bytes_of(checked(limit)) });
    d_limit = limit;
}

void limiter::prepare(int device)
{
    if (device >= 0)
        d_kernel->prepare(device);
}

void limiter::release(int device)
{
    if (device >= 0)
        d_kernel->release(device);
}

void limiter::compute(const gr::gpufft::device_call& call)
{
    if (call.device >= 0) {
        d_kernel->compute(call);
        return;
    }
    const auto* x = static_cast<const std::complex<float>*>(call.input);
    auto* y = static_cast<std::complex<float>*>(call.output);
    const float limit = d_limit;
    for (std::size_t i = 0; i < call.frames; ++i)
        y[i] = x[i] * std::min(1.0f, limit / std::max(std::abs(x[i]), 1e-30f));
}

} // namespace own
