// SPDX-License-Identifier: GPL-3.0-or-later
//
// The file of FFTW's wisdom: one for all processes, which survives damage.

#include "fftw_transform.h"
#include "fftw_wisdom_test.h"

using namespace gr::gpufft;
namespace fs = std::filesystem;

TEST_F(FftwWisdom, KeepsWhatOtherProcessesWrote)
{
    fftw_transform(320, 1, direction::forward);
    const std::string text = read();
    use(d_folder / "copy");
    write(text);
    fftw_transform(448, 1, direction::forward);
    EXPECT_EQ(read().rfind(text, 0), 0u);
    EXPECT_TRUE(is_known(448));
}

TEST_F(FftwWisdom, EachPrecisionHasItsFile)
{
    const fftw_lines<double> lines(transform_kind::r2c, direction::forward, 96, 1);
    EXPECT_FALSE(fs::exists(d_file));
    const fs::path file = d_file.parent_path() / "fftw_wisdom";
    ASSERT_TRUE(fs::exists(file));

    // Another process: nothing known but the file, here at another path.
    use(d_folder / "copy");
    fs::create_directories(d_file.parent_path());
    const fs::path copy = d_file.parent_path() / "fftw_wisdom";
    fs::copy_file(file, copy);
    fs::last_write_time(copy, fs::file_time_type());
    const fftw_lines<double> again(transform_kind::r2c, direction::forward, 96, 1);
    EXPECT_EQ(fs::last_write_time(copy), fs::file_time_type()) << "was measured again";
}

TEST_F(FftwWisdom, DamagedFileIsReplaced)
{
    for (const std::string& damage :
         { std::string(),
           std::string("not wisdom"),
           std::string("(fftw-3.3.10 fftwf_wisdom #x0"),
           std::string("\x01((("),
           name_of(384),
           name_of(384) + "\n(fftw-3.3.10 fftwf_wisdom #x0" }) {
        use(d_folder / std::to_string(damage.size()));
        write(damage);
        const fftw_transform transform(384, 1, direction::forward);
        EXPECT_EQ(bin_zero_of_ones(transform, 384), 384.0f);
        EXPECT_TRUE(is_known(384)) << damage;
    }
}

// FFTW of another version takes another first line.
TEST_F(FftwWisdom, WisdomOfOtherSolversStays)
{
    fftw_transform(352, 1, direction::forward);
    std::string other = read();
    char& digit = other[other.find("#x") + 2];
    digit = digit == '1' ? '2' : '1';
    use(d_folder / "other");
    write(other);
    for (const std::size_t n : { 352, 416 }) {
        fftw_transform(n, 1, direction::forward);
        EXPECT_TRUE(is_known(n));
        EXPECT_EQ(read().rfind(other, 0), 0u) << n;
        EXPECT_EQ(read().rfind(other), 0u) << "is there twice";
    }
}

TEST_F(FftwWisdom, OfManyTextsTheNewestStay)
{
    std::string others;
    for (int i = 10000; i < 14100; ++i)
        others += std::to_string(i) + "\n(fftw-3.3 fftwf_wisdom #x1\n)\n";
    write(others);
    fftw_transform(480, 1, direction::forward);
    EXPECT_EQ(read().rfind("10005\n", 0), 0u) << read().substr(0, 100);
    EXPECT_TRUE(is_known(480));
}

TEST_F(FftwWisdom, PipeInItsPlaceDoesNotBlock)
{
    fs::create_directories(d_file.parent_path());
    ASSERT_EQ(mkfifo(d_file.c_str(), 0600), 0);
    fftw_transform(416, 1, direction::forward);
    EXPECT_TRUE(fs::is_regular_file(d_file));
}

TEST_F(FftwWisdom, TruncatedFileDoesNotHurt)
{
    fftw_transform(640, 1, direction::forward);
    const std::string text = read();
    use(d_folder / "truncated");
    write(text.substr(0, text.size() / 2));
    const fftw_transform transform(640, 1, direction::forward);
    EXPECT_EQ(bin_zero_of_ones(transform, 640), 640.0f);
}

TEST_F(FftwWisdom, UnwritablePlaceIsNoError)
{
    write("a file, not a folder");
    use(d_file / "below_a_file");
    const fftw_transform transform(224, 1, direction::forward);
    EXPECT_EQ(bin_zero_of_ones(transform, 224), 224.0f);
}

TEST_F(FftwWisdom, LeavesNoUnfinishedFile)
{
    fs::create_directories(d_file / "in_the_way"); // the rename fails
    const fftw_transform transform(288, 1, direction::forward);
    EXPECT_EQ(bin_zero_of_ones(transform, 288), 288.0f);
    for (const auto& entry : fs::directory_iterator(d_file.parent_path()))
        EXPECT_EQ(entry.path(), d_file);
}
