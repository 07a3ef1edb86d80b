// SPDX-License-Identifier: GPL-3.0-or-later
//
// Expressions in load, product and store: the kernels by fibers and the cpu engine
// against the same functions in double precision around the reference, the grammar, and
// what the compiler makes of the kernels.

#include "cpu_runs.h"
#include "host_expressions_cases.h"
#include "kernel_report.h"
#include "planner/planner.h"
#include "problem/expression.h"
#include "problem_cases.h"
#include "reference_formats.h"
#include "reference_transform.h"

#include <cmath>
#include <functional>
#include <gtest/gtest.h>
#include <map>
#include <random>

using namespace gr::gpufft;

namespace {

typedef std::complex<double> number;
typedef std::function<number(number)> function;

constexpr double GAIN = 0.75, LEVEL = 0.4, PHASE = -0.3, OFFSET = 1.25, PI = M_PI;
const number J(0, 1);
const std::map<std::string, float> VALUES = { { "gain", GAIN },
                                              { "level", LEVEL },
                                              { "phase", PHASE },
                                              { "offset", OFFSET } };

// The load and the store of each case, in its order; null: none.
const std::vector<std::pair<function, function>> FUNCTIONS = {
    { [](number x) { return x * GAIN; }, nullptr },
    { [](number x) { return std::conj(x) + 2.0 * J; },
      [](number x) { return x / (2 + std::abs(x)); } },
    { nullptr, [](number x) { return std::exp(x / 50.0) * std::exp(J * PHASE); } },
    { [](number x) { return x.real() > LEVEL ? x : number(LEVEL); },
      [](number x) { return std::clamp(std::arg(x), -LEVEL, LEVEL); } },
    { [](number x) { return -x; }, [](number x) { return x - GAIN; } },
    { [](number x) { return std::abs(x) * x; },
      [](number x) { return number(x.real(), x.imag() / 2); } },
    { [](number x) { return x * x; }, [](number x) { return x * GAIN; } },
    { [](number x) { return x * GAIN + OFFSET; }, nullptr },
    { nullptr, [](number x) { return std::rint(x.real()); } },
    { [](number x) { return std::tanh(std::norm(x)); }, nullptr },
    { [](number x) { return std::min(std::abs(x), LEVEL) * x; }, nullptr },
    { nullptr,
      [](number x) {
          return std::abs(x) + std::log(1 + std::abs(x)) * std::log2(3) + 1 +
                 std::sin(GAIN) + std::cos(GAIN) + std::tan(GAIN) + 2 + std::atan2(1, 2) +
                 2 + std::sqrt(2) - PI;
      } },
    { [](number x) { return x * GAIN; }, nullptr },
    { nullptr, nullptr },
};

void set_parameters(plan& executes)
{
    for (const std::string& name : executes.parameter_names())
        executes.set_parameter(name, VALUES.at(name));
}

// The problem without expressions, from complex samples.
problem plain(problem what)
{
    what.input = sample_format::cf32;
    what.load.clear();
    what.store.clear();
    what.product.clear();
    if (!what.is_correlation())
        what.output = output_kind::complex;
    what.algorithm.clear();
    return what;
}

// Rows of the reference between the functions; one number for each that is stored.
std::vector<double> truth(const problem& what,
                          const std::pair<function, function>& steps,
                          const std::vector<std::uint8_t>& input,
                          const std::vector<float>& window,
                          std::size_t frames)
{
    const std::size_t samples = input.size() / what.input_item_bytes();
    std::vector<std::complex<float>> loaded(samples);
    for (std::size_t i = 0; i < samples; ++i) {
        const number x(sample_at(what.input, input.data(), i));
        loaded[i] = std::complex<float>(steps.first ? steps.first(x) : x);
    }
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(loaded.data());
    std::vector<double> values;
    for (const spectrum& row :
         reference_rows(plain(what), { bytes, bytes + samples * 8 }, window, frames))
        for (const auto& bin : row) {
            const number x(bin);
            const number y = steps.second ? steps.second(x) : x;
            values.push_back(y.real());
            if (what.output == output_kind::complex)
                values.push_back(y.imag());
        }
    return values;
}

// L2 error of floats; NaN fails.
double error_of(const void* rows, const std::vector<double>& expected)
{
    double difference = 0, total = 0;
    for (std::size_t i = 0; i < expected.size(); ++i) {
        const double value = static_cast<const float*>(rows)[i];
        difference += (value - expected[i]) * (value - expected[i]);
        total += expected[i] * expected[i];
    }
    return std::sqrt(difference / total);
}

constexpr double BOUND = 1e-5;

std::size_t index_of(const recipe_case& each)
{
    const auto all = host_expressions_cases();
    for (std::size_t i = 0; i < all.size(); ++i)
        if (all[i].what == each.what)
            return i;
    return all.size();
}

// Rows whose sorting or branching decides by rounding must not be compared: these do not.
bool has_product(const problem& what) { return !what.product.empty(); }

} // namespace

