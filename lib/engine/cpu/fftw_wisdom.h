// SPDX-License-Identifier: GPL-3.0-or-later
//
// FFTW's wisdom (measured plans), a text for each problem, kept from run to run in
// cache_directory(): fftwf_wisdom in single precision, fftw_wisdom in double. A file that
// is missing, damaged or not writable is no error: plans are then measured again.
//
// FFTW itself keeps the wisdom of all problems together and takes from it what is best:
// what a later problem adds may change the plan of an earlier one, and so its rounding.
// With a text of its own a problem keeps its plan.

#ifndef INCLUDED_GPUFFT_FFTW_WISDOM_H
#define INCLUDED_GPUFFT_FFTW_WISDOM_H

#include <string>

namespace gr {
namespace gpufft {

class planner_lock;

// While an object lives, FFTW has no wisdom of precision T but what use_wisdom() gives
// it, and plans for one thread. Then it has its former wisdom and threads again.
template <class T>
class wisdom_apart
{
public:
    explicit wisdom_apart(const planner_lock&);
    ~wisdom_apart();
    wisdom_apart(const wisdom_apart&) = delete;
    wisdom_apart& operator=(const wisdom_apart&) = delete;

    const std::string& others() const { return d_others; }

private:
    std::string d_others;
    int d_threads;
};

// FFTW's wisdom of precision T is this text. False if FFTW does not understand it.
template <class T>
bool use_wisdom(const wisdom_apart<T>&, const std::string& text);

// The text for a problem: what prefer_fftw_wisdom() was given, or what this process
// knows, or what the file has. "" if nobody has measured it with FFTW's solvers of this
// process.
template <class T>
std::string find_wisdom(const wisdom_apart<T>&, const std::string& problem);

// Keeps FFTW's wisdom as the problem's text, and returns it. If another process has kept
// a text meanwhile, that one stays and is returned, unless it is `unusable`.
template <class T>
std::string keep_wisdom(const wisdom_apart<T>&,
                        const std::string& problem,
                        const std::string& unusable);

} // namespace gpufft
} // namespace gr

#endif
