// SPDX-License-Identifier: GPL-3.0-or-later
//
// The plans of the burst lengths in use; drops the least recently used ones.

#ifndef INCLUDED_GPUFFT_BURST_PLANS_H
#define INCLUDED_GPUFFT_BURST_PLANS_H

#include <functional>
#include <gnuradio/gpufft/plan.h>
#include <list>
#include <string>
#include <vector>

namespace gr {
namespace gpufft {

class burst_plans
{
public:
    static constexpr std::size_t MOST_POINTS = std::size_t(1) << 24;

    explicit burst_plans(std::size_t most_plans) : d_most_plans(most_plans) {}

    // The plan of a problem, made by `make` if there is none; valid until the next call.
    plan& get(const problem& what, const std::function<plan::uptr()>& make);

    // Sets the taps of the plan returned last, unless it has them already.
    void set_window(const std::vector<float>& taps);

    // True if the plan returned last differs from the one before.
    bool has_changed() const { return d_has_changed; }

    std::size_t count() const { return d_entries.size(); }
    void clear();

private:
    struct entry {
        std::string name;
        plan::uptr made;
        std::vector<float> window;
    };

    const std::size_t d_most_plans;
    bool d_has_changed = false;
    std::size_t d_points = 0;   // points of all plans
    std::list<entry> d_entries; // most recently used first
};

} // namespace gpufft
} // namespace gr

#endif