class Expressions : public ::testing::TestWithParam<recipe_case>
{
protected:
    static constexpr std::size_t FRAMES = 5;
    const recipe_case each = GetParam();
    const std::vector<std::uint8_t> input =
        random_samples(each.what,
                       (FRAMES - 1) * each.what.effective_hop() + each.what.input_span());
    const std::vector<float> window = random_window(each.what.window_numbers());
};

TEST_P(Expressions, AgreeOnBothEngines)
{
    const problem& what = each.what;
    const std::size_t row = what.row_items() * what.output_item_bytes();
    host_plan host(what, each.how);
    const plan::uptr cpu = cpu_plan_of(what, 2);
    std::vector<std::uint8_t> rows[2];
    std::size_t i = 0;
    for (plan* executes : { static_cast<plan*>(&host), cpu.get() }) {
        if (what.window)
            executes->set_window(window);
        set_parameters(*executes);
        rows[i].assign(FRAMES * row, 0xff);
        executes->execute(input.data(), rows[i].data(), FRAMES);
        ++i;
    }
    if (!has_product(what)) {
        const std::vector<double> expected =
            truth(what, FUNCTIONS.at(index_of(each)), input, window, FRAMES);
        EXPECT_LT(error_of(rows[0].data(), expected), BOUND) << host.describe();
        EXPECT_LT(error_of(rows[1].data(), expected), BOUND) << cpu->describe();
    }
    const auto* first = reinterpret_cast<const float*>(rows[0].data());
    EXPECT_LT(error_of(rows[1].data(), { first, first + FRAMES * row / sizeof(float) }),
              BOUND);
    for (const std::string& text : { what.load, what.product, what.store })
        EXPECT_NE(cpu->describe().find(text), std::string::npos) << cpu->describe();
}

TEST_P(Expressions, AreInTheProblemsText)
{
    EXPECT_EQ(problem::from_string(each.what.to_string()), each.what);
}

INSTANTIATE_TEST_SUITE_P(Problems,
                         Expressions,
                         ::testing::ValuesIn(host_expressions_cases()),
                         name_of_case);

// |x h| in the product keeps the phase alone: generalized cross-correlation.
TEST(Expression, WeighsAProduct)
{
    const std::size_t n = 64;
    const problem what =
        problem::from_string("correlation_n64_b1_grid_product=x*h/(abs(x*h)+tiny)");
    const plan::uptr plan = cpu_plan_of(what);
    plan->set_parameter("tiny", 1e-20f);
    EXPECT_EQ(plan->parameter_names(), std::vector<std::string>{ "tiny" });
    std::vector<float> samples(2 * n), grid(n);
    std::mt19937 generator(5);
    std::normal_distribution<float> normal;
    for (float& value : samples)
        value = normal(generator);
    plan->set_window(samples); // the template is the signal, 9 samples later
    std::vector<float> late(2 * n);
    for (std::size_t m = 0; m < n; ++m)
        for (std::size_t part : { 0, 1 })
            late[2 * ((m + 9) % n) + part] = 3 * samples[2 * m + part];
    plan->execute(late.data(), grid.data(), 1);
    for (std::size_t u = 0; u < n; ++u) // an impulse: sum of n phases over n
        EXPECT_NEAR(grid[u], u == 9 ? 1 : 0, 1e-5) << u;
}

