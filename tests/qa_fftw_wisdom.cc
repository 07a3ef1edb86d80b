// SPDX-License-Identifier: GPL-3.0-or-later
//
// FFTW's wisdom: which plan a transform has.

#include "engine/cpu/aligned_buffer.h"
#include "engine/cpu/fftw_wisdom.h"
#include "fftw_transform.h"
#include "fftw_wisdom_test.h"

#include <cstdlib>
#include <fftw3.h>
#include <filesystem>
#include <functional>
#include <gnuradio/gpufft/plan.h>

using namespace gr::gpufft;
namespace fs = std::filesystem;

namespace {

// In this process and FFTW's own wisdom, which the library leaves alone.
bool fftw_knows(int n)
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

// As FFTW prints it. `while_measuring` is called when FFTW is to measure.
std::string planned(
    std::size_t n,
    const std::function<void()>& while_measuring = [] {})
{
    const aligned_buffer<std::complex<float>> in(n), out(n);
    const fftwf_plan plan = make_fftw_plan<float>(name_of(n), n, [&](unsigned flags) {
        if (flags == FFTW_MEASURE)
            while_measuring();
        return fftwf_plan_dft_1d(int(n),
                                 reinterpret_cast<fftwf_complex*>(in.data()),
                                 reinterpret_cast<fftwf_complex*>(out.data()),
                                 FFTW_FORWARD,
                                 flags | FFTW_PRESERVE_INPUT);
    });
    const planner_lock lock;
    char* text = fftwf_sprint_plan(plan);
    const std::string result = text;
    std::free(text);
    fftwf_destroy_plan(plan);
    return result;
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

} // namespace

TEST_F(FftwWisdom, IsWrittenAndReadBack)
{
    fftw_transform(192, 1, direction::forward);
    EXPECT_TRUE(is_known(192)) << read();

    const std::string text = read();
    use(d_folder / "copy");
    write(text);
    fs::last_write_time(d_file, fs::file_time_type());
    fftw_transform(192, 1, direction::forward);
    EXPECT_EQ(fs::last_write_time(d_file), fs::file_time_type()) << "was measured again";
    fftw_transform(576, 1, direction::forward);
    EXPECT_NE(fs::last_write_time(d_file), fs::file_time_type()) << "was not saved";
}

// Not even in a process with threads of FFTW's and other wisdom is a plan another.
TEST_F(FftwWisdom, OtherCodeAndThePlansLeaveEachOtherAlone)
{
    const std::string plan = planned(1024);
    const change of = another_solver(read());
    {
        const planner_lock lock;
        fftwf_plan_with_nthreads(3);
        std::string theirs = of.text.substr(of.text.find('\n') + 1);
        for (std::size_t at; (at = theirs.find("#x11b")) != theirs.npos;)
            theirs[at + 3] = '0'; // these flags fit more problems
        ASSERT_EQ(fftwf_import_wisdom_from_string(theirs.c_str()), 1) << theirs;
        const aligned_buffer<std::complex<float>> data(96);
        auto* complex = reinterpret_cast<fftwf_complex*>(data.data());
        fftwf_destroy_plan(
            fftwf_plan_dft_1d(96, complex, complex, FFTW_FORWARD, FFTW_MEASURE));
        fftwf_plan_with_nthreads(2);
        fftwf_destroy_plan(
            fftwf_plan_dft_1d(96, complex, complex, FFTW_FORWARD, FFTW_MEASURE));
    }
    fs::last_write_time(d_file, fs::file_time_type());
    EXPECT_EQ(planned(1024), plan);
    EXPECT_EQ(fs::last_write_time(d_file), fs::file_time_type()) << "was measured again";
    fftw_transform(96 * 7, 1, direction::forward);
    EXPECT_FALSE(fftw_knows(96 * 7));
    const planner_lock lock;
    EXPECT_EQ(fftwf_planner_nthreads(), 2);
    const aligned_buffer<std::complex<float>> data(96);
    auto* complex = reinterpret_cast<fftwf_complex*>(data.data());
    for (const int threads : { 2, 3 }) {
        fftwf_plan_with_nthreads(threads);
        const fftwf_plan theirs = fftwf_plan_dft_1d(
            96, complex, complex, FFTW_FORWARD, FFTW_MEASURE | FFTW_WISDOM_ONLY);
        EXPECT_EQ(theirs != nullptr, true) << threads;
        fftwf_destroy_plan(theirs);
    }
    fftwf_plan_with_nthreads(1);
    fftwf_forget_wisdom();
}

// FFTW's own wisdom would let later problems change the plans of earlier ones.
TEST_F(FftwWisdom, APlanStaysWhateverIsPlannedLater)
{
    std::string plans[2];
    for (std::string& plan : plans) {
        for (const std::size_t n : { 60, 120, 240, 480, 960 })
            plan += planned(n);
        if (&plan == &plans[0])
            for (const transform_kind kind :
                 { transform_kind::c2c, transform_kind::r2c, transform_kind::c2r })
                for (const bool preserves : { false, true })
                    for (const std::size_t n : { 60, 120, 240, 480, 960 })
                        fftw_lines<float>(kind, direction::forward, n, 4, preserves);
    }
    EXPECT_EQ(plans[0], plans[1]);
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
    EXPECT_FALSE(is_known(LONG));
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

// Wisdom that FFTW reads, but cannot make a plan of.
TEST_F(FftwWisdom, AnUnusableTextIsReplaced)
{
    fftw_transform(320, 1, direction::forward);
    std::string text = read();
    const std::size_t first = text.find("  ("), end = text.find(")\n)");
    text.erase(first, end + 2 - first);
    use(d_folder / "unusable");
    write(text);
    EXPECT_NE(planned(320), "");
    EXPECT_NE(read(), text);
    fs::last_write_time(d_file, fs::file_time_type());
    EXPECT_NE(planned(320), "");
    EXPECT_EQ(fs::last_write_time(d_file), fs::file_time_type()) << "was measured again";
}

// Another process's wisdom has other problems, and another solver for the same one.
TEST_F(FftwWisdom, AnotherProcessIsPreferred)
{
    fftw_transform(320, 1, direction::forward);
    const std::string theirs = read();
    use(d_folder / "other");
    fftw_transform(448, 1, direction::forward);
    prefer_fftw_wisdom(theirs);
    for (const std::size_t n : { 320, 448 })
        EXPECT_NE(fftw_wisdom().find(name_of(n) + "\n"), std::string::npos) << n;
    fftw_transform(320, 1, direction::forward);
    EXPECT_FALSE(is_known(320)) << "was measured";

    const change of = another_solver(read());
    prefer_fftw_wisdom(of.text);
    EXPECT_EQ(fftw_wisdom().find(of.before), std::string::npos);
    EXPECT_NE(fftw_wisdom().find(of.after), std::string::npos);
    fftw_transform(352, 1, direction::forward); // the file keeps its own
    EXPECT_NE(fftw_wisdom().find(of.after), std::string::npos);
    EXPECT_NE(read().find(of.before), std::string::npos);
    for (const char* damaged : { "", "not wisdom", "(fftw-3.3.10 fftwf_wisdom #x0" }) {
        prefer_fftw_wisdom(damaged);
        EXPECT_NE(fftw_wisdom().find(of.before), std::string::npos) << damaged;
    }
}

// Two processes that measure a problem at the same time take the same plan.
TEST_F(FftwWisdom, OfTwoMeasurementsTheFirstInTheFileStays)
{
    const std::string measured = planned(1024), text = read();
    std::string theirs; // measured longer
    {
        const planner_lock lock;
        const wisdom_apart<float> apart(lock);
        const aligned_buffer<std::complex<float>> in(1024), out(1024);
        fftwf_plan plan = fftwf_plan_dft_1d(1024,
                                            reinterpret_cast<fftwf_complex*>(in.data()),
                                            reinterpret_cast<fftwf_complex*>(out.data()),
                                            FFTW_FORWARD,
                                            FFTW_PATIENT | FFTW_PRESERVE_INPUT);
        fftwf_destroy_plan(plan);
        char* wisdom = fftwf_export_wisdom_to_string();
        theirs = name_of(1024) + "\n" + wisdom;
        std::free(wisdom);
    }
    use(d_folder / "theirs");
    write(theirs);
    const std::string other = planned(1024);
    use(d_folder / "both");
    EXPECT_EQ(planned(1024, [&] { write(theirs); }), other);
    EXPECT_EQ(read(), theirs);
    use(d_folder / "both again");
    EXPECT_EQ(planned(1024, [&] { write(text); }), measured);
    EXPECT_EQ(read(), text);
}

TEST_F(FftwWisdom, LongLengthsAreNotMeasured)
{
    const std::size_t n = std::size_t(1) << 20; // measuring would take some 20 s
    const fftw_transform transform(n, 1, direction::forward);
    EXPECT_FALSE(is_known(n)); // as it would be, had it been measured
    EXPECT_EQ(bin_zero_of_ones(transform, n), float(n));
}
