// SPDX-License-Identifier: GPL-3.0-or-later
//
// Reads PTX, and finds where a block tells others of its cluster that it has read its
// shared memory, while its own loads may still be on their way: bar.sync alone does not
// wait for them, and what another block then writes may be there first.

#ifndef INCLUDED_GPUFFT_PTX_READS_H
#define INCLUDED_GPUFFT_PTX_READS_H

#include <sstream>
#include <string>
#include <vector>

namespace gr {
namespace gpufft {

// The arrivals whose bar.sync follows a load from shared memory, without a fence or a
// store (whose value was computed from what was read) in between.
inline std::vector<std::string> arrivals_before_reads_end(const std::string& ptx)
{
    enum class access { none, load, ended };
    std::vector<std::string> found;
    access last = access::none, at_barrier = access::none;
    std::istringstream lines(ptx);
    for (std::string line; std::getline(lines, line);) {
        const auto has = [&](const char* name) {
            return line.find(name) != std::string::npos;
        };
        if (has("ld.shared"))
            last = access::load;
        else if (has("st.shared") || has("fence.acq_rel.cta"))
            last = access::ended;
        else if (has("bar.sync"))
            at_barrier = last;
        else if ((has("barrier.cluster.arrive.relaxed") ||
                  has("mbarrier.arrive.shared::cluster")) &&
                 at_barrier == access::load)
            found.push_back(line);
    }
    return found;
}

} // namespace gpufft
} // namespace gr

#endif
