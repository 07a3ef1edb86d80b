// SPDX-License-Identifier: GPL-3.0-or-later
//
// Describes the steps fused into load and store, for plan::describe() on every engine.

#ifndef INCLUDED_GPUFFT_STEPS_TEXT_H
#define INCLUDED_GPUFFT_STEPS_TEXT_H

#include <gnuradio/gpufft/problem.h>
#include <string>

namespace gr {
namespace gpufft {

// e.g. "load cs16 window hop(2048), store power mean(100) smooth(0.5) decibel shift"
std::string describe_steps(const problem& what);

// "load(x * gain), store(norm(x))": the expressions of a problem that has some.
std::string describe_expressions(const problem& what);

} // namespace gpufft
} // namespace gr

#endif
