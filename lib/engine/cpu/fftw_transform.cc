// SPDX-License-Identifier: GPL-3.0-or-later
//
// Making, executing and destroying FFTW plans under the planner's lock.

#include "fftw_transform.h"
#include "aligned_buffer.h"
#include "fftw_wisdom.h"

#include <atomic>
#include <fftw3.h>
#include <stdexcept>

namespace gr {
namespace gpufft {

namespace {

typedef fftw_transform::complex complex;

// Slow machines: past this FFTW stops measuring and estimates what is left.
constexpr double MEASURE_SECONDS = 20.0;

std::mutex s_own_mutex;
std::atomic<std::mutex*> s_shared_mutex{ nullptr };
thread_local int s_quick = 0; // how many quick_planning live

// FFTW's limit is one for the process: set while this lives, under the planner's lock.
struct measuring_limit {
    measuring_limit() { fftwf_set_timelimit(MEASURE_SECONDS); }
    ~measuring_limit() { fftwf_set_timelimit(FFTW_NO_TIMELIMIT); }
};

fftwf_complex* fftw_pointer(const complex* pointer)
{
    return reinterpret_cast<fftwf_complex*>(const_cast<complex*>(pointer));
}

fftwf_plan plan_with(int n, int howmany, direction dir, unsigned flags)
{
    const std::size_t points = static_cast<std::size_t>(n) * howmany;
    const aligned_buffer<complex> in(points), out(points); // measuring overwrites them
    return fftwf_plan_many_dft(1,
                               &n,
                               howmany,
                               fftw_pointer(in.data()),
                               nullptr,
                               1,
                               n,
                               fftw_pointer(out.data()),
                               nullptr,
                               1,
                               n,
                               dir == direction::forward ? FFTW_FORWARD : FFTW_BACKWARD,
                               flags | FFTW_PRESERVE_INPUT);
}

} // namespace

void share_planner_mutex(std::mutex& mutex) { s_shared_mutex = &mutex; }

planner_lock::planner_lock() : d_own(s_own_mutex)
{
    if (std::mutex* shared = s_shared_mutex)
        d_shared = std::unique_lock<std::mutex>(*shared);
#ifdef GPUFFT_HAVE_FFTW_FLOAT_THREADS
    static const bool thread_safe = (fftwf_make_planner_thread_safe(), true);
    (void)thread_safe;
#endif
}

quick_planning::quick_planning() { ++s_quick; }
quick_planning::~quick_planning() { --s_quick; }

fftw_transform::fftw_transform(std::size_t n, std::size_t howmany, direction dir)
{
    const planner_lock lock;
    load_wisdom(lock);
    d_plan.reset(plan_with(n, howmany, dir, FFTW_MEASURE | FFTW_WISDOM_ONLY));
    if (!d_plan && n <= (s_quick > 0 ? LONGEST_MEASURED_QUICKLY : LONGEST_MEASURED)) {
        const measuring_limit limit;
        d_plan.reset(plan_with(n, howmany, dir, FFTW_MEASURE));
        save_wisdom(lock);
    }
    if (!d_plan)
        d_plan.reset(plan_with(n, howmany, dir, FFTW_ESTIMATE));
    if (!d_plan)
        throw std::runtime_error("FFTW makes no plan for " + std::to_string(howmany) +
                                 " transforms of FFT size " + std::to_string(n));
}

void fftw_transform::deleter::operator()(fftwf_plan_s* plan) const
{
    const planner_lock lock;
    fftwf_destroy_plan(plan);
}

void fftw_transform::execute(const complex* input, complex* output) const
{
    fftwf_execute_dft(d_plan.get(), fftw_pointer(input), fftw_pointer(output));
}

bool fftw_transform::is_aligned(const void* pointer)
{
    float* address = static_cast<float*>(const_cast<void*>(pointer));
    return fftwf_alignment_of(address) == 0;
}

} // namespace gpufft
} // namespace gr
