// SPDX-License-Identifier: GPL-3.0-or-later
//
// Phases as integers in units of 2^-128 turns: whole turns overflow and vanish, so m^2
// may be arbitrarily large.

#include "zoom_chirp.h"

#include <cmath>
#include <cstdint>

namespace gr {
namespace gpufft {

namespace {

typedef std::complex<long double> complex;
__extension__ typedef unsigned __int128 phase;

const long double PI = std::acos(-1.0L);

phase phase_of(long double turns)
{
    const long double high = std::ldexp(std::fmod(std::abs(turns), 1.0L), 64);
    const long double low = std::ldexp(high - std::floor(high), 64);
    const phase result =
        phase(static_cast<std::uint64_t>(high)) << 64 | static_cast<std::uint64_t>(low);
    return turns < 0 ? -result : result;
}

// exp(-j of the phase)
complex unit(phase of)
{
    const auto high = static_cast<std::int64_t>(of >> 64); // -1/2 ... 1/2 turn
    const long double angle = -2 * PI * std::ldexp(static_cast<long double>(high), -64);
    return { std::cos(angle), std::sin(angle) };
}

} // namespace

std::vector<complex> zoom_chirp(const problem& what, std::size_t count)
{
    const long double band = static_cast<long double>(what.f_stop) - what.f_start;
    const phase half_step =
        phase_of(band / (2 * static_cast<long double>(what.row_bins())));
    std::vector<complex> chirp;
    for (std::size_t m = 0; m < count; ++m)
        chirp.push_back(unit(half_step * m * m));
    return chirp;
}

std::vector<complex> zoom_carrier(const problem& what)
{
    const phase step = phase_of(what.f_start);
    std::vector<complex> carrier;
    for (std::size_t m = 0; m < what.n; ++m)
        carrier.push_back(unit(step * m));
    return carrier;
}

} // namespace gpufft
} // namespace gr
