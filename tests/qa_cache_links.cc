// SPDX-License-Identifier: GPL-3.0-or-later
//
// What writes a cache follows no link that somebody has planted there, and no pipe makes
// it wait: neither under a file's own name nor under the name of its unfinished file,
// though a planter guesses that one each time.

#include "cache_test.h"
#include "engine/break_even_file.h"
#include "engine/cpu/fftw_wisdom.h"
#include "fftw_transform.h"
#include <cstdarg>
#include <fcntl.h>
#include <fftw3.h>
#include <functional>
#include <sys/syscall.h>

namespace {

enum class planted { nothing, link, link_to_nothing, pipe };

// What the planter puts where the library is about to make a file, and where links lead.
planted s_planted = planted::nothing;
std::string s_victim;
int s_guessed = 0;

void plant(int folder, const char* name, planted what)
{
    switch (what) {
    case planted::nothing:
        return;
    case planted::pipe:
        EXPECT_EQ(mkfifoat(folder, name, 0600), 0);
        return;
    default:
        EXPECT_EQ(symlinkat(s_victim.c_str(), folder, name), 0);
    }
}

int planting_openat(int folder, const char* name, int flags, mode_t mode)
{
    if ((flags & O_CREAT) != 0 && s_planted != planted::nothing) {
        s_guessed++;
        plant(folder, name, s_planted);
    }
    return static_cast<int>(syscall(SYS_openat, folder, name, flags, mode));
}

} // namespace

// Take the C library's places in this program.
extern "C" int openat(int folder, const char* name, int flags, ...)
{
    std::va_list more;
    va_start(more, flags);
    const mode_t mode = (flags & O_CREAT) != 0 ? va_arg(more, mode_t) : 0;
    va_end(more);
    return planting_openat(folder, name, flags, mode);
}
extern "C" int openat64(int folder, const char* name, int flags, ...)
{
    std::va_list more;
    va_start(more, flags);
    const mode_t mode = (flags & O_CREAT) != 0 ? va_arg(more, mode_t) : 0;
    va_end(more);
    return planting_openat(folder, name, flags, mode);
}

namespace gr {
namespace gpufft {

namespace {

// One of the library's caches: the path of a file in a folder, and what writes it.
struct cache {
    const char* name;
    std::function<std::string(const std::string&)> path;
    std::function<void(const std::string&)> write;
};

const std::string KEY = "gpufft 1\nsources 1\nkernel 1";

void write_kernel(const std::string& folder)
{
    kernel_cache(folder).store(KEY, { "_Z6kernel", "code" });
}

void write_fftw_wisdom(const std::string&)
{
    const planner_lock lock;
    keep_wisdom(wisdom_apart<float>(lock), "a problem", "");
}

void write_break_even(const std::string&)
{
    break_even table;
    table.what = problem::from_string("c2c_forward_n64_b1");
    table.cpu = "a CPU";
    table.card = "a card";
    table.chunks = { { 1, 1e-5, 1e-5, 2e-5 } };
    store_chunk_times(table);
}

const cache CACHES[] = {
    { "kernels",
      [](const std::string& folder) { return kernel_cache(folder).path(KEY); },
      write_kernel },
    { "fftw_wisdom",
      [](const std::string& folder) { return folder + "/fftwf_wisdom"; },
      write_fftw_wisdom },
    { "break_even",
      [](const std::string& folder) { return folder + "/break_even.txt"; },
      write_break_even },
};

const char* const NAMES[] = { "nothing", "link", "link_to_nothing", "pipe" };

} // namespace

class CacheLinks : public CacheTest,
                   public testing::WithParamInterface<std::tuple<int, planted>>
{
protected:
    const cache& what() const { return CACHES[std::get<0>(GetParam())]; }
    planted how() const { return std::get<1>(GetParam()); }
    std::string path() const { return what().path(d_directory / "cache"); }
    bool exists() const
    {
        return fs::symlink_status(path()).type() == fs::file_type::regular;
    }

    void SetUp() override
    {
        CacheTest::SetUp();
        fs::create_directories(d_directory / "cache");
        fs::permissions(d_directory / "cache", fs::perms::owner_all);
        s_victim = d_directory / "victim";
        if (how() != planted::link_to_nothing)
            CacheTest::write(s_victim, "of its user");
    }
    void TearDown() override
    {
        s_planted = planted::nothing;
        if (how() == planted::link_to_nothing)
            EXPECT_FALSE(fs::exists(s_victim)) << "made through a link";
        else
            EXPECT_EQ(read(s_victim), "of its user");
        CacheTest::TearDown();
    }
    void write()
    {
        const variable directory("GPUFFT_CACHE_DIR", d_directory / "cache");
        what().write(d_directory / "cache");
    }
};

TEST_P(CacheLinks, UnderTheFilesNameAreReplaced)
{
    plant(AT_FDCWD, path().c_str(), how());
    write();
    EXPECT_TRUE(exists());
    EXPECT_EQ(fs::status(path()).permissions(),
              fs::perms::owner_read | fs::perms::owner_write);
    EXPECT_NE(read(path()), "");
}

TEST_P(CacheLinks, UnderTheUnfinishedFilesNameAreNotFollowed)
{
    s_planted = how();
    s_guessed = 0;
    write();
    s_planted = planted::nothing;
    EXPECT_GT(s_guessed, 0);
    EXPECT_FALSE(exists());
    write();
    EXPECT_TRUE(exists());
}

INSTANTIATE_TEST_SUITE_P(EveryCache,
                         CacheLinks,
                         testing::Combine(testing::Range(0, 3),
                                          testing::Values(planted::link,
                                                          planted::link_to_nothing,
                                                          planted::pipe)),
                         [](const auto& info) {
                             return std::string(CACHES[std::get<0>(info.param)].name) +
                                    "_" +
                                    NAMES[static_cast<int>(std::get<1>(info.param))];
                         });

} // namespace gpufft
} // namespace gr
