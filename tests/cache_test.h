// SPDX-License-Identifier: GPL-3.0-or-later
//
// A cache in a folder of its own.

#ifndef INCLUDED_GPUFFT_CACHE_TEST_H
#define INCLUDED_GPUFFT_CACHE_TEST_H

#include "engine/cache_file.h"
#include "engine/cuda/kernel_cache.h"
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <optional>
#include <string>
#include <sys/stat.h>
#include <unistd.h>

namespace gr {
namespace gpufft {

namespace fs = std::filesystem;

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

class CacheTest : public testing::Test
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

} // namespace gpufft
} // namespace gr

#endif
