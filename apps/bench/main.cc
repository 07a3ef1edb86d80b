// SPDX-License-Identifier: GPL-3.0-or-later
//
// gpufft-bench: times problems on our plans, cuFFT and VkFFT in one process; or tunes
// them.

#include "option_values.h"
#include "random_problems.h"
#include "report.h"
#include "tuning_run.h"
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <gnuradio/gpufft/engine.h>
#include <set>
#include <sstream>
#include <stdexcept>

using namespace gr::gpufft;

namespace {

const char* const USAGE = R"(gpufft-bench [OPTIONS] [PROBLEM...]
Times transforms beside cuFFT and VkFFT on a GPU, or on the CPU.

  PROBLEM            e.g. c2c_forward_n1009_b3_algorithm=bluestein
  --board            the lists pow2_small, pow2_mid, pow2_large, smooth, prime, real, dct,
                     2d and 3d; writes docs/results/board_CARD.csv (in the working folder
                     where there is no docs/results)
  --random SEED      problems drawn at random, of the families smooth_to_8192,
                     smooth_larger, prime, k_times_prime, real, dct_or_dst, 2d, 3d,
                     small_batches and double; writes random_SEED_CARD.csv as --board does
  --rows R           of --random (default 150)
  --family NAME      one list, or several: NAME,NAME; with --random only these families
  --list             prints the lists and their problems, or those of --random, and ends
  --out-of-place     only so
  --in-place         only so: the output overwrites the input. Without the two, all
                     problems run out of place, and then in place those whose rows are as
                     long as their frames
  --no-wisdom        takes the recipes with the lowest estimates, measured ones or not
  --elements E       n * batch of the lists that fill the card (default 134217728)
  --runs R           timed runs (default 30, at least 3)
  --spread           measures all twice, and shows by how much that differs
  --plans            also times the making of plans, first without stored kernels
  --effort NAME      estimate (default) or measure
  --engine NAME      cuda (default) or cpu
  --device D         index of the GPU (default 0)
  --threads T        of the cpu engine (default 1; 0 is one for each core)
  --no-cufft, --no-vkfft
  --csv PATH         a file, or a folder for LIST_CARD.csv; beside it _details.csv with
                     least and longest times, plan times, scratch bytes and recipes
  --tune             instead: times the ways to compute each problem, keeps the fastest as
                     wisdom, and prints it: card | problem | recipe
  --candidates K     of --tune (default 24); prints the times of all
  --commit TEXT      for the head of the CSV (default: the commit it was built from)
)";

constexpr std::size_t CANDIDATES = 24; // of --tune

struct command_line {
    bench_settings bench;
    std::vector<std::string> problems, lists;
    std::string seed; // of --random; empty: none
    std::size_t random_rows = 150;
    bool in_place = false, out_of_place = false; // neither: both
    std::size_t elements = std::size_t(1) << 27;
    bool cpu = false;
    bool spread = false;
    bool show_lists = false;
    bool tune = false;
    std::size_t candidates = 0; // 0: the default, and only the fastest is shown
    std::string csv;
    std::string commit = GPUFFT_COMMIT;
    std::string text = "gpufft-bench";
};

std::size_t to_choice(const std::string& option,
                      const std::string& text,
                      const std::vector<std::string>& names)
{
    std::string all;
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (text == names[i])
            return i;
        all += (i > 0 ? " or " : "") + names[i];
    }
    throw std::invalid_argument(option + " is \"" + text + "\", but must be " + all);
}

// False if it is not one of those that stand alone.
bool read_flag(const std::string& option, command_line& line)
{
    if (option == "--board")
        line.lists.emplace_back("board");
    else if (option == "--list")
        line.show_lists = true;
    else if (option == "--spread")
        line.spread = true;
    else if (option == "--tune")
        line.tune = true;
    else if (option == "--plans")
        line.bench.plans = true;
    else if (option == "--in-place")
        line.in_place = true;
    else if (option == "--out-of-place")
        line.out_of_place = true;
    else if (option == "--no-wisdom")
        line.bench.wisdom = false;
    else if (option == "--no-cufft")
        line.bench.cufft = false;
    else if (option == "--no-vkfft")
        line.bench.vkfft = false;
    else
        return false;
    return true;
}

