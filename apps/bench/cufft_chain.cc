// SPDX-License-Identifier: GPL-3.0-or-later
//
// The kernels around cuFFT, compiled at run time like ours.

#include "cufft_chain.h"
#include "cufft_correlation.h"
#include "engine/cuda/program_runner.h"
#include "reference.h"
#include <algorithm>
#include <stdexcept>

namespace gr {
namespace gpufft {

namespace {

const char* const CHAIN_PROGRAM = R"(
struct complex { float re, im; };

// The sum of `taps` samples, n apart, for each of the n points of a frame, which `step`
// more than the last one are turned by. A thread has one arm of FRAMES frames.
template <int TAPS, bool IS_CRITICAL, int FRAMES>
__global__ void bank_kernel(const complex* __restrict__ samples,
                            const float* __restrict__ window,
                            complex* __restrict__ points,
                            unsigned n,
                            unsigned hop,
                            unsigned step,
                            unsigned long long frames)
{
    const unsigned long long thread = 1ull * blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned m = thread % n;
    const unsigned long long first = thread / n * FRAMES;
    if (first >= frames)
        return;
    const int count = frames - first < FRAMES ? frames - first : FRAMES;
    float taps[TAPS];
    complex recent[TAPS];
    for (int p = 0; p < TAPS; ++p)
        taps[p] = window[p * n + m];
    const complex* from = samples + first * hop + m;
    complex* to = points + first * n;
    unsigned turned = (m + first % n * step) % n;
    if (IS_CRITICAL)
        for (int p = 0; p < TAPS - 1; ++p)
            recent[p] = from[p * n];
    for (int f = 0; f < count; f += TAPS)
#pragma unroll
        for (int j = 0; j < TAPS; ++j)
            if (f + j < count) {
                complex sum = { 0, 0 };
                if (IS_CRITICAL)
                    recent[(j + TAPS - 1) % TAPS] = from[(TAPS - 1) * n];
#pragma unroll
                for (int p = 0; p < TAPS; ++p) {
                    const complex x = IS_CRITICAL ? recent[(j + p) % TAPS] : from[p * n];
                    sum.re += taps[p] * x.re;
                    sum.im += taps[p] * x.im;
                }
                to[turned] = sum;
                from += hop;
                to += n;
                turned += step;
                turned -= turned >= n ? n : 0;
            }
}

// Bin k of each spectrum times bin k of the response, over n.
__global__ void product_kernel(complex* spectra,
                               const complex* __restrict__ response,
                               unsigned n,
                               unsigned long long count)
{
    const unsigned long long step = 1ull * gridDim.x * blockDim.x;
    const float scale = 1.0f / n;
    for (unsigned long long i = 1ull * blockIdx.x * blockDim.x + threadIdx.x; i < count;
         i += step) {
        const complex a = spectra[i], b = response[i % n];
        spectra[i] = { scale * (a.re * b.re - a.im * b.im),
                       scale * (a.re * b.im + a.im * b.re) };
    }
}
)";

constexpr std::size_t FRAMES = 64;        // of a thread
constexpr std::size_t POINTS_PER_TAP = 8; // of a filter's transform, at least
constexpr std::size_t COMPLEX_BYTES = 8;

// `count` transforms of n points, `hop` samples apart.
problem transforms(direction dir, std::size_t n, std::size_t count, std::size_t hop)
{
    problem what;
    what.dir = dir;
    what.n = n;
    what.batch = count;
    what.hop = hop == n ? 0 : hop;
    return what;
}

} // namespace

bool chain_takes(const problem& what)
{
    const bool is_filter = what.kind == transform_kind::filter;
    if (what.is_correlation())
        return correlation_chain_takes(what);
    return (is_filter || what.is_polyphase_bank()) && what.input == sample_format::cf32 &&
           has_reference(what) && what.stored == number_format::working &&
           what.has_plain_rows() && !what.picks_bins() &&
           !(is_filter && what.effective_hop() > 1);
}

class cufft_chain::step
{
public:
    virtual ~step() = default;
    virtual void queue(CUdeviceptr input, CUdeviceptr output) = 0;
};

class cufft_chain::bank_step : public step
{
public:
    bank_step(const problem& what, const device_context& context, CUstream stream)
        : d_what(what),
          d_stream(stream),
          d_kernel(context,
                   CHAIN_PROGRAM,
                   "bank_kernel<" + std::to_string(what.taps) + ", " +
                       (what.effective_hop() == what.n ? "true, " : "false, ") +
                       std::to_string(FRAMES) + ">"),
          d_window(context, memory_kind::device),
          d_transforms(transforms(what.dir, what.n, what.batch, what.n), stream)
    {
        const std::vector<float> window = window_of(what);
        upload(context, d_window, window.data(), window.size() * sizeof(float));
    }

