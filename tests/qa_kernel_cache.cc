// SPDX-License-Identifier: GPL-3.0-or-later
//
// The cache of compiled kernels: what goes in comes out, whatever is wrong with it reads
// as "not there", and what nobody uses goes.

#include "cache_test.h"
#include "cuda_checks.h"
#include <gnuradio/gpufft/engine.h>
#include <sys/wait.h>
#include <thread>
#include <vector>

using namespace gr::gpufft;

typedef CacheTest KernelCache;
typedef CacheTest KernelCacheGpu;

TEST_F(KernelCache, KeepsNameAndCode)
{
    const kernel_cache cache(d_directory);
    EXPECT_FALSE(cache.load(d_key));
    cache.store(d_key, d_kernel);
    const auto loaded = kernel_cache(d_directory).load(d_key);
    ASSERT_TRUE(loaded);
    EXPECT_EQ(loaded->name, d_kernel.name);
    EXPECT_EQ(loaded->code, d_kernel.code);
    EXPECT_FALSE(cache.load(d_key + " "));
}

TEST_F(KernelCache, TakesTheLatest)
{
    const kernel_cache cache(d_directory);
    cache.store(d_key, { "old", "old code, longer than the next one" });
    cache.store(d_key, d_kernel);
    EXPECT_EQ(cache.load(d_key).value().code, d_kernel.code);
}

TEST_F(KernelCache, EveryDamagedByteIsNoticed)
{
    const kernel_cache cache(d_directory);
    cache.store(d_key, d_kernel);
    const std::string good = read(cache.path(d_key));
    ASSERT_FALSE(good.empty());
    for (std::size_t i = 0; i < good.size(); ++i) {
        std::string bad = good;
        bad[i] ^= 0x10;
        write(cache.path(d_key), bad);
        EXPECT_FALSE(cache.load(d_key)) << "byte " << i;
    }
    write(cache.path(d_key), good);
    EXPECT_TRUE(cache.load(d_key));
}

TEST_F(KernelCache, EveryTruncationIsNoticed)
{
    const kernel_cache cache(d_directory);
    cache.store(d_key, d_kernel);
    const std::string good = read(cache.path(d_key));
    for (std::size_t length = 0; length < good.size(); ++length) {
        write(cache.path(d_key), good.substr(0, length));
        EXPECT_FALSE(cache.load(d_key)) << length << " bytes";
    }
    write(cache.path(d_key), good + "x");
    EXPECT_FALSE(cache.load(d_key));
}

TEST_F(KernelCache, ForeignKeyInTheFileIsNotTaken)
{
    const kernel_cache cache(d_directory);
    const std::string other = "sources 2\nkernel stockham_kernel<8>\n"; // as long
    cache.store(other, d_kernel);
    fs::rename(cache.path(other), cache.path(d_key)); // as if the hashes were equal
    EXPECT_FALSE(cache.load(d_key));
    cache.store(d_key, d_kernel); // is repaired
    EXPECT_TRUE(cache.load(d_key));
}

TEST_F(KernelCache, FoldersThatCannotBeAreNoError)
{
    write(d_directory, "a file where the folder should be");
    for (const std::string& folder : { d_directory.string(),
                                       d_directory.string() + "/kernels",
                                       std::string("/proc/gpufft"),
                                       std::string() }) {
        const kernel_cache cache(folder);
        EXPECT_NO_THROW(cache.store(d_key, d_kernel)) << folder;
        EXPECT_FALSE(cache.load(d_key)) << folder;
    }
    EXPECT_EQ(read(d_directory), "a file where the folder should be");
}

TEST_F(KernelCache, WritersAndReadersDoNotMeet)
{
    const std::string large(100000, 'c');
    std::vector<std::thread> threads;
    for (int t = 0; t < 8; ++t)
        threads.emplace_back([&, t] {
            const kernel_cache cache(d_directory);
            for (int i = 0; i < 100; ++i) {
                if (t % 2 == 0)
                    cache.store(d_key, { std::string(1 + t, 'n'), large });
                else if (const auto loaded = cache.load(d_key)) {
                    EXPECT_EQ(loaded->code, large);
                    EXPECT_EQ(loaded->name.size() % 2, 1u);
                }
            }
        });
    for (std::thread& thread : threads)
        thread.join();
    EXPECT_TRUE(kernel_cache(d_directory).load(d_key));
    for (const auto& file : fs::directory_iterator(d_directory))
        EXPECT_EQ(file.path().extension(), ".kernel") << "left behind: " << file.path();
}

TEST_F(KernelCache, IsCounted)
{
    const variable directory("GPUFFT_CACHE_DIR", d_directory);
    EXPECT_EQ(query_cache().directory, d_directory.string());
    EXPECT_EQ(query_cache().kernels, 0u);
    const kernel_cache cache(d_directory.string() + "/kernels");
    cache.store("a", d_kernel);
    cache.store("b", d_kernel);
    EXPECT_EQ(query_cache().kernels, 2u);
    EXPECT_EQ(query_cache().bytes, 2 * read(cache.path("a")).size());
    write(d_directory / "wisdom.txt", "12345");
    write(d_directory / "mine", "is none of the module's");
    EXPECT_EQ(query_cache().kernels, 2u);
    EXPECT_EQ(query_cache().bytes, 2 * read(cache.path("a")).size() + 5);
}

