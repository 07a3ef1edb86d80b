// SPDX-License-Identifier: GPL-3.0-or-later
//
// FFTW's wisdom: one file for all processes, which survives damage.

#include "engine/cpu/aligned_buffer.h"
#include "engine/cpu/fftw_wisdom.h"
#include "fftw_transform.h"

#include <cstdlib>
#include <fftw3.h>
#include <filesystem>
#include <fstream>
#include <gnuradio/gpufft/engine.h>
#include <gnuradio/gpufft/plan.h>
#include <gtest/gtest.h>
#include <sstream>
#include <sys/stat.h>

using namespace gr::gpufft;
namespace fs = std::filesystem;

namespace {

bool is_known(int n)
{
    const planner_lock lock;
    const aligned_buffer<std::complex<float>> in(n), out(n);
    fftwf_plan plan = fftwf_plan_dft_1d(n,
                                        reinterpret_cast<fftwf_complex*>(in.data()),
                                        reinterpret_cast<fftwf_complex*>(out.data()),
                                        FFTW_FORWARD,
                                        FFTW_MEASURE | FFTW_WISDOM_ONLY);
    const bool known = plan != nullptr;
    fftwf_destroy_plan(plan);
    return known;
}

void forget_wisdom()
{
    const planner_lock lock;
    fftwf_forget_wisdom();
}

// A text of wisdom in which a problem has got another solver, and both of its lines.
struct change {
    std::string text, before, after;
};

// Lines are "  (solver flags ...)": the first gets another line's solver.
change another_solver(std::string text)
{
    const auto solver = [&](std::size_t line) {
        return text.substr(line, text.find(' ', line + 3) - line);
    };
    const std::size_t line = text.find("  (");
    std::size_t other = line;
    while (solver(other) == solver(line))
        other = text.find("  (", other + 3);
    const std::string before = text.substr(line, text.find('\n', line) - line);
    const std::string after = solver(other) + before.substr(solver(line).size());
    return { text.replace(line, before.size(), after), before, after };
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
        forget_wisdom();
    }
    void TearDown() override
    {
        use(d_before);
        fs::remove_all(d_folder);
    }
    void use(const fs::path& cache)
    {
        setenv("GPUFFT_CACHE_DIR", cache.c_str(), 1);
        d_file = cache / "fftwf_wisdom";
    }
    void write(const std::string& text)
    {
        fs::create_directories(d_file.parent_path());
        std::ofstream(d_file) << text;
    }
    std::string read()
    {
        std::ostringstream text;
        text << std::ifstream(d_file).rdbuf();
        return text.str();
    }

    const std::string d_before = [] {
        const char* value = std::getenv("GPUFFT_CACHE_DIR");
        return std::string(value ? value : "");
    }();
    fs::path d_folder, d_file;
};

} // namespace

TEST_F(FftwWisdom, IsWrittenAndReadBack)
{
    fftw_transform(192, 1, direction::forward);
    EXPECT_EQ(read().rfind("(fftw", 0), 0u) << read();

    // Another process: nothing known but the file, here at another path.
    const std::string text = read();
    use(d_folder / "copy");
    write(text);
    fs::last_write_time(d_file, fs::file_time_type());
    forget_wisdom();
    fftw_transform(192, 1, direction::forward);
    EXPECT_EQ(fs::last_write_time(d_file), fs::file_time_type()) << "was measured again";
    fftw_transform(576, 1, direction::forward);
    EXPECT_NE(fs::last_write_time(d_file), fs::file_time_type()) << "was not saved";
}

TEST_F(FftwWisdom, KeepsWhatOtherProcessesWrote)
{
    fftw_transform(320, 1, direction::forward);
    forget_wisdom(); // as if another process had written it
    fftw_transform(448, 1, direction::forward);
    forget_wisdom();
    ASSERT_FALSE(is_known(320));
    {
        const planner_lock lock;
        ASSERT_EQ(fftwf_import_wisdom_from_string(read().c_str()), 1);
    }
    EXPECT_TRUE(is_known(320));
    EXPECT_TRUE(is_known(448));
}