void read_option(const std::string& option, const std::string& value, command_line& line)
{
    const std::size_t most = std::size_t(1) << 36;
    const auto number = [&](std::size_t least, std::size_t greatest) {
        return static_cast<int>(to_number(option, value, least, greatest));
    };
    if (option == "--family") {
        std::istringstream names(value);
        for (std::string name; std::getline(names, name, ',');)
            line.lists.push_back(name);
    } else if (option == "--random") {
        line.seed = std::to_string(to_number(option, value, 0, most));
    } else if (option == "--rows") {
        line.random_rows = to_number(option, value, 1, 100000);
    } else if (option == "--elements") {
        line.elements = to_number(option, value, 1, most);
    } else if (option == "--runs") {
        line.bench.runs = number(3, 100000);
    } else if (option == "--effort") {
        line.bench.effort = to_choice(option, value, { "estimate", "measure" }) == 1
                                ? planning_effort::measure
                                : planning_effort::estimate;
    } else if (option == "--engine") {
        line.cpu = to_choice(option, value, { "cuda", "cpu" }) == 1;
    } else if (option == "--device") {
        line.bench.device = number(0, 1023);
    } else if (option == "--threads") {
        line.bench.threads = number(0, 1024);
    } else if (option == "--candidates") {
        line.candidates = to_number(option, value, 1, 1000);
    } else if (option == "--csv") {
        line.csv = value;
    } else if (option == "--commit") {
        line.commit = value;
    } else {
        throw std::invalid_argument("unknown option " + option +
                                    " (see gpufft-bench --help)");
    }
}

command_line read_arguments(int argc, char** argv)
{
    command_line line;
    for (int i = 1; i < argc; ++i) {
        const std::string word = argv[i];
        line.text += " " + word;
        if (word.rfind("--", 0) != 0) {
            line.problems.push_back(word);
        } else if (!read_flag(word, line)) {
            if (i + 1 == argc)
                throw std::invalid_argument(word +
                                            " needs a value (see gpufft-bench --help)");
            line.text += " " + std::string(argv[i + 1]);
            read_option(word, argv[++i], line);
        }
    }
    return line;
}

// The problems of --random, of the families named if any is.
std::vector<bench_case> random_cases(const command_line& line)
{
    std::vector<bench_case> cases;
    std::set<std::string> families;
    for (const bench_case& each :
         random_problems(std::stoull(line.seed), line.random_rows, line.elements)) {
        families.insert(each.family);
        if (line.lists.empty() ||
            std::count(line.lists.begin(), line.lists.end(), each.family) > 0)
            cases.push_back(each);
    }
    std::string known;
    for (const std::string& family : families)
        known += (known.empty() ? "" : ", ") + family;
    for (const std::string& name : line.lists)
        if (families.count(name) == 0)
            throw std::invalid_argument("there is no family \"" + name +
                                        "\" among the random problems: use " + known);
    return cases;
}

std::vector<bench_case> cases_of(const command_line& line)
{
    std::vector<bench_case> cases;
    if (!line.seed.empty())
        cases = random_cases(line);
    else
        for (const std::string& list : line.lists)
            for (const bench_case& each : problems_of(list, line.elements))
                cases.push_back(each);
    for (const std::string& text : line.problems) {
        const bench_case each = { "problem", problem::from_string(text) };
        each.what.validate();
        cases.push_back(each);
    }
    if (cases.empty())
        throw std::invalid_argument(
            "no problem to time: name one, e.g. c2c_forward_n1024_b1000, or --board, or "
            "--random 1, or a list (see gpufft-bench --help)");
    if (line.in_place == line.out_of_place)
        return placed_cases(cases, true, !line.tune && !line.bench.plans);
    cases = placed_cases(cases, line.out_of_place, line.in_place);
    if (cases.empty())
        throw std::invalid_argument(
            "none of the problems can be in place: the rows of all "
            "differ in length from their frames");
    return cases;
}

// Where the CSV goes; empty for nowhere.
std::string csv_path(const command_line& line, const std::string& card)
{
    namespace fs = std::filesystem;
    const std::string list = !line.seed.empty()    ? "random_" + line.seed
                             : !line.lists.empty() ? line.lists.front()
                                                   : "bench";
    const std::string name = list + "_" + card + ".csv";
    if (!line.csv.empty())
        return fs::is_directory(line.csv) ? (fs::path(line.csv) / name).string()
                                          : line.csv;
    if (list != "board" && line.seed.empty())
        return "";
    const fs::path folder = "docs/results";
    return fs::is_directory(folder) ? (folder / name).string() : name;
}

