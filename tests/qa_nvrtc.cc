// SPDX-License-Identifier: GPL-3.0-or-later
//
// NVRTC: what it is asked, what its errors say, and that it compiles every kernel that
// tests run on the host engine, where g++ compiled it: what only one of the two compilers
// takes is found without a card.

#include "engine/cuda/driver.h"
#include "engine/cuda/kernel.h"
#include "engine/cuda/nvrtc.h"
#include "host_case_lists.h"
#include "host_common_kernels.h"
#include "host_kernel_writer.h"
#include "planner/planner.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <gnuradio/gpufft/engine.h>
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

class Nvrtc : public testing::Test
{
protected:
    void SetUp() override
    {
        if (!find_nvrtc().reason.empty())
            GTEST_SKIP() << find_nvrtc().reason;
    }
};

} // namespace

#ifdef GPUFFT_HAVE_CUDA

// NVRTC in a folder where the loader does not search finds them no other way. First,
// before NVRTC itself asks for them.
TEST_F(Nvrtc, ItsBuiltinsAreLoadedWithIt)
{
    const std::string name =
        "libnvrtc-builtins.so." + cuda_version_string(find_nvrtc().version);
    void* const loaded = dlopen(name.c_str(), RTLD_LAZY | RTLD_NOLOAD);
    EXPECT_NE(loaded, nullptr) << name;
    if (loaded != nullptr)
        dlclose(loaded);
}

TEST_F(Nvrtc, CompilesWhatTheHostEngineRuns)
{
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

TEST_F(Nvrtc, ErrorsShowTheCompilersMessage)
{
    try {
        compile_kernel("stockham/stockham.cuh", "no_such_kernel<1>", 90);
        FAIL() << "compiled a kernel that does not exist";
    } catch (const cuda_error& error) {
        EXPECT_NE(std::string(error.what()).find("no_such_kernel"), std::string::npos)
            << error.what();
    }
}

TEST_F(Nvrtc, OptionsFollowTheArchitecture)
{
    nvrtc_library library;
    library.version = 12040;
    library.architectures = { 50, 80, 90 };
    EXPECT_EQ(architecture_option(library, 90), "--gpu-architecture=sm_90");
    EXPECT_EQ(architecture_option(library, 120), "--gpu-architecture=compute_90");
    EXPECT_EQ(architecture_option(library, 86), "--gpu-architecture=compute_80");
    try {
        architecture_option(library, 35);
        FAIL() << "took a card that NVRTC does not know";
    } catch (const cuda_error& error) {
        EXPECT_NE(std::string(error.what()).find("sm_35"), std::string::npos)
            << error.what();
    }
}

TEST_F(Nvrtc, NewerCardsGetTheNewestIntermediateCode)
{
    const kernel_instance instance =
        average_kernel(problem::from_string("c2c_forward_n64_b1_power"));
    const kernel_image image =
        compile_kernel(instance.header, instance.expression(), 999);
    EXPECT_NE(image.code.find(".target sm_"), std::string::npos);
    EXPECT_NE(image.code.find(".entry " + image.name), std::string::npos);
    EXPECT_EQ(image.code.back(), '\0');
}

TEST_F(Nvrtc, CompilerMustNotBeNewerThanTheDriver)
{
    EXPECT_TRUE(nvrtc_fits(13000, 13000));
    EXPECT_TRUE(nvrtc_fits(12040, 12090)); // one major version is compatible
    EXPECT_TRUE(nvrtc_fits(13000, 12040));
    EXPECT_FALSE(nvrtc_fits(12040, 13000));
    EXPECT_TRUE(nvrtc_fits(0, 13000)); // no driver
    const std::vector<std::string> candidates = nvrtc_candidates(14000);
    EXPECT_EQ(candidates.front(), "libnvrtc.so.14");
    EXPECT_NE(std::find(candidates.begin(), candidates.end(), "libnvrtc.so.12"),
              candidates.end());
}

TEST(NvrtcCandidates, HoldWhatPipInstalls)
{
    namespace fs = std::filesystem;
    const fs::path prefix = fs::path(testing::TempDir()) / "gpufft_pip [a]{b,c}*";
    const std::string packages = "lib/python3.11/site-packages/nvidia";
    const char* const before = std::getenv("VIRTUAL_ENV");
    const std::string kept = before != nullptr ? before : "";
    setenv("VIRTUAL_ENV", prefix.c_str(), 1);
    for (const char* folder : { "cu13/lib", "cuda_nvrtc/lib" }) {
        const fs::path place = prefix / packages / folder;
        const std::string name = (place / "libnvrtc.so.13").string();
        const auto holds = [&] {
            const std::vector<std::string> all = nvrtc_candidates(13000);
            return std::count(all.begin(), all.end(), name) == 1;
        };
        EXPECT_FALSE(holds()) << name;
        fs::create_directories(place);
        EXPECT_TRUE(holds()) << name;
    }
    fs::remove_all(prefix);
    if (before != nullptr)
        setenv("VIRTUAL_ENV", kept.c_str(), 1);
    else
        unsetenv("VIRTUAL_ENV");
}

TEST_F(Nvrtc, KernelsAreCachedUnderAllTheyDependOn)
{
    const problem what = problem::from_string("c2c_forward_n64_b1");
    const kernel_instance instance =
        build_program(what, make_recipe(what)).steps.front().kernel;
    const std::string key = kernel_key(instance, 90);
    for (const std::string& part : { instance.expression(),
                                     version(),
                                     cuda_version_string(nvrtc().version),
                                     std::string("sm_90"),
                                     std::string("--std=c++17") })
        EXPECT_NE(key.find(part), std::string::npos) << part << " is not in " << key;
    EXPECT_NE(key, kernel_key(instance, 80));

    const kernel_image built = build_kernel(instance, 90);
    const auto cached = kernel_cache(cache_directory() + "/kernels").load(key);
    ASSERT_TRUE(cached);
    EXPECT_EQ(cached->code, built.code);
    EXPECT_EQ(build_kernel(instance, 90).code, built.code);
}

TEST(CudaQuery, SaysWhatIsThere)
{
    const cuda_status& status = query_cuda();
    EXPECT_TRUE(status.built);
    EXPECT_EQ(status.usable, status.reason.empty()) << status.reason;
    EXPECT_EQ(status.usable, status.usable && !status.devices.empty());
    if (find_driver().reason.empty())
        EXPECT_FALSE(status.driver.empty());
    else
        EXPECT_EQ(status.reason, find_driver().reason);
}

TEST(CudaQuery, CallsWithoutADriverSayWhy)
{
    if (find_driver().reason.empty())
        GTEST_SKIP() << "there is a driver";
    try {
        device_context::get(0);
        FAIL() << "made a context without a driver";
    } catch (const cuda_error& error) {
        EXPECT_EQ(std::string(error.what()), find_driver().reason);
    }
}

#endif
