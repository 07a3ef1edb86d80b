// SPDX-License-Identifier: GPL-3.0-or-later
//
// The kernels around cuFFT in a bank of correlators.

#include "cufft_correlation.h"
#include "engine/cuda/program_runner.h"
#include "planner/filters/correlation.h"
#include "problem/problem_axes.h"
#include "reference.h"
#include <algorithm>

namespace gr {
namespace gpufft {

namespace {

const char* const CORRELATION_PROGRAM = R"(
struct complex { float re, im; };
struct peak { float power, sum; int delay, unused; };

__device__ complex times(complex a, complex b)
{
    return { a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re };
}

// Line (block, fraction) is the block's n samples, turned.
__global__ void mix_kernel(const complex* __restrict__ samples,
                           const complex* __restrict__ turns,
                           complex* __restrict__ lines,
                           unsigned n,
                           unsigned hop,
                           unsigned blocks,
                           unsigned fractions,
                           unsigned long long count)
{
    const unsigned long long i = 1ull * blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count)
        return;
    const unsigned m = i % n, fraction = i / n % fractions;
    const unsigned long long block = i / n / fractions;
    lines[i] = times(samples[block / blocks * hop + block % blocks * n + m],
                     turns[fraction * n + m]);
}

// The products of cells first ..., each with all blocks. places: (fraction, bin) of a shift.
__global__ void multiply_kernel(const complex* __restrict__ spectra,
                                const complex* __restrict__ responses,
                                const int2* __restrict__ places,
                                complex* __restrict__ products,
                                unsigned n,
                                unsigned blocks,
                                unsigned fractions,
                                unsigned templates,
                                unsigned shifts,
                                unsigned long long first,
                                unsigned long long count)
{
    const unsigned long long i = 1ull * blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count)
        return;
    const unsigned k = i % n, block = i / n % blocks;
    const unsigned long long cell = first + i / n / blocks, pair = cell / shifts;
    const int2 place = places[cell % shifts];
    const unsigned bin = k + place.y < n ? k + place.y : k + place.y - n;
    const unsigned long long line =
        (pair / templates * blocks + block) * fractions + place.x;
    products[i] = times(spectra[line * n + bin], responses[pair % templates * n + k]);
}

__device__ peak larger(peak a, peak b)
{
    const bool second = b.power > a.power || (b.power == a.power && b.delay < a.delay);
    peak result = second ? b : a;
    result.sum = a.sum + b.sum;
    return result;
}

__device__ peak larger_of_block(peak own)
{
    __shared__ peak all[256];
    all[threadIdx.x] = own;
    for (unsigned left = 128; left > 0; left /= 2) {
        __syncthreads();
        if (threadIdx.x < left)
            all[threadIdx.x] = larger(all[threadIdx.x], all[threadIdx.x + left]);
    }
    __syncthreads();
    return all[0];
}

// A block for each cell.
__global__ void detect_kernel(const complex* __restrict__ correlations,
                              peak* __restrict__ peaks,
                              unsigned n,
                              unsigned blocks,
                              unsigned delays)
{
    const complex* own = correlations + 1ull * blockIdx.x * blocks * n;
    peak found = { -1, 0, 0, 0 };
    for (unsigned u = threadIdx.x; u < delays; u += blockDim.x) {
        float power = 0;
        for (unsigned block = 0; block < blocks; ++block) {
            const complex x = own[1ull * block * n + u];
            power += x.re * x.re + x.im * x.im;
        }
        found = larger(found, { power, power, int(u), 0 });
    }
    found = larger_of_block(found);
    if (threadIdx.x == 0)
        peaks[blockIdx.x] = found;
}

// A block for each template of each frame.
__global__ void choose_kernel(const peak* __restrict__ peaks,
                              float* __restrict__ rows,
                              unsigned templates,
                              unsigned shifts,
                              float powers)
{
    const peak* own = peaks + 1ull * blockIdx.x * shifts;
    peak found = { -1, 0, 0, 0 };
    for (unsigned d = threadIdx.x; d < shifts; d += blockDim.x)
        found = larger(found, { own[d].power, own[d].sum, int(d), 0 });
    found = larger_of_block(found);
    if (threadIdx.x > 0)
        return;
    float* row = rows + 5ull * blockIdx.x;
    row[0] = blockIdx.x % templates;
    row[1] = found.delay;
    row[2] = own[found.delay].delay;
    row[3] = found.power * powers / found.sum;
    row[4] = found.power;
}
)";

constexpr std::size_t COMPLEX_BYTES = 8, PEAK_BYTES = 16;
constexpr std::size_t GROUP_BYTES = std::size_t(32) << 20; // of products

problem transforms(direction dir, std::size_t n, std::size_t count)
{
    problem what;
    what.dir = dir;
    what.n = n;
    what.batch = count;
    return what;
}

std::size_t templates_of(const problem& what)
{
    return std::max<std::size_t>(what.bins, 1);
}

