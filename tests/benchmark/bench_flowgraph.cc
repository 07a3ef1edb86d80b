// SPDX-License-Identifier: GPL-3.0-or-later
//
// Speed of the blocks in flowgraphs beside GNU Radio's own, in one run, turn by turn:
//   fft_vcc              ours against gr-fft, one thread, N = 64 ... 65536
//   fft_vcc_threads      ours with two threads against ours with one, N = 1024
//   power_spectrum_sf    ours against the chain of stock blocks, N = 4096, average 100
// Prints a table; --csv FILE writes it with a head that names machine, versions and
// commit.

#include "phantom_blocks.h"
#include <algorithm>
#include <boost/program_options.hpp>
#include <fstream>
#include <functional>
#include <gnuradio/blocks/complex_to_mag_squared.h>
#include <gnuradio/blocks/integrate.h>
#include <gnuradio/blocks/interleaved_short_to_complex.h>
#include <gnuradio/blocks/nlog10_ff.h>
#include <gnuradio/blocks/stream_to_vector.h>
#include <gnuradio/constants.h>
#include <gnuradio/fft/fft_v.h>
#include <gnuradio/fft/window.h>
#include <gnuradio/gpufft/engine.h>
#include <gnuradio/gpufft/fft_v.h>
#include <gnuradio/gpufft/power_spectrum.h>
#include <gnuradio/logger.h>
#include <gnuradio/top_block.h>
#include <iostream>
#include <string>
#include <thread>
#include <vector>

using namespace gr;

namespace {

struct options {
    std::string engine;
    std::string csv;
    std::string only;
    int repeats = 0;
    double seconds = 0;
};

// A chain of blocks that can be built anew for every run.
struct contender {
    std::string name;
    int threads;
    std::function<std::vector<basic_block_sptr>()> build;
};

struct contest {
    std::string name;
    int n;
    std::size_t input_item_bytes;
    std::size_t output_item_bytes;
    double inputs_per_output;  // items
    double samples_per_output; // complex samples
    contender ours;
    contender other;
};

// Samples a second of one run over about `samples` samples.
double run_once(const contest& match, const contender& side, double samples)
{
    const double outputs = std::max(4.0, samples / match.samples_per_output);
    const auto items = static_cast<std::uint64_t>(outputs * match.inputs_per_output);
    const auto source =
        std::make_shared<gpufft::phantom_source>(match.input_item_bytes, items);
    const auto sink = std::make_shared<gpufft::phantom_sink>(match.output_item_bytes);

    top_block_sptr flowgraph = make_top_block(match.name);
    basic_block_sptr last = source;
    for (const basic_block_sptr& block : side.build()) {
        flowgraph->connect(last, 0, block, 0);
        last = block;
    }
    flowgraph->connect(last, 0, sink, 0);
    flowgraph->run();
    return sink->items_per_second() * match.samples_per_output;
}

// Samples for a run of about `seconds`.
double calibrate(const contest& match, const contender& side, double seconds)
{
    double samples = 1 << 22;
    double rate = run_once(match, side, samples);
    while (rate == 0) {
        samples *= 4;
        rate = run_once(match, side, samples);
    }
    return std::max(samples, rate * seconds);
}

struct rates {
    std::vector<double> values;
    double median() const { return values[values.size() / 2]; }
    double min() const { return values.front(); }
    double max() const { return values.back(); }
};

class report
{
public:
    explicit report(const options& wanted)
    {
        if (wanted.csv.empty())
            return;
        d_csv.exceptions(std::ios::failbit | std::ios::badbit);
        d_csv.open(wanted.csv);
        d_csv << "# cpu: " << cpu_model() << ", " << std::thread::hardware_concurrency()
              << " cores\n# GNU Radio " << gr::version() << ", gr-gpufft "
              << gpufft::version() << ", commit " << GPUFFT_COMMIT
              << "\n# bench_flowgraph"
              << " --engine " << wanted.engine << " --repeats " << wanted.repeats
              << " --seconds " << wanted.seconds << "\n"
              << "case,n,block,threads,msps_median,msps_min,msps_max,ratio_to_other\n";
    }

    void add(const contest& match, const rates& ours, const rates& other)
    {
        const double ratio = ours.median() / other.median();
        write(match, match.ours, ours, ratio);
        write(match, match.other, other, 1);
        std::cout << match.name << " n=" << match.n << ": " << match.ours.name << " "
                  << ours.median() / 1e6 << " Msps, " << match.other.name << " "
                  << other.median() / 1e6 << " Msps, ratio " << ratio << std::endl;
    }

private:
    static std::string cpu_model()
    {
        std::ifstream info("/proc/cpuinfo");
        for (std::string line; std::getline(info, line);)
            if (line.rfind("model name", 0) == 0)
                return line.substr(line.find(':') + 2);
        return "unknown";
    }

    void write(const contest& match, const contender& side, const rates& r, double ratio)
    {
        if (d_csv.is_open())
            d_csv << match.name << ',' << match.n << ',' << side.name << ','
                  << side.threads << ',' << r.median() / 1e6 << ',' << r.min() / 1e6
                  << ',' << r.max() / 1e6 << ',' << ratio << std::endl;
    }

