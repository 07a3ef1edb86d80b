// SPDX-License-Identifier: GPL-3.0-or-later
//
// Makes, executes and destroys FFTW plans.

#include "fftw_transform.h"
#include "aligned_buffer.h"
#include "engine/memory_check.h"

#include <algorithm>
#include <cstring>
#include <random>
#include <stdexcept>
#include <string>

namespace gr {
namespace gpufft {

fftw_r2r_kind r2r_kind(transform_kind kind)
{
    constexpr fftw_r2r_kind KINDS[2][4] = {
        { FFTW_REDFT00, FFTW_REDFT10, FFTW_REDFT01, FFTW_REDFT11 },
        { FFTW_RODFT00, FFTW_RODFT10, FFTW_RODFT01, FFTW_RODFT11 }
    };
    const kind_properties& properties = properties_of(kind);
    if (properties.type == 0)
        throw std::logic_error(std::string(to_string(kind)) + " has no name in FFTW");
    return KINDS[properties.is_sine][properties.type - 1];
}

namespace {

// Longest line whose real values an int counts.
constexpr std::size_t LONGEST_INT = std::size_t(1) << 29;

// Number of real values in a line.
std::size_t parts(transform_kind kind, bool is_real, std::size_t n)
{
    return is_real ? n : 2 * (kind == transform_kind::c2c ? n : n / 2 + 1);
}

template <class T>
typename fftw_library<T>::plan plan_with(transform_kind kind,
                                         direction dir,
                                         int n,
                                         int howmany,
                                         T* in,
                                         T* out,
                                         unsigned flags)
{
    typedef fftw_library<T> lib;
    auto* complex_in = reinterpret_cast<typename lib::complex*>(in);
    auto* complex_out = reinterpret_cast<typename lib::complex*>(out);
    const int half = n / 2 + 1;
    // lines are `points` and `bins` apart; `rest` depends on the kind
    const auto plan =
        [&](auto make, auto* from, int points, auto* to, int bins, auto... rest) {
            return make(1,
                        &n,
                        howmany,
                        from,
                        nullptr,
                        1,
                        points,
                        to,
                        nullptr,
                        1,
                        bins,
                        rest...,
                        flags);
        };
    switch (kind) {
    case transform_kind::c2c:
        return plan(lib::plan_dft,
                    complex_in,
                    n,
                    complex_out,
                    n,
                    dir == direction::forward ? FFTW_FORWARD : FFTW_BACKWARD);
    case transform_kind::r2c:
        return plan(lib::plan_r2c, in, n, complex_out, half);
    case transform_kind::c2r:
        return plan(lib::plan_c2r, complex_in, half, out, n);
    default:
        const fftw_r2r_kind r2r = r2r_kind(kind);
        return plan(lib::plan_r2r, in, n, out, n, &r2r);
    }
}

// One line of more points than an int counts.
template <class T>
typename fftw_library<T>::plan plan_long(transform_kind kind,
                                         direction dir,
                                         std::size_t n,
                                         T* in,
                                         T* out,
                                         unsigned flags)
{
    typedef fftw_library<T> lib;
    auto* complex_in = reinterpret_cast<typename lib::complex*>(in);
    auto* complex_out = reinterpret_cast<typename lib::complex*>(out);
    const typename lib::axis axis = { static_cast<std::ptrdiff_t>(n), 1, 1 };
    switch (kind) {
    case transform_kind::c2c:
        return lib::plan_long_dft(1,
                                  &axis,
                                  0,
                                  nullptr,
                                  complex_in,
                                  complex_out,
                                  dir == direction::forward ? FFTW_FORWARD
                                                            : FFTW_BACKWARD,
                                  flags);
    case transform_kind::r2c:
        return lib::plan_long_r2c(1, &axis, 0, nullptr, in, complex_out, flags);
    case transform_kind::c2r:
        return lib::plan_long_c2r(1, &axis, 0, nullptr, complex_in, out, flags);
    default:
        const fftw_r2r_kind r2r = r2r_kind(kind);
        return lib::plan_long_r2r(1, &axis, 0, nullptr, in, out, &r2r, flags);
    }
}

} // namespace

template <class T>
fftw_lines<T>::fftw_lines(transform_kind kind,
                          direction dir,
                          std::size_t n,
                          std::size_t howmany,
                          bool preserves_input)
    : d_kind(kind)
{
    if (chirp_lines<T>::takes(kind, n)) {
        d_chirp = std::make_unique<chirp_lines<T>>(kind, dir, n, howmany);
        return;
    }
    // measuring overwrites both
    const aligned_buffer<T> in(howmany * parts(kind, reads_real(kind), n));
    const aligned_buffer<T> out(howmany * parts(kind, stores_real(kind), n));
    // FFTW's tables and its own buffers, for which it ends the process if there is none
    check_memory("FFTW's plan for " + std::to_string(howmany) +
                     " transforms of FFT size " + std::to_string(n),
                 (in.size() + out.size()) * sizeof(T));
    const unsigned input = preserves_input ? FFTW_PRESERVE_INPUT : FFTW_DESTROY_INPUT;
    const std::string problem =
        std::string(to_string(kind)) + " " + to_string(dir) + " " + std::to_string(n) +
        " x " + std::to_string(howmany) + (preserves_input ? " preserved" : "");
    d_plan.reset(make_fftw_plan<T>(problem, n * howmany, [&](unsigned flags) {
        if (n > LONGEST_INT && howmany == 1)
            return plan_long(kind, dir, n, in.data(), out.data(), flags | input);
        return plan_with(
            kind, dir, int(n), int(howmany), in.data(), out.data(), flags | input);
    }));
    if (!d_plan)
        throw std::runtime_error("FFTW makes no plan for " + std::to_string(howmany) +
                                 " transforms " + to_string(kind) + " of FFT size " +
                                 std::to_string(n));
}

template <class T>
void fftw_lines<T>::deleter::operator()(plan what) const
{
    const planner_lock lock;
    fftw_library<T>::destroy_plan(what);
}

template <class T>
void fftw_lines<T>::execute(const void* input, void* output) const
{
    typedef fftw_library<T> lib;
    typedef typename lib::complex complex;
    if (d_chirp) {
        const aligned_buffer<T> room(d_chirp->room());
        return d_chirp->execute(input, output, room.data());
    }
    void* in = const_cast<void*>(input);
    switch (d_kind) {
    case transform_kind::c2c:
        lib::execute_dft(
            d_plan.get(), static_cast<complex*>(in), static_cast<complex*>(output));
        break;
    case transform_kind::r2c:
        lib::execute_r2c(
            d_plan.get(), static_cast<T*>(in), static_cast<complex*>(output));
        break;
    case transform_kind::c2r:
        lib::execute_c2r(
            d_plan.get(), static_cast<complex*>(in), static_cast<T*>(output));
        break;
    default:
        lib::execute_r2r(d_plan.get(), static_cast<T*>(in), static_cast<T*>(output));
    }
}

template <class T>
bool fftw_lines<T>::is_aligned(const void* pointer)
{
    return fftw_library<T>::alignment_of(static_cast<T*>(const_cast<void*>(pointer))) ==
           0;
}

// Tries FFTW's plans on noise: if two plans add in a different order, some bit differs.
template <class T>
fftw_groups<T>::fftw_groups(transform_kind kind,
                            direction dir,
                            std::size_t n,
                            std::size_t group)
    : d_group(1),
      d_single(kind, dir, n, 1)
{
    if (group == 1)
        return;
    auto grouped = std::make_unique<fftw_lines<T>>(kind, dir, n, group);
    const std::size_t points = parts(kind, reads_real(kind), n);
    const std::size_t bins = parts(kind, stores_real(kind), n);
    const aligned_buffer<T> in(group * points), out(group * bins), alone(bins);
    std::minstd_rand random;
    std::uniform_real_distribution<T> noise(-1, 1);
    for (std::size_t i = 0; i < points; ++i)
        in[i] = noise(random);
    for (std::size_t line = 1; line < group; ++line)
        std::copy_n(in.data(), points, in.data() + line * points);
    grouped->execute(in.data(), out.data());
    d_single.execute(in.data(), alone.data());
    const auto is_line = [&](const T* line) {
        return std::memcmp(out.data(), line, bins * sizeof(T)) == 0;
    };
    for (std::size_t line = 1; line < group; ++line)
        if (!is_line(out.data() + line * bins))
            return;
    d_group = group;
    d_pads = !is_line(alone.data());
    d_grouped = std::move(grouped);
}

template <class T>
std::size_t fftw_groups<T>::together(std::size_t left) const
{
    if (left >= d_group)
        return d_group;
    return d_pads ? left : 1;
}

template <class T>
void fftw_groups<T>::execute(const void* input, void* output, std::size_t lines) const
{
    if (d_grouped && (lines == d_group || d_pads))
        d_grouped->execute(input, output);
    else
        d_single.execute(input, output);
}

template class fftw_lines<float>;
template class fftw_lines<double>;
template class fftw_groups<float>;
template class fftw_groups<double>;

} // namespace gpufft
} // namespace gr
