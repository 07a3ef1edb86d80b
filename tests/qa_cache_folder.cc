// SPDX-License-Identifier: GPL-3.0-or-later
//
// Caches are their user's alone: what others may have put there reads as "not there".

#include "cache_test.h"
#ifdef GPUFFT_HAVE_CUDA
#include "engine/cuda/nvrtc.h"
#endif
#include <cstdio>
#include <gnuradio/gpufft/engine.h>
#include <sys/wait.h>

using namespace gr::gpufft;

typedef CacheTest CacheFolder;

TEST_F(CacheFolder, IsForItsUserAlone)
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

TEST_F(CacheFolder, FoldersAndFilesThatOthersMayWriteAreNotUsed)
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

TEST_F(CacheFolder, FoldersAndFilesOfAnotherUserAreNotUsed)
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

TEST_F(CacheFolder, PipesAndFoldersInTheWayAreNotReadAndReplaced)
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

TEST_F(CacheFolder, RelativePathsAreIgnored)
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

// A program with another user's rights takes nothing from its caller's environment.
TEST_F(CacheFolder, EnvironmentOfCallersWithLessRightsIsIgnored)
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