// Before all the work. Throws std::runtime_error if there can be no such file.
void check_writable(const std::string& path)
{
    const bool is_there = std::filesystem::exists(path);
    if (!std::ofstream(path, std::ios::app))
        throw std::runtime_error("cannot write " + path);
    if (!is_there)
        std::filesystem::remove(path);
}

bench_run
run_all(bench_engine& bench, const std::vector<bench_case>& cases, bool times_plans)
{
    bench_run run;
    run.copy_rate = bench.measure_copy_rate(run.copy_text);
    std::printf("copy rate: %s\n", run.copy_text.c_str());
    const int columns = columns_for(cases);
    print_titles(columns);
    for (const bench_case& each : cases) {
        run.rows.push_back(bench.measure(each));
        print_row(run.rows.back(), run.copy_rate, columns);
    }
    print_families(run);
    if (times_plans)
        print_plan_times(run);
    return run;
}

std::string
csv_head(const command_line& line, const bench_engine& bench, const bench_run& run)
{
    std::ostringstream text;
    text
        << bench.head() << "# commit: " << line.commit
        << "\n# copy rate: " << run.copy_text << "\n# command: " << line.text
        << "\n# eff: bytes read and written once / time / copy rate. Times: median of "
        << line.bench.runs
        << " runs; single transforms, and data below 4 times the L2 cache, back to back, "
           "mean of such a run. Errors: relative L2 of some frames "
           "against FFTW in double, of f64 in long double\n";
    return text.str();
}

// Once all that could be measured is on paper.
void check_failures(const bench_run& run)
{
    std::size_t failed = 0;
    std::string first;
    for (const measurement& row : run.rows)
        if (row.has_failed && failed++ == 0)
            first = row.what.to_string();
    if (failed > 0)
        throw std::runtime_error(std::to_string(failed) + " of " +
                                 std::to_string(run.rows.size()) +
                                 " problems failed, first of all " + first);
}

// "x_details.csv" for "x.csv"
std::string details_path(const std::string& path)
{
    const std::filesystem::path whole = path;
    return (whole.parent_path() / (whole.stem().string() + "_details.csv")).string();
}

void run(const command_line& line)
{
    const std::vector<bench_case> cases = cases_of(line);
    if (line.tune) {
        const bool shows_all = line.candidates > 0;
        run_tuning(cases,
                   line.bench.device,
                   shows_all ? line.candidates : CANDIDATES,
                   shows_all);
        return;
    }
    const std::unique_ptr<bench_engine> bench =
        line.cpu ? make_cpu_bench(line.bench) : make_gpu_bench(line.bench);
    const std::string path = csv_path(line, bench->card());
    if (!path.empty())
        check_writable(path);
    std::printf("%s", bench->head().c_str());
    bench->prepare(cases);
    const bench_run first = run_all(*bench, cases, line.bench.plans);
    bench_run second;
    if (line.spread) {
        second = run_all(*bench, cases, false);
        print_spread(first, second);
    }
    if (!path.empty()) {
        const std::string head = csv_head(line, *bench, first);
        write_csv(path, head, first);
        if (std::filesystem::is_regular_file(path)) // no file beside a pipe or a device
            write_details(
                details_path(path), head, first, line.spread ? &second : nullptr);
        std::printf("written: %s\n", path.c_str());
    }
    check_failures(first);
    check_failures(second);
}

void show_lists(const command_line& line)
{
    if (!line.seed.empty()) {
        for (const bench_case& each : random_cases(line))
            std::printf("    %s\n", each.what.to_string().c_str());
        return;
    }
    for (const std::string& name : line.lists.empty() ? list_names() : line.lists) {
        std::printf("%s\n", name.c_str());
        for (const bench_case& each : problems_of(name, line.elements))
            std::printf("    %s\n", each.what.to_string().c_str());
    }
}

} // namespace

int main(int argc, char** argv)
{
    try {
        for (int i = 1; i < argc; ++i)
            if (std::string(argv[i]) == "--help") {
                std::printf("%s", USAGE);
                return 0;
            }
        const command_line line = read_arguments(argc, argv);
        line.show_lists ? show_lists(line) : run(line);
    } catch (const std::invalid_argument& error) {
        std::fprintf(stderr, "gpufft-bench: %s\n", error.what());
        return 2;
    } catch (const std::bad_alloc&) {
        std::fprintf(stderr, "gpufft-bench: out of memory: take fewer --elements\n");
        return 1;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "gpufft-bench: %s\n", error.what());
        return 1;
    }
    return 0;
}
