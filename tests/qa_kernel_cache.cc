// SPDX-License-Identifier: GPL-3.0-or-later
//
// The cache of compiled kernels: what goes in comes out, and whatever is wrong with it
// reads as "not there".

#include "engine/cuda/kernel_cache.h"
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gnuradio/gpufft/engine.h>
#include <gtest/gtest.h>
#include <iterator>
#include <thread>
#include <unistd.h>

namespace fs = std::filesystem;
using namespace gr::gpufft;

namespace {

class KernelCache : public testing::Test
{
protected:
    void SetUp() override
    {
        const auto* test = testing::UnitTest::GetInstance()->current_test_info();
        d_directory =
            fs::temp_directory_path() / ("gpufft-cache-" + std::string(test->name()) +
                                         "-" + std::to_string(getpid()));
        fs::remove_all(d_directory);
    }
    void TearDown() override { fs::remove_all(d_directory); }

    static std::string read(const std::string& path)
    {
        std::ifstream file(path, std::ios::binary);
        return { std::istreambuf_iterator<char>(file), {} };
    }
    static void write(const std::string& path, const std::string& content)
    {
        std::ofstream(path, std::ios::binary) << content;
    }

    fs::path d_directory;
    const std::string d_key = "sources 1\nkernel stockham_kernel<8>\n";
    const kernel_image d_kernel = { "_Z6kernel",
                                    std::string("\x7f"
                                                "ELF\0code",
                                                9) };
};

} // namespace

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
    const char* before = std::getenv("GPUFFT_CACHE_DIR");
    const std::string saved = before != nullptr ? before : "";
    setenv("GPUFFT_CACHE_DIR", d_directory.c_str(), 1);
    EXPECT_EQ(query_cache().directory, d_directory.string());
    EXPECT_EQ(query_cache().kernels, 0u);
    const kernel_cache cache(d_directory.string() + "/kernels");
    cache.store("a", d_kernel);
    cache.store("b", d_kernel);
    EXPECT_EQ(query_cache().kernels, 2u);
    EXPECT_EQ(query_cache().bytes, 2 * read(cache.path("a")).size());
    if (before != nullptr)
        setenv("GPUFFT_CACHE_DIR", saved.c_str(), 1);
    else
        unsetenv("GPUFFT_CACHE_DIR");
}