TEST_F(FftwWisdom, QuickPlanningMeasuresShortTransformsOnly)
{
    constexpr std::size_t LONG = 2 * LONGEST_MEASURED_QUICKLY;
    {
        const quick_planning quick;
        const fftw_transform transform(LONG, 1, direction::forward);
        EXPECT_EQ(bin_zero_of_ones(transform, LONG), LONG);
        EXPECT_FALSE(fs::exists(d_file));
        fftw_transform(192, 1, direction::forward);
        EXPECT_TRUE(is_known(192));
    }
    fftw_transform(LONG, 1, direction::forward);
    EXPECT_TRUE(is_known(LONG));
}

TEST_F(FftwWisdom, TheEnvironmentSaysWhatIsMeasured)
{
    for (const char* ignored : { "", "-1", "1e3", "99999999999999999999", "64 " }) {
        setenv("GPUFFT_LONGEST_MEASURED", ignored, 1);
        EXPECT_EQ(longest_measured(), LONGEST_MEASURED) << ignored;
    }
    setenv("GPUFFT_LONGEST_MEASURED", "100", 1);
    fftw_transform(101, 1, direction::forward);
    EXPECT_FALSE(fs::exists(d_file));
    fftw_transform(100, 1, direction::forward);
    EXPECT_TRUE(is_known(100));
    unsetenv("GPUFFT_LONGEST_MEASURED");
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
    {
        const planner_lock lock;
        fftw_forget_wisdom();
    }
    const fftw_lines<double> again(transform_kind::r2c, direction::forward, 96, 1);
    EXPECT_EQ(fs::last_write_time(copy), fs::file_time_type()) << "was measured again";
}

TEST_F(FftwWisdom, QuickPlansAreNotMeasured)
{
    plan_options options;
    options.engine = engine_kind::cpu;
    options.effort = planning_effort::quick;
    for (const char* name : { "c2c_forward_n96_b1", "r2c_n96_b1", "dct2_n8x96_b1_f64" })
        plan::make(problem::from_string(name), options);
    EXPECT_FALSE(fs::exists(d_file));
    EXPECT_FALSE(fs::exists(d_file.parent_path() / "fftw_wisdom"));
}

TEST_F(FftwWisdom, DamagedFileIsReplaced)
{
    for (const char* damage :
         { "", "not wisdom", "(fftw-3.3.10 fftwf_wisdom #x0", "\x01(((" }) {
        use(d_folder / std::to_string(std::string(damage).size()));
        write(damage);
        forget_wisdom();
        const fftw_transform transform(384, 1, direction::forward);
        EXPECT_EQ(bin_zero_of_ones(transform, 384), 384.0f);
        const planner_lock lock;
        EXPECT_EQ(fftwf_import_wisdom_from_string(read().c_str()), 1) << damage;
    }
}

// Another process's wisdom has other problems, and another solver for the same one.
TEST_F(FftwWisdom, AnotherProcessIsPreferred)
{
    fftw_transform(320, 1, direction::forward);
    const std::string theirs = read();
    forget_wisdom();
    use(d_folder / "other");
    fftw_transform(448, 1, direction::forward);
    prefer_fftw_wisdom(theirs);
    EXPECT_TRUE(is_known(320));
    EXPECT_TRUE(is_known(448));

    const change of = another_solver(read());
    prefer_fftw_wisdom(of.text);
    EXPECT_EQ(fftw_wisdom().find(of.before), std::string::npos);
    EXPECT_NE(fftw_wisdom().find(of.after), std::string::npos);
    fftw_transform(352, 1, direction::forward); // the file keeps its own
    EXPECT_NE(fftw_wisdom().find(of.after), std::string::npos);
    EXPECT_NE(read().find(of.before), std::string::npos);
    for (const char* damaged : { "", "not wisdom", "(fftw-3.3.10 fftwf_wisdom #x0" })
        prefer_fftw_wisdom(damaged);
    EXPECT_NE(fftw_wisdom().find(of.after), std::string::npos);
}

