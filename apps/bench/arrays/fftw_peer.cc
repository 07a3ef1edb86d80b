// SPDX-License-Identifier: GPL-3.0-or-later
//
// FFTW's 64-bit interface.

#include "fftw_peer.h"
#include "engine/cpu/fftw_transform.h"
#include <memory>
#include <vector>

namespace gr {
namespace gpufft {

namespace {

// In C order without gaps. The last axis of r2c and c2r has half of the bins.
template <class T>
std::vector<typename fftw_library<T>::axis> axes_of(const problem& what)
{
    const std::vector<std::size_t> lengths = what.axes();
    std::vector<typename fftw_library<T>::axis> axes(lengths.size());
    std::ptrdiff_t in = 1, out = 1;
    for (std::size_t i = lengths.size(); i-- > 0;) {
        const std::ptrdiff_t n = static_cast<std::ptrdiff_t>(lengths[i]);
        const bool is_last = i + 1 == lengths.size();
        axes[i] = { n, in, out };
        in *= is_last && what.kind == transform_kind::c2r ? n / 2 + 1 : n;
        out *= is_last && what.kind == transform_kind::r2c ? n / 2 + 1 : n;
    }
    return axes;
}

template <class T>
std::function<void()> make_peer(const problem& what, void* input, void* output)
{
    typedef fftw_library<T> lib;
    typedef typename lib::complex complex;
    const auto axes = axes_of<T>(what);
    const int rank = static_cast<int>(axes.size());
    constexpr unsigned FLAGS = FFTW_ESTIMATE | FFTW_DESTROY_INPUT;
    T* const in = static_cast<T*>(input);
    T* const out = static_cast<T*>(output);
    complex* const complex_in = static_cast<complex*>(input);
    complex* const complex_out = static_cast<complex*>(output);
    typename lib::plan made = nullptr;
    if (what.kind == transform_kind::c2c)
        made = lib::plan_long_dft(rank,
                                  axes.data(),
                                  0,
                                  nullptr,
                                  complex_in,
                                  complex_out,
                                  what.dir == direction::forward ? FFTW_FORWARD
                                                                 : FFTW_BACKWARD,
                                  FLAGS);
    else if (what.kind == transform_kind::r2c)
        made = lib::plan_long_r2c(rank, axes.data(), 0, nullptr, in, complex_out, FLAGS);
    else if (what.kind == transform_kind::c2r)
        made = lib::plan_long_c2r(rank, axes.data(), 0, nullptr, complex_in, out, FLAGS);
    else
        made = lib::plan_long_r2r(
            rank,
            axes.data(),
            0,
            nullptr,
            in,
            out,
            std::vector<fftw_r2r_kind>(axes.size(), r2r_kind(what.kind)).data(),
            FLAGS);
    if (made == nullptr)
        return nullptr;
    const std::shared_ptr<std::remove_pointer_t<typename lib::plan>> plan(
        made, [](typename lib::plan old) { lib::destroy_plan(old); });
    return [plan, kind = what.kind, in, out, complex_in, complex_out] {
        if (kind == transform_kind::c2c)
            lib::execute_dft(plan.get(), complex_in, complex_out);
        else if (kind == transform_kind::r2c)
            lib::execute_r2c(plan.get(), in, complex_out);
        else if (kind == transform_kind::c2r)
            lib::execute_c2r(plan.get(), complex_in, out);
        else
            lib::execute_r2r(plan.get(), in, out);
    };
}

} // namespace

std::function<void()>
make_fftw_peer(const problem& what, void* input, void* output, int threads)
{
#if defined(GPUFFT_HAVE_FFTW_FLOAT_THREADS) && defined(GPUFFT_HAVE_FFTW_DOUBLE_THREADS)
    fftwf_init_threads();
    fftw_init_threads();
    fftwf_plan_with_nthreads(threads);
    fftw_plan_with_nthreads(threads);
    const auto made = what.is_double() ? make_peer<double>(what, input, output)
                                       : make_peer<float>(what, input, output);
    fftwf_plan_with_nthreads(1); // for the plans of others
    fftw_plan_with_nthreads(1);
    return made;
#else
    (void)threads;
    return what.is_double() ? make_peer<double>(what, input, output)
                            : make_peer<float>(what, input, output);
#endif
}

} // namespace gpufft
} // namespace gr