    void queue(CUdeviceptr input, CUdeviceptr output) override
    {
        const std::size_t groups = (d_what.batch + FRAMES - 1) / FRAMES;
        const std::size_t hop = d_what.effective_hop();
        d_kernel.launch(groups * d_what.n,
                        d_stream,
                        input,
                        d_window.device(),
                        output,
                        static_cast<unsigned>(d_what.n),
                        static_cast<unsigned>(hop),
                        static_cast<unsigned>(d_what.running ? hop % d_what.n : 0),
                        static_cast<unsigned long long>(d_what.batch));
        d_transforms.queue(output, output);
    }

private:
    const problem d_what;
    const CUstream d_stream;
    const chain_kernel d_kernel;
    memory_buffer d_window;
    cufft_peer d_transforms;
};

class cufft_chain::filter_step : public step
{
public:
    filter_step(const problem& what, const device_context& context, CUstream stream)
        : d_stream(stream),
          d_values(what.batch),
          d_n(points_for(what.n)),
          d_valid(d_n - what.n + 1),
          d_whole(std::max<std::size_t>(what.batch / d_valid, 1)),
          d_kernel(context, CHAIN_PROGRAM, "product_kernel"),
          d_response(context, memory_kind::device),
          d_spectra(context, memory_kind::device),
          d_forward(transforms(direction::forward, d_n, d_whole, d_valid), stream),
          d_forward_last(transforms(direction::forward, d_n, 1, d_n), stream),
          d_inverse(transforms(direction::inverse, d_n, d_whole + 1, d_n), stream),
          d_skipped(what.n - 1)
    {
        if (what.batch < d_valid)
            throw std::runtime_error("a chain of cuFFT needs at least " +
                                     std::to_string(d_valid) + " values, but has " +
                                     std::to_string(what.batch));
        d_spectra.reserve((d_whole + 1) * d_n * COMPLEX_BYTES);
        const std::vector<float> window = window_of(what);
        std::vector<float> taps(2 * d_n);
        for (std::size_t i = 0; i < window.size(); ++i)
            taps[what.complex_taps ? i : 2 * i] = window[i];
        upload(context, d_response, taps.data(), d_n * COMPLEX_BYTES);
        d_forward_last.queue(d_response.device(), d_response.device());
    }

    void queue(CUdeviceptr input, CUdeviceptr output) override
    {
        const CUdeviceptr last_spectrum =
            d_spectra.device() + d_whole * d_n * COMPLEX_BYTES;
        const std::size_t last = d_values - d_valid; // the first of the last segment
        d_forward.queue(input, d_spectra.device());
        d_forward_last.queue(input + last * COMPLEX_BYTES, last_spectrum);
        const std::size_t count = (d_whole + 1) * d_n;
        d_kernel.launch(std::min<std::size_t>(count, std::size_t(1) << 20),
                        d_stream,
                        d_spectra.device(),
                        d_response.device(),
                        static_cast<unsigned>(d_n),
                        static_cast<unsigned long long>(count));
        d_inverse.queue(d_spectra.device(), d_spectra.device());
        copy_valid(d_spectra.device(), output, d_whole);
        copy_valid(last_spectrum, output + last * COMPLEX_BYTES, 1);
    }

private:
    static std::size_t points_for(std::size_t taps)
    {
        std::size_t n = 1;
        while (n < POINTS_PER_TAP * taps)
            n *= 2;
        return n;
    }

    void copy_valid(CUdeviceptr from, CUdeviceptr to, std::size_t segments)
    {
        CUDA_MEMCPY2D copy = {};
        copy.srcMemoryType = copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
        copy.srcDevice = from + d_skipped * COMPLEX_BYTES;
        copy.srcPitch = d_n * COMPLEX_BYTES;
        copy.dstDevice = to;
        copy.dstPitch = copy.WidthInBytes = d_valid * COMPLEX_BYTES;
        copy.Height = segments;
        GPUFFT_CUDA(cuMemcpy2DAsync(&copy, d_stream));
    }

    const CUstream d_stream;
    const std::size_t d_values; // of the output
    const std::size_t d_n;      // points of a transform
    const std::size_t d_valid;  // values of each
    const std::size_t d_whole;  // segments that lie apart; one more ends with the output
    const chain_kernel d_kernel;
    memory_buffer d_response, d_spectra;
    cufft_peer d_forward, d_forward_last, d_inverse;
    const std::size_t d_skipped; // values of a segment that are not valid
};

class cufft_chain::correlation_step : public step
{
public:
    correlation_step(const problem& what, const device_context& context, CUstream stream)
        : d_bank(what, context, stream)
    {
    }
    void queue(CUdeviceptr input, CUdeviceptr output) override
    {
        d_bank.queue(input, output);
    }

private:
    cufft_correlation d_bank;
};

cufft_chain::cufft_chain(const problem& what,
                         const device_context& context,
                         CUstream stream)
{
    if (what.is_correlation())
        d_step.reset(new correlation_step(what, context, stream));
    else if (what.kind == transform_kind::filter)
        d_step.reset(new filter_step(what, context, stream));
    else
        d_step.reset(new bank_step(what, context, stream));
}

cufft_chain::~cufft_chain() = default;

void cufft_chain::queue(CUdeviceptr input, CUdeviceptr output)
{
    d_step->queue(input, output);
}

} // namespace gpufft
} // namespace gr
