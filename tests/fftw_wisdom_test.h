// SPDX-License-Identifier: GPL-3.0-or-later
//
// The file of FFTW's wisdom in single precision, for tests of what it keeps.

#ifndef INCLUDED_GPUFFT_FFTW_WISDOM_TEST_H
#define INCLUDED_GPUFFT_FFTW_WISDOM_TEST_H

#include "engine/cpu/fftw_wisdom.h"
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gnuradio/gpufft/engine.h>
#include <gtest/gtest.h>
#include <sstream>
#include <sys/stat.h>

namespace gr {
namespace gpufft {

// Of an fftw_transform.
inline std::string name_of(std::size_t n)
{
    return "c2c forward " + std::to_string(n) + " x 1 preserved";
}

// A cache directory of its own for each test.
class FftwWisdom : public ::testing::Test
{
protected:
    void SetUp() override
    {
        char name[] = "/tmp/gpufft_wisdom_XXXXXX";
        ASSERT_NE(mkdtemp(name), nullptr);
        d_folder = name;
        umask(022); // what others may write is not used
        use(d_folder / "cache");
        unsetenv("GPUFFT_LONGEST_MEASURED");
    }
    void TearDown() override
    {
        prefer_fftw_wisdom("");
        use(d_before);
        std::filesystem::remove_all(d_folder);
    }
    // As another process would, which knows nothing but the file there.
    void use(const std::filesystem::path& cache)
    {
        setenv("GPUFFT_CACHE_DIR", cache.c_str(), 1);
        d_file = cache / "fftwf_wisdom";
    }
    void write(const std::string& text)
    {
        std::filesystem::create_directories(d_file.parent_path());
        std::ofstream(d_file) << text;
    }
    std::string read()
    {
        std::ostringstream text;
        text << std::ifstream(d_file).rdbuf();
        return text.str();
    }
    bool is_known(std::size_t n)
    {
        return ("\n" + read()).find("\n" + name_of(n) + "\n(fftw") != std::string::npos;
    }

    const std::string d_before = [] {
        const char* value = std::getenv("GPUFFT_CACHE_DIR");
        return std::string(value ? value : "");
    }();
    std::filesystem::path d_folder, d_file;
};

} // namespace gpufft
} // namespace gr

#endif
