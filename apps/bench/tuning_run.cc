// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tunes problem after problem.

#include "tuning_run.h"
#include "bench_engine.h"
#include <cstdio>
#include <gnuradio/gpufft/engine.h>
#include <gnuradio/gpufft/tuning.h>
#include <set>

namespace gr {
namespace gpufft {

void run_tuning(const std::vector<bench_case>& cases,
                int device,
                std::size_t candidates,
                bool shows_all)
{
    if (!query_cuda().usable)
        throw cuda_error(0, "engine cuda cannot be used here: " + query_cuda().reason);
    std::set<std::string> done;
    std::string failure;
    std::size_t failures = 0;
    for (const bench_case& each : cases) {
        const std::string name = each.what.to_string();
        if (!done.insert(name).second)
            continue;
        try {
            const std::vector<timed_recipe> timed = tune(each.what, device, candidates);
            if (shows_all)
                for (const timed_recipe& way : timed)
                    std::printf("# %s %.5f ms  %s  %s\n",
                                name.c_str(),
                                way.milliseconds,
                                way.description.c_str(),
                                way.wisdom.substr(way.wisdom.rfind('|') + 2).c_str());
            std::printf("%s\n", timed.front().wisdom.c_str());
        } catch (const std::exception& error) {
            failure = error.what();
            ++failures;
            std::printf("# %s failed: %s\n", name.c_str(), error.what());
        }
        std::fflush(stdout);
    }
    std::printf("# %zu problems measured, %zu failed; wisdom is in %s\n",
                done.size(),
                failures,
                cache_directory().c_str());
    if (failures > 0)
        throw std::runtime_error(std::to_string(failures) + " of " +
                                 std::to_string(done.size()) +
                                 " problems failed, last of all: " + failure);
}

} // namespace gpufft
} // namespace gr
