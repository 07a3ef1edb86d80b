// SPDX-License-Identifier: GPL-3.0-or-later
//
// One set of handlers around fork() locks all mutexes from the outermost inwards.

#include "forks.h"

#include <array>
#include <atomic>
#include <pthread.h>

namespace gr {
namespace gpufft {

namespace {

constexpr std::size_t COUNT = static_cast<std::size_t>(process_mutex::said_lines) + 1;

std::array<std::atomic<std::mutex*>, COUNT> s_mutexes{};
std::atomic<unsigned> s_forks{ 0 };

std::mutex s_forking; // one thread at a time; guards s_held
std::array<std::mutex*, COUNT> s_held{};

void before_fork()
{
    s_forking.lock();
    for (std::size_t i = 0; i < COUNT; ++i) {
        s_held[i] = s_mutexes[i];
        if (s_held[i])
            s_held[i]->lock();
    }
}

void after_fork()
{
    for (std::size_t i = COUNT; i-- > 0;)
        if (s_held[i])
            s_held[i]->unlock();
    s_forking.unlock();
}

void after_fork_in_child()
{
    ++s_forks;
    after_fork();
}

} // namespace

std::mutex& free_at_forks(process_mutex which, std::mutex& mutex)
{
    static const int registered =
        pthread_atfork(before_fork, after_fork, after_fork_in_child);
    (void)registered;
    s_mutexes[static_cast<std::size_t>(which)] = &mutex;
    return mutex;
}

unsigned fork_count() { return s_forks; }

} // namespace gpufft
} // namespace gr
