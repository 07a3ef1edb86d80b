// SPDX-License-Identifier: GPL-3.0-or-later
//
// The same stream gives the same bits: each flowgraph runs several times, with chunks of
// other sizes, pauses, threads and cards, and every run must give the first one's bytes.
// On simulated cards (or real ones, see device_test.h) and on the cpu engine.
// GPUFFT_TEST_GRAPHS says how many of them are random, GPUFFT_TEST_SEED the first one's
// seed.

#include "device_test.h"
#include "random_flowgraph.h"
#include "stream/live_plan.h"
#include <cstring>
#include <gnuradio/gpufft/fft_filter.h>
#include <gnuradio/gpufft/power_spectrum.h>
#include <spdlog/fmt/fmt.h>

namespace gr {
namespace gpufft {

namespace {

// What may differ from run to run.
struct conditions {
    pace source, sink;
    int most_items;           // of a call
    int buffer;               // items of the block's output; 0: as it likes
    std::vector<int> devices; // that take turns
    int threads;              // of the cpu engine
    bool direct;              // kernels in host memory
};

const conditions RUNS[] = {
    { {}, {}, 100000000, 0, { 0 }, 1, false },
    { { 997, 0, 0, 0 }, {}, 100000000, 0, { 0, 1 }, 2, true },
    { { 0, 2, 6, 0.01 }, {}, 100000000, 0, { 1 }, 3, false },
    { { 6101, 3, 20, 0.002 }, { 0, 3, 10, 0.002 }, 3001, 0, { 1, 0, 2 }, 5, false },
    { { 4001, 1, 12, 0.003 }, { 37, 0, 0, 0 }, 100000000, 1, { 0 }, 4, true },
};

// The plans of these threads on the cpu engine in place of all others.
void make_plans_on_cpu(int threads)
{
    live_plan::s_make = [threads](const problem& what, const plan_options& options) {
        plan_options on_cpu = options;
        on_cpu.engine = engine_kind::cpu;
        on_cpu.threads = threads;
        return plan::make(what, on_cpu);
    };
}

typedef std::function<stage(const stage_options&)> stage_maker;

struct flow {
    const char* name;
    bool real;     // samples
    std::size_t n; // in an item
    stage_maker make;
};

void PrintTo(const flow& which, std::ostream* os) { *os << which.name; }

stage stage_of(const gr::basic_block_sptr& block)
{
    stage made;
    made.block = block;
    made.ours = { std::dynamic_pointer_cast<engine_block>(block) };
    made.out_bytes = block->output_signature()->sizeof_stream_item(0);
    return made;
}

stage_maker spectrum(const spectrum_parameters& what)
{
    return [=](const stage_options& how) { return make_spectrum(what, how); };
}

spectrum_parameters averaged(std::size_t n, std::size_t hop, std::size_t average)
{
    spectrum_parameters what;
    what.n = n;
    what.hop = hop;
    what.average = average;
    return what;
}

spectrum_parameters with(spectrum_parameters what, detector_kind detector)
{
    what.detector = detector;
    return what;
}

spectrum_parameters smoothed(spectrum_parameters what, double alpha)
{
    what.alpha = alpha;
    what.decibel = true;
    return what;
}

spectrum_parameters held(spectrum_parameters what, hold_kind hold)
{
    what.hold = hold;
    what.decibel = true;
    return what;
}

stage density(const stage_options& how)
{
    return stage_of(power_spectrum<gr_complex>::make(100,
                                                     60,
                                                     "hann",
                                                     77,
                                                     "db",
                                                     true,
                                                     "spectrum",
                                                     1,
                                                     1,
                                                     1,
                                                     "cuda",
                                                     how.devices,
                                                     how.on_error,
                                                     "mean",
                                                     "none",
                                                     16,
                                                     32));
}

template <class Tap>
std::vector<Tap> taps_of(std::size_t count)
{
    random_source random(5);
    const stream_data noise = random_floats(random, count, sizeof(Tap) / sizeof(float));
    std::vector<Tap> taps(count);
    std::memcpy(taps.data(), noise.items.data(), noise.items.size());
    return taps;
}

template <class Sample, class Tap>
stage_maker filter(std::size_t decimation, std::size_t taps)
{
    return [=](const stage_options& how) {
        return stage_of(fft_filter<Sample, Tap>::make(
            decimation, taps_of<Tap>(taps), 1, "cuda", how.devices, how.on_error));
    };
}

stage_maker channels(std::size_t decimation, std::vector<double> centers)
{
    return [=](const stage_options& how) {
        return make_channels({ decimation, 333, centers }, how);
    };
}

stage_maker channelizer(std::size_t count, std::size_t hop, std::size_t taps)
{
    return [=](const stage_options& how) {
        return make_channelizer({ count, hop, taps }, how);
    };
}

stage_maker synthesizer(std::size_t count, std::size_t hop, std::size_t taps)
{
    return [=](const stage_options& how) {
        return make_synthesizer({ count, hop, taps }, how);
    };
}

stage_maker transform_of(const char* what)
{
    return [=](const stage_options& how) {
        return make_transform(problem::from_string(what), true, how);
    };
}

// Lengths for which FFTW's plans of a line and of a group may differ are among the short
// ones, odd rows begin where SIMD code cannot read.
const flow FLOWS[] = {
    { "mean", false, 1, spectrum(averaged(1024, 1024, 10)) },
    { "mean_of_many", false, 1, spectrum(averaged(64, 64, 333)) },
    { "mean_of_overlapping", false, 1, spectrum(averaged(1000, 250, 47)) },
    { "mean_of_odd_rows", false, 1, spectrum(averaged(99, 70, 65)) },
    { "mean_of_long_rows", false, 1, spectrum(averaged(8192, 1024, 9)) },
    { "kurtosis",
      false,
      1,
      spectrum(with(averaged(128, 128, 100), detector_kind::kurtosis)) },
    { "largest", false, 1, spectrum(with(averaged(60, 33, 50), detector_kind::max)) },
    { "smallest", false, 1, spectrum(with(averaged(60, 33, 50), detector_kind::min)) },
    { "smoothed", false, 1, spectrum(smoothed(averaged(97, 97, 1), 0.3)) },
    { "smoothed_means", false, 1, spectrum(smoothed(averaged(500, 500, 7), 0.3)) },
    { "smoothed_long_rows", false, 1, spectrum(smoothed(averaged(6001, 500, 3), 0.3)) },
    { "held", false, 1, spectrum(held(averaged(127, 100, 40), hold_kind::max)) },
    { "decibel", false, 1, spectrum(held(averaged(101, 101, 1), hold_kind::none)) },
    { "density", false, 1, density },
    { "logpwrfft",
      false,
      1,
      [](const stage_options& how) {
          return make_logpwr({ 50, 7, false, true, true, 0.4 }, how);
      } },
    { "logpwrfft_real",
      true,
      1,
      [](const stage_options& how) {
          return make_logpwr({ 512, 3, true, true, true, 0.4 }, how);
      } },
    { "filter_ccc", false, 1, filter<gr_complex, gr_complex>(1, 501) },
    { "filter_ccc_decimating", false, 1, filter<gr_complex, gr_complex>(7, 501) },
    { "filter_ccc_short", false, 1, filter<gr_complex, gr_complex>(4, 5) },
    { "filter_ccf", false, 1, filter<gr_complex, float>(1, 64) },
    { "filter_fff", true, 1, filter<float, float>(1, 1000) },
    { "filter_fff_decimating", true, 1, filter<float, float>(3, 100) },
    { "xlating", false, 1, channels(10, { 0.1234 }) },
    { "channel_bank", false, 1, channels(8, { 0.1, -0.25, 0.4321 }) },
    { "channelizer", false, 1, channelizer(16, 16, 177) },
    { "channelizer_oversampling", false, 1, channelizer(15, 9, 150) },
    { "channelizer_64", false, 1, channelizer(64, 64, 640) },
    { "synthesizer", false, 16, synthesizer(16, 16, 177) },
    { "synthesizer_64", false, 64, synthesizer(64, 64, 640) },
    { "synthesizer_oversampling", false, 15, synthesizer(15, 9, 150) },
    { "filter_before_spectrum",
      false,
      1,
      [](const stage_options& how) {
          return make_hier({ filter<gr_complex, float>(1, 301)(how),
                             spectrum(averaged(256, 100, 11))(how) },
                           sizeof(gr_complex));
      } },
    { "fft_short",
      false,
      1,
      [](const stage_options& how) {
          return make_fft({ 12, false, true, false, true, "none" }, how);
      } },
    { "fft_64",
      false,
      1,
      [](const stage_options& how) {
          return make_fft({ 64, false, true, true, true, "hann" }, how);
      } },
    { "r2c", true, 1, transform_of("r2c_n60_b1") },
    { "c2r", false, 1, transform_of("c2r_n36_b1") },
    { "dct2", true, 1, transform_of("dct2_n10_b1") },
    { "r2c_odd", true, 1, transform_of("r2c_n61_b1") },
    { "c2r_odd", false, 1, transform_of("c2r_n37_b1") },
    { "dct3_odd", true, 1, transform_of("dct3_n11_b1") },
    { "c2c_of_two_axes", false, 1, transform_of("c2c_forward_n9x14_b1") },
};

stream_data run(const flow& which, const stream_data& data, const conditions& how)
{
    test_devices::reset();
    test_devices::compute_in_host_memory(how.direct);
    const auto flowgraph = make_top_block("same_bits");
    const auto source = std::make_shared<scripted_source>(data, how.source);
    const stage made = which.make({ how.devices, "stop" });
    const auto sink = std::make_shared<recording_sink>(made.out_bytes, how.sink);
    const auto block = std::dynamic_pointer_cast<gr::block>(made.block);
    if (how.buffer > 0 && block)
        block->set_max_output_buffer(std::max<long>(how.buffer, 65536 / made.out_bytes));
    flowgraph->connect(source, 0, made.block, 0);
    flowgraph->connect(made.block, 0, sink, 0);
    EXPECT_TRUE(runs(flowgraph, 300, how.most_items)) << "the flowgraph hangs";
    EXPECT_EQ(made.ours.front()->error(), "");
    return sink->received();
}

// Where the bytes differ, or "".
std::string other_bytes(const stream_data& one, const stream_data& two, bool prefix)
{
    const std::size_t bytes = std::min(one.items.size(), two.items.size());
    if (!prefix && one.items.size() != two.items.size())
        return fmt::format("{} items, then {}", one.count(), two.count());
    const auto end = one.items.begin() + bytes;
    const auto differs = std::mismatch(one.items.begin(), end, two.items.begin()).first;
    return differs == end ? ""
                          : fmt::format("item {} of {} has other bytes",
                                        (differs - one.items.begin()) / one.item_bytes,
                                        one.count());
}

} // namespace

class SameBits : public DeviceTest, public testing::WithParamInterface<flow>
{
protected:
    void compare(bool on_cpu)
    {
        random_source random(3);
        const flow& which = GetParam();
        const stream_data data =
            random_floats(random, 80003 / which.n, which.n * (which.real ? 1 : 2));
        stream_data first;
        for (const conditions& how : RUNS) {
            if (on_cpu)
                make_plans_on_cpu(how.threads);
            const stream_data now = run(which, data, how);
            ASSERT_GT(now.count(), 0u);
            if (&how == RUNS)
                first = now;
            ASSERT_EQ(other_bytes(first, now, false), "") << "run " << &how - RUNS;
        }
    }
};

TEST_P(SameBits, HoweverTheStreamIsCut) { compare(false); }

TEST_P(SameBits, OnTheCpuToo)
{
    GPUFFT_ONLY_SIMULATED("the cpu engine is the same there");
    compare(true);
}

INSTANTIATE_TEST_SUITE_P(Flows, SameBits, testing::ValuesIn(FLOWS), [](const auto& flow) {
    return flow.param.name;
});

// On cards, for which the simulated ones do not stand here.
TEST_F(DeviceTest, RealVectorsOfOddLengthShareNoTransform)
{
    std::vector<bool> alone;
    live_plan::s_make = [&](const problem& what, const plan_options& options) {
        alone.push_back(what.alone);
        return test_devices::make_plan(what, options);
    };
    for (const char* what : { "r2c_n61_b1", "c2r_n37_b1", "dct2_n11_b1", "dst4_n9_b1" })
        transform_of(what)({});
    EXPECT_EQ(alone, std::vector<bool>(4, true));
    alone.clear();
    for (const char* what : { "r2c_n60_b1", "c2r_n36_b1", "dct2_n10_b1" })
        transform_of(what)({});
    EXPECT_EQ(alone, std::vector<bool>(3, false));
}

class SameBitsOfRandomFlowgraphs : public DeviceTest,
                                   public testing::WithParamInterface<unsigned>
{
protected:
    // Its pauses and devices are the flowgraph's own.
    static std::vector<random_flowgraph::output>
    run(unsigned seed, unsigned number, const conditions& how)
    {
        static constexpr test_devices::speed SPEEDS[] = {
            { 0, 0, 0 }, { 2e-4, 1e-9, 1 }, { 0, 0, 0 }, { 5e-4, 0, 1 }, { 5e-5, 0, 2 }
        };
        static_assert(std::size(SPEEDS) == std::size(RUNS));
        test_devices::reset();
        random_flowgraph graph(seed, number);
        test_devices::compute_in_host_memory(how.direct);
        test_devices::set_speed(SPEEDS[number]);
        EXPECT_EQ(graph.run(how.most_items), "") << graph.text();
        return graph.outputs();
    }

    static void compare(unsigned seed, bool on_cpu)
    {
        std::vector<random_flowgraph::output> first;
        for (const unsigned number : { 0, 1, 3, 4 }) { // run 2 has other pauses than 0
            const conditions& how = RUNS[number];
            if (on_cpu)
                make_plans_on_cpu(how.threads);
            const auto now = run(seed, number, how);
            if (number == 0)
                first = now;
            for (std::size_t i = 0; i < now.size(); ++i)
                EXPECT_EQ(
                    other_bytes(first[i].received, now[i].received, now[i].may_end_early),
                    "")
                    << "GPUFFT_TEST_SEED=" << seed << ", " << now[i].text << ", run "
                    << number << (on_cpu ? " on the cpu engine" : "");
        }
    }
};

constexpr unsigned PARTS = 8;

TEST_P(SameBitsOfRandomFlowgraphs, AnyRun)
{
    const unsigned graphs = std::min(environment("GPUFFT_TEST_GRAPHS", 40), 80.0);
    const unsigned seed = environment("GPUFFT_TEST_SEED", 7001);
    for (unsigned i = GetParam(); i < graphs && !HasFailure(); i += PARTS)
        compare(seed + i, !test_devices::are_cards() && i % 2 == 1);
}

INSTANTIATE_TEST_SUITE_P(Part, SameBitsOfRandomFlowgraphs, testing::Range(0u, PARTS));

} // namespace gpufft
} // namespace gr
