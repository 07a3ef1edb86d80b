// SPDX-License-Identifier: GPL-3.0-or-later
//
// The cache of compiled kernels: what goes in comes out, and whatever is wrong with it,
// or may have been put there by others, reads as "not there".

#include "engine/cache_file.h"
#include "engine/cuda/kernel_cache.h"
#ifdef GPUFFT_HAVE_CUDA
#include "engine/cuda/nvrtc.h"
#endif
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gnuradio/gpufft/engine.h>
#include <gtest/gtest.h>
#include <iterator>
#include <optional>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace fs = std::filesystem;
using namespace gr::gpufft;

namespace {

// A variable of the environment, as before at the end.
class variable
{
public:
    variable(const char* name, const std::string& value) : d_name(name)
    {
        if (const char* now = std::getenv(name))
            d_before = now;
        setenv(name, value.c_str(), 1);
    }
    ~variable()
    {
        if (d_before)
            setenv(d_name, d_before->c_str(), 1);
        else
            unsetenv(d_name);
    }
    variable(const variable&) = delete;
    variable& operator=(const variable&) = delete;

private:
    const char* d_name;
    std::optional<std::string> d_before;
};

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
        chmod(path.c_str(), 0600); // whatever the umask
    }
    static std::string key_of(const std::string& version, int kernel)
    {
        return "gpufft " + version + "\nsources 1\nkernel " + std::to_string(kernel);
    }
    // As if the file had last been used some seconds ago.
    static void use(const std::string& path, int seconds)
    {
        fs::last_write_time(
            path, fs::file_time_type::clock::now() - std::chrono::seconds(seconds));
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

TEST_F(KernelCache, IsForItsUserAlone)
{
    const mode_t before = umask(0);
    kernel_cache(d_directory / "above" / "kernels").store(d_key, d_kernel);
    umask(before);
    const std::string file = kernel_cache(d_directory / "above" / "kernels").path(d_key);
    for (const fs::path& folder :
         { d_directory, d_directory / "above", d_directory / "above" / "kernels" })
        EXPECT_EQ(fs::status(folder).permissions(), fs::perms::owner_all) << folder;
    EXPECT_EQ(fs::status(file).permissions(),
              fs::perms::owner_read | fs::perms::owner_write);
}

TEST_F(KernelCache, FoldersAndFilesThatOthersMayWriteAreNotUsed)
{
    const kernel_cache cache(d_directory);
    cache.store(d_key, d_kernel);
    for (const fs::path& writable : { d_directory, fs::path(cache.path(d_key)) })
        for (const fs::perms others :
             { fs::perms::group_write, fs::perms::others_write }) {
            ASSERT_TRUE(cache.load(d_key));
            fs::permissions(writable, others, fs::perm_options::add);
            EXPECT_FALSE(cache.load(d_key)) << writable;
            fs::permissions(writable, others, fs::perm_options::remove);
        }
    fs::permissions(d_directory, fs::perms::group_write, fs::perm_options::add);
    cache.store("other", d_kernel);
    EXPECT_FALSE(fs::exists(cache.path("other")));

    const variable directory("GPUFFT_CACHE_DIR", d_directory);
    EXPECT_EQ(query_cache().reason,
              "the cache " + d_directory.string() +
                  " is not used: others may write it (mode 0720)");
    EXPECT_EQ(cache_directory(), "");
    EXPECT_EQ(cache_path("wisdom.txt"), "");
    clear_cache();
    EXPECT_TRUE(fs::exists(cache.path(d_key)));
}

TEST_F(KernelCache, FoldersAndFilesOfAnotherUserAreNotUsed)
{
    if (geteuid() != 0)
        GTEST_SKIP() << "only root can give files away";
    const kernel_cache cache(d_directory);
    cache.store(d_key, d_kernel);
    for (const fs::path& given : { d_directory, fs::path(cache.path(d_key)) }) {
        ASSERT_TRUE(cache.load(d_key));
        ASSERT_EQ(chown(given.c_str(), 1234, 1234), 0);
        EXPECT_FALSE(cache.load(d_key)) << given;
        ASSERT_EQ(chown(given.c_str(), 0, 0), 0);
    }
}

TEST_F(KernelCache, PipesAndFoldersInTheWayAreNotReadAndReplaced)
{
    const kernel_cache cache(d_directory);
    cache.store(d_key, d_kernel);
    fs::remove(cache.path(d_key));
    ASSERT_EQ(mkfifo(cache.path(d_key).c_str(), 0600), 0);
    EXPECT_FALSE(cache.load(d_key)); // at once
    cache.store(d_key, d_kernel);
    EXPECT_TRUE(cache.load(d_key));
    fs::remove(cache.path(d_key));
    fs::create_directory(cache.path(d_key));
    cache.store(d_key, d_kernel);
    EXPECT_FALSE(cache.load(d_key));
    for (const auto& file : fs::directory_iterator(d_directory))
        EXPECT_EQ(file.path().extension(), ".kernel") << "left behind: " << file.path();
}

TEST_F(KernelCache, RelativePathsAreIgnored)
{
    const variable home("XDG_CACHE_HOME", "/somewhere");
    {
        const variable directory("GPUFFT_CACHE_DIR", "here");
        testing::internal::CaptureStderr();
        EXPECT_EQ(cache_directory(), "/somewhere/gpufft");
        EXPECT_EQ(cache_directory(), "/somewhere/gpufft"); // told once
        EXPECT_EQ(testing::internal::GetCapturedStderr(),
                  "gpufft: GPUFFT_CACHE_DIR is \"here\", which is no absolute path, and "
                  "is ignored\n");
    }
    const variable directory("GPUFFT_CACHE_DIR", "/here");
    EXPECT_EQ(cache_directory(), "/here");
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

// A program with another user's rights takes nothing from its caller's environment.
TEST_F(KernelCache, EnvironmentOfCallersWithLessRightsIsIgnored)
{
    if (geteuid() != 0)
        GTEST_SKIP() << "only root can make such a program";
    kernel_cache(d_directory).store(d_key, d_kernel); // makes the folder
    const fs::path program = d_directory / "program";
    fs::copy_file("/proc/self/exe", program);
    fs::permissions(d_directory, fs::perms(0755));
    ASSERT_EQ(chown(program.c_str(), 1234, 1234), 0);
    fs::permissions(program, fs::perms(04755));
    const variable directory("GPUFFT_CACHE_DIR", "/planted");
    const variable home("XDG_CACHE_HOME", "/planted");
    const variable cuda("CUDA_HOME", "/planted");
    const std::string command = program.string() + " --gtest_filter=SetUserId.Says 2>&1";
    FILE* const child = popen(command.c_str(), "r");
    std::string said;
    for (char line[4096]; std::fgets(line, sizeof(line), child) != nullptr;)
        said += line;
    pclose(child);
    if (said.find("effective user 1234") == std::string::npos)
        GTEST_SKIP() << "programs in " << d_directory
                     << " do not get their owner's rights";
    EXPECT_EQ(said.find("planted"), std::string::npos) << said;
}

// Run by the test above; alone it tells what everybody may know.
TEST(SetUserId, Says)
{
    std::printf(
        "effective user %u, cache \"%s\"\n", geteuid(), cache_directory().c_str());
#ifdef GPUFFT_HAVE_CUDA
    for (const std::string& name : nvrtc_candidates(13000))
        std::printf("%s\n", name.c_str());
#endif
}