TEST_F(KernelCache, IsClearedOfItsFilesOnly)
{
    const variable directory("GPUFFT_CACHE_DIR", d_directory);
    kernel_cache(d_directory / "kernels").store("a", d_kernel);
    for (const char* name : { "wisdom.txt",
                              "break_even.txt.123",
                              "fftwf_wisdom",
                              "writing-0",
                              "scene_0.sigmf-data",
                              "kernels/writing-0" })
        write(d_directory / name, "ours");
    const std::vector<std::string> foreign = { "mine", "wisdom.txt.old", "kernels/mine" };
    for (const std::string& name : foreign)
        write(d_directory / name, "not ours");
    EXPECT_EQ(clear_cache().kernels, 1u);
    EXPECT_EQ(query_cache().bytes, 0u);
    std::size_t left = 0;
    for (const auto& file : fs::recursive_directory_iterator(d_directory))
        left += file.is_regular_file();
    EXPECT_EQ(left, foreign.size());
    for (const std::string& name : foreign)
        fs::remove(d_directory / name);
    clear_cache();
    EXPECT_FALSE(fs::exists(d_directory / "kernels"));
}

TEST_F(KernelCache, LeastRecentlyUsedMakeRoom)
{
    const kernel_image image = { "ab", std::string(1000, 'c') };
    const kernel_cache cache(d_directory, 4000); // room for three
    const auto old = [](int i) { return key_of("1", i); };
    for (int i : { 1, 2, 3 }) {
        cache.store(old(i), image);
        use(cache.path(old(i)), 1000 - i);
    }
    ASSERT_TRUE(cache.load(old(1))); // the oldest, used now
    cache.store(old(4), image);
    EXPECT_TRUE(cache.load(old(1)));
    EXPECT_FALSE(cache.load(old(2)));
    EXPECT_TRUE(cache.load(old(3)));
    EXPECT_TRUE(cache.load(old(4)));

    for (int i : { 1, 2, 3 }) {
        cache.store(key_of("2", i), image);
        use(cache.path(key_of("2", i)), 2000); // long before the other version's
    }
    for (int i : { 1, 3, 4 })
        EXPECT_FALSE(cache.load(old(i))) << "of another version, and " << i;
    for (int i : { 1, 2, 3 })
        EXPECT_TRUE(cache.load(key_of("2", i))) << i;
}

TEST_F(KernelCache, WhatNobodyUsesGoes)
{
    const kernel_cache cache(d_directory);
    const std::string forgotten = key_of("1", 1), used = key_of("1", 2);
    const std::string ours = key_of("2", 1);
    for (const std::string& key : { forgotten, used, ours })
        cache.store(key, d_kernel);
    const std::string unversioned = d_directory / "0123456789abcdef.kernel"; // as once
    const std::string killed = d_directory / "writing-AbCdEf";
    const std::string written = d_directory / "writing-now";
    for (const std::string& file : { unversioned, killed, written })
        write(file, "half");
    for (const std::string& file :
         { cache.path(forgotten), cache.path(ours), unversioned, killed })
        use(file, kernel_cache::MONTH + 60);
    cache.store(key_of("2", 2), d_kernel);
    EXPECT_FALSE(cache.load(forgotten));
    EXPECT_TRUE(cache.load(used));
    EXPECT_TRUE(cache.load(ours));
    EXPECT_FALSE(fs::exists(unversioned));
    EXPECT_FALSE(fs::exists(killed));
    EXPECT_TRUE(fs::exists(written));
}

// Processes that update one file at the same time lose nothing.
TEST_F(KernelCache, UpdatesOfOneFileFollowEachOther)
{
    constexpr int PROCESSES = 4, UPDATES = 25;
    const std::string file = d_directory / "lines";
    std::vector<pid_t> children;
    for (int i = 0; i < PROCESSES; ++i) {
        children.push_back(fork());
        ASSERT_GE(children.back(), 0);
        if (children.back() == 0) {
            for (int j = 0; j < UPDATES; ++j)
                update_cache_file(file, [](const std::string& now) { return now + "x"; });
            _exit(0);
        }
    }
    for (const pid_t child : children)
        waitpid(child, nullptr, 0);
    EXPECT_EQ(read_cache_file(file), std::string(PROCESSES * UPDATES, 'x'));

    write(d_directory / "writing-killed", "half");
    use(d_directory / "writing-killed", 3700);
    update_cache_file(file, [](const std::string& now) { return now; });
    EXPECT_EQ(std::distance(fs::directory_iterator(d_directory), {}), 1);
}

#ifdef GPUFFT_HAVE_CUDA
TEST_F(KernelCacheGpu, WarmPlansCompileNothing)
{
    if (!query_cuda().usable)
        GTEST_SKIP() << query_cuda().reason;
    const variable folder("GPUFFT_CACHE_DIR", d_directory.string());
    const problem what =
        problem::from_string("c2c_forward_n2048_b1_cs16_window_decibel_avg100");
    plan::make(what, ON_GPU);
    const std::size_t kernels = query_cache().kernels;
    EXPECT_GE(kernels, 3u); // direct, partial sums, averages
    plan::make(what, ON_GPU);
    EXPECT_EQ(query_cache().kernels, kernels);
}
#endif