TEST(Expression, FollowsPythonsPrecedence)
{
    const std::pair<const char*, double> cases[] = {
        { "1+2*3", 7 },
        { "(1+2)*3", 9 },
        { "-2**2", -4 },
        { "2**-1", 0.5 },
        { "2**3**2", 512 },
        { "8/4/2", 1 },
        { "7 - 2 - 1", 4 },
        { "1 if 2 < 3 else 4", 1 },
        { "1 if 2 >= 3 else 4 if 1 == 1 else 5", 4 },
        { "2 if 1 != 1 else 3", 3 },
        { "1e2 + .5", 100.5 },
        { "real(2j*2j)", -4 },
        { "imag(1 + 2.5j)", 2.5 },
        { "--3", 3 },
        { "clip(5, 0, 2) + min(1, 2) + max(1, 2)", 5 },
        { "arg(expj(pi / 4)) * 4 / pi", 1 },
        { "abs(conj(3 + 4j)) + norm(3+4j)", 30 },
    };
    for (const auto& [text, value] : cases) {
        const expression of(text, "x");
        std::complex<float> result;
        const std::complex<float> x = 0;
        of.evaluate(1, &x, nullptr, {}, {}, &result);
        EXPECT_NEAR(result.real(), value, 1e-5) << text;
        EXPECT_TRUE(of.is_real()) << text;
    }
    EXPECT_FALSE(expression("x", "x").is_real());
    EXPECT_EQ(expression("b*a+b", "x").parameters(),
              (std::vector<std::string>{ "a", "b" }));
}

// As in the kernels: products and quotients with real numbers take no squares of them,
// and real numbers have no imaginary zero with a sign.
TEST(Expression, KeepsRealNumbersReal)
{
    const std::pair<const char*, std::complex<float>> cases[] = {
        { "x / 1e-25 * 1e-25", { 3, -4 } },
        { "x / 1e25 * 1e25", { 3, -4 } },
        { "1e-25 * x / (1e-25 * abs(x)) * 5", { 3, -4 } },
        { "(x - x) / (1e-25 + abs(x - x))", 0 },
        { "1 / (exp(100) * 2 * 3)", 0 },
        { "1 if exp(100) * 2 * 3 > 1 else 2", 1 },
        { "arg(-1) + arg(-abs(x)) + arg(abs(x) * -1) + arg(conj(-2))", float(4 * PI) },
    };
    const std::complex<float> x(3, -4);
    for (const auto& [text, value] : cases) {
        std::complex<float> result;
        expression(text, "x").evaluate(1, &x, nullptr, {}, {}, &result);
        EXPECT_NEAR(result.real(), value.real(), 1e-5) << text;
        EXPECT_NEAR(result.imag(), value.imag(), 1e-5) << text;
    }
}

TEST(Expression, TellsWhatIsWrong)
{
    const std::pair<const char*, const char*> cases[] = {
        { "", "a number, a name or a ( must be there" },
        { "x +", "a number, a name or a ( must be there" },
        { "x x", "an operator must be there" },
        { "x_1", "an operator must be there" },
        { "(x", "a ) must follow" },
        { "sin(x)", "an argument of sin is complex" },
        { "x < 1", "an argument of < is complex" },
        { "abs(x) < 1", "it is a condition" },
        { "1 if x else 2", "if must have a condition" },
        { "(1 < 2) + 1", "+ must have numbers" },
        { "1 if 1 < 2", "else must follow" },
        { "atan2(1)", "atan2 must have 2 arguments, not 1" },
        { "sinus(1)", "sinus is no function: there are abs norm" },
        { "exp", "exp must have its arguments in ( )" },
        { "h", "h must not be there" },
        { "x[1]", "an operator must be there" },
        { "1e999", "the number is none, or too large" },
        { "x * 1e39", "the number is none, or too large" }, // in single precision
    };
    for (const auto& [text, words] : cases) {
        try {
            expression(text, "x");
            ADD_FAILURE() << text;
        } catch (const std::invalid_argument& error) {
            EXPECT_NE(std::string(error.what()).find(words), std::string::npos)
                << error.what();
            EXPECT_NE(std::string(error.what()).find(text), std::string::npos);
        }
    }
    std::string deep = "x";
    for (int i = 0; i < 100; ++i)
        deep = "(" + deep + ")";
    EXPECT_THROW(expression(deep, "x"), std::invalid_argument);
}

