// SPDX-License-Identifier: GPL-3.0-or-later
//
// NVRTC compiles every kernel that tests run on the host engine, where g++ compiled it:
// what only one of the two compilers takes is found without a card.

#include "engine/cuda/kernel.h"
#include "engine/cuda/nvrtc.h"
#include "host_case_lists.h"
#include "host_common_kernels.h"
#include "host_kernel_writer.h"

#include <atomic>
#include <gtest/gtest.h>
#include <mutex>
#include <thread>

using namespace gr::gpufft;

namespace {

// Without those that several lists have.
std::vector<kernel_instance> all_kernels()
{
    std::vector<kernel_instance> kernels = common_kernels();
    for (const auto& [name, cases] : HOST_CASE_LISTS)
        for (const kernel_instance& kernel : kernels_of(cases()))
            kernels.push_back(kernel);
    std::map<std::string, kernel_instance> known;
    for (const kernel_instance& kernel : kernels)
        known.emplace(kernel.expression() + (kernel.is_double ? " double" : ""), kernel);
    std::vector<kernel_instance> unique;
    for (const auto& [text, kernel] : known)
        unique.push_back(kernel);
    return unique;
}

} // namespace

#ifdef GPUFFT_HAVE_CUDA

TEST(Nvrtc, CompilesWhatTheHostEngineRuns)
{
    if (!find_nvrtc().reason.empty())
        GTEST_SKIP() << find_nvrtc().reason;
    const std::vector<kernel_instance> kernels = all_kernels();
    std::atomic<std::size_t> next{ 0 };
    std::mutex mutex;
    std::vector<std::string> faults;
    const auto work = [&] {
        for (std::size_t i = next++; i < kernels.size(); i = next++) {
            try {
                compile_kernel(kernels[i].header,
                               kernels[i].expression(),
                               90,
                               precision_options(kernels[i]));
            } catch (const std::exception& error) {
                const std::lock_guard<std::mutex> lock(mutex);
                faults.emplace_back(error.what());
            }
        }
    };
    std::vector<std::thread> threads;
    for (unsigned t = 0; t < std::max(1u, std::thread::hardware_concurrency()); ++t)
        threads.emplace_back(work);
    for (std::thread& thread : threads)
        thread.join();
    for (const std::string& fault : faults)
        ADD_FAILURE() << fault;
    EXPECT_GT(kernels.size(), 1000u);
}

#endif
