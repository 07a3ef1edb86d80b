// SPDX-License-Identifier: GPL-3.0-or-later
//
// Engine "auto" takes what is faster, as measured on a simulated card and on a CPU that
// can be slowed down; what was measured is kept.

#include "device_test.h"
#include "engine/break_even.h"
#include "engine/chunk_meter.h"
#include "passing_plan.h"
#include "simulated_plan.h"
#include "stream/live_plan.h"
#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gnuradio/gpufft/fft_v.h>
#include <gnuradio/gpufft/power_spectrum.h>
#include <sstream>
#include <sys/stat.h>

namespace gr {
namespace gpufft {

namespace {

constexpr int N = 64;
constexpr std::size_t LONG_N = (CUDA_LOAD_BYTES >> 3) + 1;

std::atomic<double> s_cpu_seconds{ 0 }; // that a frame takes longer
std::atomic<int> s_cpu_calls{ 0 };

// The cpu engine with a delay.
class slow_plan : public passing_plan
{
public:
    slow_plan(const problem& what, const plan_options& options)
        : passing_plan(plan::make(what, options), engine_kind::cpu)
    {
    }

protected:
    void do_execute(const void* input, void* output, std::size_t frames) override
    {
        ++s_cpu_calls;
        passing_plan::do_execute(input, output, frames);
        simulation::spend(frames * s_cpu_seconds);
    }
};

plan::uptr make_plan(const problem& what, const plan_options& options)
{
    if (options.engine == engine_kind::cpu)
        return std::make_unique<slow_plan>(what, options);
    return make_simulated_plan(what, options);
}

std::string card_name(int device) { return "Card | " + std::to_string(device); }

// One card, a cache of its own for each test, and a clock on which nothing else that runs
// here has an influence.
class BreakEven : public DeviceTest
{
protected:
    BreakEven()
    {
        live_plan::s_make = make_plan;
        live_plan::s_make_device = make_simulated_device;
        live_plan::s_card_name = card_name;
        simulation::control_time(true);
        meter_clock::now = simulation::look_at_clock;
        s_cpu_seconds = 0;
        s_cpu_calls = 0;
        std::string name =
            (std::filesystem::temp_directory_path() / "gpufft-qa-XXXXXX").string();
        d_folder = mkdtemp(name.data());
        umask(022); // what others may write is not used
        use_cache(d_folder);
    }
    ~BreakEven() override
    {
        live_plan::s_card_name = cuda_card_name;
        meter_clock::now = meter_clock::steady;
        if (d_before.empty())
            unsetenv("GPUFFT_CACHE_DIR");
        else
            use_cache(d_before);
        std::filesystem::remove_all(d_folder);
    }

    static void use_cache(const std::string& folder)
    {
        setenv("GPUFFT_CACHE_DIR", folder.c_str(), 1);
    }
    // As another process would, that has read nothing yet.
    void forget()
    {
        use_cache(d_folder.string() + "/other");
        find(LONG_N); // looks it up, and measures nothing
        use_cache(d_folder);
        s_cpu_calls = 0;
        d_copies = simulation::copies();
    }

    static break_even find(const problem& what,
                           bool anew = false,
                           decltype(engine_makers::make_plan) make = make_plan)
    {
        return find_break_even(
            what, {}, anew, { make, make_simulated_device, card_name });
    }
    static break_even find(std::size_t n, bool anew = false)
    {
        problem what;
        what.n = n;
        return find(what, anew);
    }

    bool is_measured() const // since forget()
    {
        return s_cpu_calls > 0 || simulation::copies() > d_copies;
    }
    std::filesystem::path file() const { return d_folder / "break_even.txt"; }
    std::string text() const
    {
        std::ifstream stream(file());
        return { std::istreambuf_iterator<char>(stream), {} };
    }
    void write(const std::string& text) const { std::ofstream(file()) << text; }