template <class Values>
void upload_floats(const device_context& context,
                   memory_buffer& buffer,
                   const Values& values)
{
    std::vector<std::complex<float>> rounded;
    for (const auto& value : values)
        rounded.emplace_back(float(value.real()), float(value.imag()));
    upload(context, buffer, rounded.data(), rounded.size() * COMPLEX_BYTES);
}

} // namespace

bool correlation_chain_takes(const problem& what)
{
    return what.is_correlation() && what.input == sample_format::cf32 && what.taps == 1 &&
           what.peaks == peak_rows::templates && what.scale == 1;
}

cufft_correlation::cufft_correlation(const problem& what,
                                     const device_context& context,
                                     CUstream stream)
    : d_what(what),
      d_stream(stream),
      d_templates(templates_of(what)),
      d_fractions(shift_places(what).fractions.size()),
      d_cells(what.batch * d_templates * what.shifts),
      d_group(std::clamp(GROUP_BYTES / (what.blocks * what.n * COMPLEX_BYTES),
                         std::size_t(1),
                         d_cells)),
      d_mix(context, CORRELATION_PROGRAM, "mix_kernel"),
      d_multiply(context, CORRELATION_PROGRAM, "multiply_kernel"),
      d_detect(context, CORRELATION_PROGRAM, "detect_kernel"),
      d_choose(context, CORRELATION_PROGRAM, "choose_kernel"),
      d_turns(context, memory_kind::device),
      d_responses(context, memory_kind::device),
      d_places(context, memory_kind::device),
      d_spectra(context, memory_kind::device),
      d_products(context, memory_kind::device),
      d_peaks(context, memory_kind::device),
      d_forward(
          transforms(direction::forward, what.n, what.batch * what.blocks * d_fractions),
          stream),
      d_inverse(transforms(direction::inverse, what.n, d_group * what.blocks), stream)
{
    if (const std::size_t rest = d_cells % d_group; rest > 0)
        d_inverse_last.emplace(transforms(direction::inverse, what.n, rest * what.blocks),
                               stream);
    const shift_places shifts(what);
    const std::vector<float> window = window_of(what);
    upload_floats(context, d_turns, shifts.turns(what));
    upload_floats(context,
                  d_responses,
                  template_spectra(what, what.n, { window.begin(), window.end() }));
    std::vector<int> places(2 * what.shifts);
    for (const shift_places::place& each : shifts.places) {
        places[2 * each.shift] = static_cast<int>(each.fraction);
        places[2 * each.shift + 1] = static_cast<int>(each.bin);
    }
    upload(context, d_places, places.data(), places.size() * sizeof(int));
    d_spectra.reserve(what.batch * what.blocks * d_fractions * what.n * COMPLEX_BYTES);
    d_products.reserve(d_group * what.blocks * what.n * COMPLEX_BYTES);
    d_peaks.reserve(d_cells * PEAK_BYTES);
}

void cufft_correlation::queue(CUdeviceptr input, CUdeviceptr output)
{
    const auto n = static_cast<unsigned>(d_what.n),
               blocks = static_cast<unsigned>(d_what.blocks),
               fractions = static_cast<unsigned>(d_fractions),
               templates = static_cast<unsigned>(d_templates),
               shifts = static_cast<unsigned>(d_what.shifts),
               delays = static_cast<unsigned>(delays_of(d_what));
    const std::size_t samples = d_what.batch * d_what.blocks * d_fractions * d_what.n;
    d_mix.launch(samples,
                 d_stream,
                 input,
                 d_turns.device(),
                 d_spectra.device(),
                 n,
                 static_cast<unsigned>(d_what.effective_hop()),
                 blocks,
                 fractions,
                 static_cast<unsigned long long>(samples));
    d_forward.queue(d_spectra.device(), d_spectra.device());
    for (std::size_t first = 0; first < d_cells; first += d_group) {
        const std::size_t cells = std::min(d_group, d_cells - first);
        const std::size_t points = cells * d_what.blocks * d_what.n;
        d_multiply.launch(points,
                          d_stream,
                          d_spectra.device(),
                          d_responses.device(),
                          d_places.device(),
                          d_products.device(),
                          n,
                          blocks,
                          fractions,
                          templates,
                          shifts,
                          static_cast<unsigned long long>(first),
                          static_cast<unsigned long long>(points));
        cufft_peer& inverse = cells == d_group ? d_inverse : *d_inverse_last;
        inverse.queue(d_products.device(), d_products.device());
        d_detect.launch(cells * chain_kernel::THREADS,
                        d_stream,
                        d_products.device(),
                        d_peaks.device() + first * PEAK_BYTES,
                        n,
                        blocks,
                        delays);
    }
    d_choose.launch(d_what.batch * d_templates * chain_kernel::THREADS,
                    d_stream,
                    d_peaks.device(),
                    output,
                    templates,
                    shifts,
                    static_cast<float>(d_what.shifts) * static_cast<float>(delays));
}

} // namespace gpufft
} // namespace gr
