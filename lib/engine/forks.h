// SPDX-License-Identifier: GPL-3.0-or-later
//
// fork() in a process with several threads. The child has only the thread that called
// fork(): in the child a mutex that another thread held would stay locked for ever, and
// the threads of a pool do not exist. The same holds for what a function makes at its
// first call and keeps: the library's tables are made when it is loaded, all else under
// one of these mutexes.

#ifndef INCLUDED_GPUFFT_FORKS_H
#define INCLUDED_GPUFFT_FORKS_H

#include <gnuradio/gpufft/api.h>
#include <mutex>

namespace gr {
namespace gpufft {

// The mutexes that all threads share, outermost first: a thread that holds one may lock
// only later ones.
enum class process_mutex {
    streams,        // the plans of all blocks
    edges,          // between blocks
    buffers,        // of GNU Radio, registered with a driver
    history,        // of a stream's readers
    measuring,      // the break-even of two engines
    times,          // its tables
    planner,        // FFTW's
    shared_planner, // other code's mutex for FFTW's planner
    wisdom,
    cards,
    compiler, // of a driver
    compiler_of_no_driver,
    device_contexts,
    driver,
    said_lines,
};

// From now on fork() waits until no thread holds this mutex, which must not be destroyed.
// Returns it.
GPUFFT_API std::mutex& free_at_forks(process_mutex which, std::mutex& mutex);

// Number of forks from the program's start to this process: a child has more than its
// parent.
unsigned fork_count();

} // namespace gpufft
} // namespace gr

#endif