    const std::string d_before =
        std::getenv("GPUFFT_CACHE_DIR") ? std::getenv("GPUFFT_CACHE_DIR") : "";
    std::filesystem::path d_folder;
    long d_copies = 0;
};

fft_vcc_fwd::sptr make_block(const std::string& engine = "auto",
                             const device_list& device = 0)
{
    return fft_vcc_fwd::make(
        N, window_spec(std::vector<float>()), false, 1, engine, device, "stop", 0);
}

constexpr double SLOW_CPU = 1e-3; // s a frame
const simulation::speed SLOW_CARD{ 0, 1e-7 };

// The smallest chunk that the card computed.
chunk_times first_of_card(const break_even& table)
{
    const auto chunk =
        std::find_if(table.chunks.begin(),
                     table.chunks.end(),
                     [](const chunk_times& each) { return each.cuda > 0; });
    return chunk == table.chunks.end() ? chunk_times() : *chunk;
}

} // namespace

TEST_F(BreakEven, SlowerCardIsLeftAlone)
{
    simulation::set_speed(SLOW_CARD);
    const auto block = make_block();
    EXPECT_EQ(block->engine(), "cpu");
    const std::string reason = block->engine_reason();
    EXPECT_EQ(reason.rfind("auto: GPU ", 0), 0u) << reason;
    EXPECT_NE(reason.find("sps, CPU "), std::string::npos) << reason;
}

TEST_F(BreakEven, FasterCardIsTaken)
{
    s_cpu_seconds = SLOW_CPU;
    const auto block = make_block();
    EXPECT_EQ(block->engine(), "cuda");
    EXPECT_EQ(block->engine_reason().rfind("auto: GPU ", 0), 0u)
        << block->engine_reason();
    const break_even table = find(N);
    EXPECT_GT(table.samples_per_second(engine_kind::cuda),
              table.samples_per_second(engine_kind::cpu));
    EXPECT_LT(table.samples_per_second(engine_kind::cpu), N / SLOW_CPU);
}

TEST_F(BreakEven, TooLittleMemoryIsAnObstacle)
{
    problem what;
    what.n = N;
    for (const engine_kind poor : { engine_kind::cpu, engine_kind::cuda }) {
        const auto make = [poor](const problem& asked, const plan_options& options) {
            return options.engine == poor ? throw std::bad_alloc()
                                          : make_plan(asked, options);
        };
        EXPECT_EQ(find(what, true, make).obstacle, "too little memory to measure");
    }
}

TEST_F(BreakEven, NamedEngineIsNotMeasured)
{
    EXPECT_EQ(make_block("cuda")->engine(), "cuda");
    EXPECT_EQ(make_block("cpu")->engine(), "cpu");
    EXPECT_FALSE(is_measured());
}

TEST_F(BreakEven, ChunksGrowUntilTheyTakeLong)
{
    const break_even fast = find(N);
    ASSERT_GE(fast.chunks.size(), 2u);
    EXPECT_EQ(fast.chunks.front().frames, 1u);
    EXPECT_EQ(fast.chunks[1].frames, 16384 / (8 * N));
    EXPECT_EQ(fast.chunks.back().frames, CUDA_LOAD_BYTES / (8 * N));
    s_cpu_seconds = 0.005;
    const break_even slow = find(N, true);
    EXPECT_EQ(slow.chunks.back().frames, CUDA_LOAD_BYTES / (8 * N));
    EXPECT_GT(slow.chunks.front().cpu, 0.005);
    EXPECT_EQ(slow.chunks.back().cpu, 0);
    EXPECT_GT(slow.samples_per_second(engine_kind::cpu), 0);
}

TEST_F(BreakEven, ChunksTravelThreeAtATime)
{
    simulation::set_speed({ 0.004 });
    const chunk_times chunk = first_of_card(find(N));
    EXPECT_GE(chunk.cuda_delay, 3 * 0.004); // copy, transform, copy
    EXPECT_GE(chunk.cuda, 0.004);
    EXPECT_LT(chunk.cuda, 0.5 * chunk.cuda_delay); // while those of two others run
}

// What is measured stays within its memory: else this ends with a fault.
TEST_F(BreakEven, FramesAndRowsThatOverlapOrLieApart)
{
    for (const char* what : { "c2c_forward_n64_hop32_window_power_avg10",
                              "c2c_forward_n64_hop192_window_power_avg10",
                              "r2c_n64_odist6400",
                              "c2c_forward_n64_hop1_istrides1000_ostrides1000_odist1" }) {
        const break_even table = find(problem::from_string(what));
        EXPECT_EQ(table.obstacle, "") << what;
        EXPECT_GT(table.samples_per_second(engine_kind::cpu), 0) << what;
        EXPECT_GT(table.samples_per_second(engine_kind::cuda), 0) << what;
    }
}

TEST_F(BreakEven, LongFramesAreTheCardsUnmeasured)
{
    const break_even table = find(LONG_N);
    EXPECT_TRUE(table.chunks.empty());
    EXPECT_EQ(table.faster(), engine_kind::cuda);
    EXPECT_NE(table.reason().find("more than 16 MiB"), std::string::npos);
    EXPECT_FALSE(is_measured());
}

TEST_F(BreakEven, IsMeasuredOnce)
{
    s_cpu_seconds = SLOW_CPU;
    make_block();
    EXPECT_TRUE(is_measured());
    s_cpu_calls = 0;
    d_copies = simulation::copies();
    EXPECT_EQ(make_block()->engine(), "cuda");
    EXPECT_FALSE(is_measured());

    forget();
    EXPECT_EQ(make_block()->engine(), "cuda");
    EXPECT_FALSE(is_measured());
    find(N, true);
    EXPECT_TRUE(is_measured());
}

TEST_F(BreakEven, OtherBatchesScalesAndSmoothingsAreTheSame)
{
    problem what;
    what.n = N;
    what.output = output_kind::power;
    find(what);
    s_cpu_calls = 0;
    what.batch = 7;
    what.scale = 0.5;
    what.smoothing = 0.25;
    what.hop = N;
    find(what);
    EXPECT_EQ(s_cpu_calls, 0);
    what.average = 2;
    find(what);
    EXPECT_GT(s_cpu_calls, 0);
}

// Its frames are longer than n, so a hop of n is not the usual one.
TEST_F(BreakEven, AHopOfNOfABankIsMeasured)
{
    const problem bank = problem::from_string("c2c_forward_n64_hop64_window_taps4_power");
    EXPECT_EQ(find(bank).what.effective_hop(), 64u);
}

TEST_F(BreakEven, TheFileDecides)
{
    simulation::set_speed(SLOW_CARD);
    make_block();
    std::string known = text();
    const std::size_t chunks = known.rfind(" | ") + 3;
    write(known.substr(0, chunks) + "1 3e-3 2e-6 3e-6 end\n");
    forget();
    EXPECT_EQ(make_block()->engine(), "cuda");
    EXPECT_FALSE(is_measured());
}

TEST_F(BreakEven, DamagedLinesAreMeasuredAnewAndOthersKept)
{
    find(N);
    find(2 * N);
    const std::string good = text();
    const std::size_t of_n = good.find("c2c_forward_n64_");
    const std::size_t begin = good.rfind('\n', of_n) + 1;
    const std::size_t end = good.find('\n', of_n) + 1;
    const std::string line = good.substr(begin, end - begin);
    const std::string key = line.substr(0, line.rfind(" | ") + 3);
    for (const std::string& damaged : { key + "\n",
                                        key + "1 1e-6 nan 1e-6 end\n",
                                        key + "1 -1e-6 1e-6 1e-6 end\n",
                                        key + "1 1e-6 1e-6 end\n",
                                        key + "8 1e-6 1e-6 1e-6; 4 1 1 1 end\n",
                                        key + "1 0 0 0 end\n",
                                        key + "1 1e-6 1e-6 1e-6\n",
                                        line.substr(0, line.size() / 2) + "\n",
                                        std::string("|\n\n\xff\n") }) {
        write(good.substr(0, begin) + damaged + good.substr(end));
        forget();
        find(2 * N);
        EXPECT_FALSE(is_measured()) << damaged;
        find(N);
        EXPECT_TRUE(is_measured()) << damaged;
        EXPECT_NE(text().find("c2c_forward_n128_"), std::string::npos) << damaged;
    }
    write("gpufft of another version\n" + good.substr(good.find('\n') + 1));
    forget();
    find(2 * N);
    EXPECT_TRUE(is_measured());
}

TEST_F(BreakEven, CacheThatCannotBeWrittenIsNoError)
{
    write("not a folder");
    use_cache(file().string() + "/cache");
    s_cpu_seconds = SLOW_CPU;
    EXPECT_EQ(make_block()->engine(), "cuda");
    const int calls = s_cpu_calls;
    EXPECT_EQ(make_block()->engine(), "cuda"); // this process remembers
    EXPECT_EQ(s_cpu_calls, calls);
}

TEST_F(BreakEven, RefusedRegistrationIsMeasuredWithStaging)
{
    simulation::refuse_registration(true);
    s_cpu_seconds = SLOW_CPU;
    EXPECT_EQ(make_block()->engine(), "cuda");
}

TEST_F(BreakEven, DeviceTroubleMeansCpu)
{
    typedef simulation::fault fault;
    for (const fault how : { fault::once, fault::lost, fault::asynchronous }) {
        for (long call = 1; call < 30; call += 3) { // the first chunk's end is the 31st
            simulation::reset();
            s_cpu_seconds = SLOW_CPU;
            simulation::fail(how, call);
            const auto block = make_block();
            EXPECT_TRUE(simulation::struck());
            const std::string reason = block->engine_reason();
            if (reason.find("simulated failure") == std::string::npos)
                EXPECT_EQ(how, fault::once) << call; // refused registration
            else
                EXPECT_EQ(reason.rfind("auto: cpu, ", 0), 0u) << reason;
            EXPECT_EQ(block->engine() == "cpu",
                      reason.find("simulated failure") != std::string::npos)
                << call;
            std::filesystem::remove(file());
            forget();
        }
    }
    simulation::reset();
}

TEST_F(BreakEven, SettersKeepTheEngine)
{
    simulation::set_speed(SLOW_CARD);
    const auto block = make_block();
    s_cpu_calls = 0;
    const std::string reason = block->engine_reason();
    block->set_window(window_spec("hann"));
    EXPECT_EQ(block->engine(), "cpu");
    EXPECT_EQ(block->engine_reason(), reason);
    EXPECT_EQ(s_cpu_calls, 0);
}

TEST_F(BreakEven, TheFirstOfSeveralCardsIsMeasured)
{
    s_cpu_seconds = SLOW_CPU;
    const auto block = make_block("auto", std::vector<int>{ 3, 1 });
    EXPECT_EQ(block->engine(), "cuda");
    EXPECT_NE(text().find("Card | 3 | "), std::string::npos) << text();
}

} // namespace gpufft
} // namespace gr
