// SPDX-License-Identifier: GPL-3.0-or-later
//
// Read from /proc: schedstat counts nanoseconds; kernels without it count ticks in stat.

#include "thread_times.h"
#include <filesystem>
#include <fstream>
#include <string>
#include <sys/syscall.h>
#include <unistd.h>

namespace gr {
namespace gpufft {

namespace {

// utime and stime follow the name in brackets, which may hold spaces: fields 14 and 15.
double seconds_by_ticks(const std::filesystem::path& task)
{
    std::ifstream file(task / "stat");
    std::string field;
    std::getline(file, field, ')');
    for (int skipped = 3; skipped < 14; ++skipped)
        file >> field;
    double user = 0, system = 0;
    file >> user >> system;
    return (user + system) / static_cast<double>(sysconf(_SC_CLK_TCK));
}

} // namespace

thread_times thread_times_now()
{
    thread_times times;
    for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) {
        const int id = std::stoi(task.path().filename().string());
        double nanoseconds = 0;
        if (std::ifstream(task.path() / "schedstat") >> nanoseconds)
            times[id] = 1e-9 * nanoseconds;
        else
            times[id] = seconds_by_ticks(task.path());
    }
    return times;
}

int this_thread_id() { return static_cast<int>(syscall(SYS_gettid)); }

} // namespace gpufft
} // namespace gr
