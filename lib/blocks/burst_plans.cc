// SPDX-License-Identifier: GPL-3.0-or-later
//
// Finds, makes and drops the plans of bursts.

#include "burst_plans.h"
#include <algorithm>

namespace gr {
namespace gpufft {

plan& burst_plans::get(const problem& what, const std::function<plan::uptr()>& make)
{
    const std::string name = what.to_string();
    const auto found = std::find_if(d_entries.begin(),
                                    d_entries.end(),
                                    [&](const entry& each) { return each.name == name; });
    d_has_changed = d_entries.empty() || found != d_entries.begin();
    if (found != d_entries.end()) {
        d_entries.splice(d_entries.begin(), d_entries, found);
        return *d_entries.front().made;
    }
    // before making a plan, so that the limits hold at any time
    while (!d_entries.empty() &&
           (d_entries.size() >= d_most_plans || d_points + what.n > MOST_POINTS)) {
        d_points -= d_entries.back().made->what().n;
        d_entries.pop_back();
    }
    d_entries.push_front({ name, make(), {} });
    d_points += what.n;
    return *d_entries.front().made;
}

void burst_plans::set_window(const std::vector<float>& taps)
{
    entry& last = d_entries.front();
    if (last.window == taps)
        return;
    last.made->set_window(taps);
    last.window = taps;
}

void burst_plans::clear()
{
    d_entries.clear();
    d_points = 0;
}

} // namespace gpufft
} // namespace gr
