// SPDX-License-Identifier: GPL-3.0-or-later
//
// The break-even file: damaged lines are ignored, a table that is found is sane, and a
// table that is stored is found beside whatever the file held.

#include "engine/break_even_file.h"
#include "fuzz_checks.h"
#include <cmath>

using namespace gr::gpufft;

namespace {

// The file is read once for each name of the folder: two take turns.
void use_folder(const scratch_folder& folder, const std::uint8_t* data, std::size_t size)
{
    static int turn = 0;
    const std::string name = std::to_string(++turn % 2);
    std::filesystem::create_directories(folder.path(name));
    folder.write(name + "/break_even.txt", data, size);
    setenv("GPUFFT_CACHE_DIR", folder.path(name).c_str(), 1);
}

break_even table()
{
    break_even known;
    known.what = problem::from_string("c2c_forward_n64_b1");
    known.cpu = "cpu";
    known.card = "card";
    return known;
}

void check_sane(const std::vector<chunk_times>& chunks)
{
    std::size_t least = 1;
    for (const chunk_times& each : chunks) {
        demand(each.frames >= least, "frames grow");
        demand(std::isfinite(each.cpu + each.cuda + each.cuda_delay), "times are finite");
        least = each.frames + 1;
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    static const scratch_folder folder;
    use_folder(folder, data, size);
    break_even known = table();
    if (const auto found = find_chunk_times(known))
        check_sane(*found);
    known.chunks = { { 1, 1e-6, 2e-6, 3e-6 }, { 4, 4e-6, 2e-6, 3e-6 } };
    store_chunk_times(known);
    use_folder(folder, nullptr, 0); // forgets it
    demand(!find_chunk_times(known), "an empty file has no table");
    return 0;
}