// Two processes that measure a problem at the same time take the same plan.
TEST_F(FftwWisdom, OfTwoMeasurementsTheFirstInTheFileStays)
{
    fftw_transform(320, 1, direction::forward);
    const change of = another_solver(read());
    write(of.text); // as if another process had been first
    fftw_transform(448, 1, direction::forward);
    EXPECT_NE(read().find(of.after), std::string::npos);
    EXPECT_EQ(read().find(of.before), std::string::npos);
    EXPECT_EQ(fftw_wisdom().find(of.before), std::string::npos);

    use(d_folder / "another"); // loaded for the first time, it counts first, too
    write(of.text);
    forget_wisdom();
    {
        const planner_lock lock; // as if other code had measured it
        std::string own = of.text;
        own.replace(own.find(of.after), of.after.size(), of.before);
        ASSERT_EQ(fftwf_import_wisdom_from_string(own.c_str()), 1);
    }
    EXPECT_NE(fftw_wisdom().find(of.after), std::string::npos);
    EXPECT_EQ(fftw_wisdom().find(of.before), std::string::npos);

    fftwf_plan made[3] = {}; // from wisdom, measured, from wisdom as it now is
    std::vector<unsigned> asked;
    const aligned_buffer<std::complex<float>> data(16);
    const fftwf_plan taken = make_fftw_plan<float>(16, [&](unsigned flags) {
        asked.push_back(flags);
        if (asked.size() > 1)
            made[asked.size() - 1] =
                fftwf_plan_dft_1d(16,
                                  reinterpret_cast<fftwf_complex*>(data.data()),
                                  reinterpret_cast<fftwf_complex*>(data.data()),
                                  FFTW_FORWARD,
                                  FFTW_ESTIMATE);
        return made[asked.size() - 1];
    });
    const unsigned known = FFTW_MEASURE | FFTW_WISDOM_ONLY;
    EXPECT_EQ(asked, (std::vector<unsigned>{ known, FFTW_MEASURE, known }));
    EXPECT_EQ(taken, made[2]);
    fftwf_destroy_plan(taken);
}

// FFTW with other solvers, as in a process that uses its threads, takes another first
// line.
TEST_F(FftwWisdom, WisdomOfOtherSolversStays)
{
    fftw_transform(352, 1, direction::forward);
    std::string other = read();
    char& digit = other[other.find("#x") + 2];
    digit = digit == '1' ? '2' : '1';
    write(other);
    forget_wisdom();
    for (const std::size_t n : { 352, 416 }) {
        fftw_transform(n, 1, direction::forward);
        EXPECT_NE(read().find(other), std::string::npos) << n;
        EXPECT_EQ(read().find(other), read().rfind(other)) << "is there twice";
    }
    forget_wisdom();
    {
        const planner_lock lock;
        EXPECT_EQ(fftwf_import_wisdom_from_string(read().c_str()), 1);
    }
    EXPECT_TRUE(is_known(352));
    EXPECT_TRUE(is_known(416));
}

TEST_F(FftwWisdom, OfManyOtherSolversTheNewestStay)
{
    std::string others;
    for (int i = 10; i < 30; ++i)
        others += "(fftw-3.3 fftwf_wisdom #x" + std::to_string(i) + "\n)\n";
    write(others);
    fftw_transform(480, 1, direction::forward);
    EXPECT_NE(read().find("#x16\n"), std::string::npos);
    EXPECT_EQ(read().find("#x17\n"), std::string::npos);
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
    forget_wisdom();
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

TEST_F(FftwWisdom, LongLengthsAreNotMeasured)
{
    const std::size_t n = std::size_t(1) << 20; // measuring would take some 20 s
    const fftw_transform transform(n, 1, direction::forward);
    EXPECT_FALSE(is_known(n)); // as it would be, had it been measured
    EXPECT_EQ(bin_zero_of_ones(transform, n), float(n));
}