// A sum is as deep as it has terms. Long ones took minutes to read, and more than a
// kernel's templates may be deep.
TEST(Expression, LongSumsAreGrouped)
{
    const auto repeated =
        [](int times, const std::string& sign, const std::string& part) {
            std::string text = part;
            for (int i = 0; i < times; ++i)
                text += sign + part;
            return text;
        };
    const std::string sum = "(" + repeated(100, "+", "x") + ")";
    const std::complex<float> x = 1;
    std::complex<float> result;
    expression(repeated(60, "+", sum), "x").evaluate(1, &x, nullptr, {}, {}, &result);
    EXPECT_EQ(result, std::complex<float>(61 * 101));
    EXPECT_NO_THROW(expression(repeated(200, "*", "x"), "x"));
    for (const std::string& text : { repeated(201, "*", "x"),
                                     repeated(1000000, "+", "x"),
                                     repeated(101, "-", sum) }) {
        try {
            expression(text, "x");
            ADD_FAILURE() << text.size();
        } catch (const std::invalid_argument& error) {
            const std::string words = error.what();
            EXPECT_NE(words.find("at most 200 operators"), std::string::npos) << words;
            EXPECT_LT(words.size(), 1000u);
        }
    }
}

TEST(Expression, OnlySomeProblemsHaveThem)
{
    for (const char* name : { "r2c_n8_b1_load=x",
                              "filter_n8_b1_load=x",
                              "c2c_forward_n8_b1_f64_load=x",
                              "c2c_forward_n8x8_b1_load=x",
                              "c2c_forward_n8_b1_product=x*h",
                              "zoom_n8_b1_store=x",
                              "c2c_forward_n8_b1_power_store=x",
                              "c2c_forward_n8_b1_decibel_store=norm(x)",
                              "c2c_forward_n8_b1_power_avg2_store=norm(x)",
                              "c2c_forward_n8_b1_outs16_store=x",
                              "c2c_forward_n8_b1_load=x+",
                              "c2c_forward_n8_b1_load=a+b+c+d+e+f+g+i+l+m+n+o+p+q+r+s+t",
                              "c2c_forward_n8_b1_istrides2_load=x" })
        EXPECT_THROW(problem::from_string(name), std::invalid_argument) << name;
    const plan::uptr plan = cpu_plan_of(named("c2c_forward_n8_b1_power_store=norm(x)*a"));
    EXPECT_THROW(plan->set_average(2), std::invalid_argument);
    EXPECT_THROW(plan->set_parameter("b", 1), std::invalid_argument);
    EXPECT_EQ(plan->parameter("a"), 1.0f);
}

TEST(Expression, KernelsWithoutThemKeepTheirText)
{
    const problem what = named("c2c_forward_n1024_b999");
    for (const launch_step& step : build_program(what, make_recipe(what)).steps) {
        EXPECT_EQ(step.kernel.expression().find("user_"), std::string::npos);
        EXPECT_FALSE(step.kernel.has_parameters());
    }
}

#ifdef GPUFFT_HAVE_CUDA
TEST(Expression, CompilesWithoutSpills)
{
    if (!find_nvrtc().reason.empty())
        GTEST_SKIP() << find_nvrtc().reason;
    for (const recipe_case& each : host_expressions_cases())
        expect_no_spills(each.what, 90, 1);
    expect_no_spills(
        named("c2c_forward_n4096_b9999_load=x*gain*expj(phase)_store=x*gain"), 80, 1);
}

// The plan finds them by this name (cuModuleGetGlobal).
TEST(Expression, ParametersAreAConstantOfThisName)
{
    if (!find_nvrtc().reason.empty())
        GTEST_SKIP() << find_nvrtc().reason;
    const problem what = named("c2c_forward_n1024_b999_load=x*gain_store=x*size");
    const kernel_instance kernel =
        build_program(what, make_recipe(what)).steps.front().kernel;
    compiler_report report;
    compile_kernel(
        kernel.header, kernel.expression(), 90, precision_options(kernel), &report);
    EXPECT_NE(report.ptx.find(".const .align 4 .b8 gpufft_parameters[64]"),
              std::string::npos);
}
#endif