    std::ofstream d_csv;
};

void compete(const contest& match, const options& wanted, report& out)
{
    if (!wanted.only.empty() && wanted.only != match.name)
        return;
    try {
        match.ours.build();
    } catch (const std::invalid_argument& refusal) { // a length that the engine lacks
        std::cout << match.name << " n=" << match.n << ": " << refusal.what()
                  << std::endl;
        return;
    }
    const double ours_samples = calibrate(match, match.ours, wanted.seconds);
    const double other_samples = calibrate(match, match.other, wanted.seconds);
    rates ours;
    rates other;
    for (int turn = 0; turn < wanted.repeats; turn++) {
        ours.values.push_back(run_once(match, match.ours, ours_samples));
        other.values.push_back(run_once(match, match.other, other_samples));
    }
    std::sort(ours.values.begin(), ours.values.end());
    std::sort(other.values.begin(), other.values.end());
    out.add(match, ours, other);
}

contender our_fft(int n, int threads, const std::string& engine)
{
    return { "gpufft.fft_vcc", threads, [=]() -> std::vector<basic_block_sptr> {
                return { gpufft::fft_vcc_fwd::make(
                    n, fft::window::blackmanharris(n), false, threads, engine) };
            } };
}

contender stock_fft(int n)
{
    return { "fft.fft_vcc", 1, [=]() -> std::vector<basic_block_sptr> {
                return { fft::fft_v<gr_complex, true>::make(
                    n, fft::window::blackmanharris(n), false, 1) };
            } };
}

contest fft_contest(const std::string& name, int n, contender ours, contender other)
{
    const std::size_t bytes = n * sizeof(gr_complex);
    return { name, n, bytes, bytes, 1, double(n), ours, other };
}

contest power_contest(int n, int average, const std::string& engine)
{
    contender ours = { "gpufft.power_spectrum_sf",
                       0,
                       [=]() -> std::vector<basic_block_sptr> {
                           return { gpufft::power_spectrum_sf::make(n,
                                                                    std::nullopt,
                                                                    "blackmanharris",
                                                                    average,
                                                                    "db",
                                                                    false,
                                                                    "spectrum",
                                                                    1.0,
                                                                    1.0,
                                                                    0,
                                                                    engine) };
                       } };
    contender stock = { "chain of stock blocks",
                        1,
                        [=]() -> std::vector<basic_block_sptr> {
                            return {
                                blocks::interleaved_short_to_complex::make(
                                    false, false, 32768),
                                blocks::stream_to_vector::make(sizeof(gr_complex), n),
                                fft::fft_v<gr_complex, true>::make(
                                    n, fft::window::blackmanharris(n), false, 1),
                                blocks::complex_to_mag_squared::make(n),
                                blocks::integrate_ff::make(average, n),
                                blocks::nlog10_ff::make(10, n, 0),
                            };
                        } };
    return {
        "power_spectrum_sf", n,    sizeof(short), n * sizeof(float), 2.0 * n * average,
        double(n) * average, ours, stock
    };
}

options parse(int argc, char** argv)
{
    namespace po = boost::program_options;
    options wanted;
    po::options_description described("bench_flowgraph: flowgraphs of ours beside GNU "
                                      "Radio's");
    described.add_options()("help", "show this text")(
        "engine",
        po::value(&wanted.engine)->default_value("cpu"),
        "engine of our blocks: auto, cuda or cpu")(
        "csv", po::value(&wanted.csv), "write the figures to this file")(
        "case",
        po::value(&wanted.only),
        "only fft_vcc, fft_vcc_threads or power_spectrum_sf")(
        "repeats",
        po::value(&wanted.repeats)->default_value(9),
        "runs of each, at least 1; the median counts")(
        "seconds", po::value(&wanted.seconds)->default_value(0.3), "length of a run");
    po::variables_map given;
    po::store(po::parse_command_line(argc, argv, described), given);
    po::notify(given);
    if (given.count("help")) {
        std::cout << described;
        std::exit(0);
    }
    if (wanted.repeats < 1)
        throw std::invalid_argument("repeats must be at least 1");
    return wanted;
}

} // namespace

int main(int argc, char** argv)
{
    try {
        const options wanted = parse(argc, argv);
        gr::logging::singleton().set_default_level(gr::log_level::err);
        report out(wanted);
        for (int n = 64; n <= 65536; n *= 2)
            compete(fft_contest("fft_vcc", n, our_fft(n, 1, wanted.engine), stock_fft(n)),
                    wanted,
                    out);
        compete(fft_contest("fft_vcc_threads",
                            1024,
                            our_fft(1024, 2, wanted.engine),
                            our_fft(1024, 1, wanted.engine)),
                wanted,
                out);
        compete(power_contest(4096, 100, wanted.engine), wanted, out);
        return 0;
    } catch (const std::exception& error) {
        std::cerr << "bench_flowgraph: " << error.what() << std::endl;
        return 1;
    }
}
