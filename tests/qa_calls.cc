// SPDX-License-Identifier: GPL-3.0-or-later
//
// The same bits however frames are dealt out to calls: the kernels on the host engine.
// Means, whose sums frame_groups.h orders, and parts of filters have their own tests.

#include "host_cluster_cases.h"
#include "host_pipelined_cases.h"
#include "host_problems.h"
#include "host_storage_problems.h"
#include "host_tensor_cases.h"
#include "planner/planner.h"
#include "recipe_checks.h"

#include <gtest/gtest.h>

using namespace gr::gpufft;

namespace {

// Rows of odd length that share a transform are told by the problem: see problem::alone.
bool may_differ(const problem& what)
{
    const bool is_real = what.kind == transform_kind::r2c ||
                         what.kind == transform_kind::c2r || what.is_real_to_real();
    return what.average > 1 || what.smoothing != 1.0 || what.hold != hold_kind::none ||
           (is_real && !what.alone);
}

void expect_same_bits(const std::vector<recipe_case>& cases)
{
    constexpr std::size_t FRAMES = 6, LONGEST = 5000;
    std::size_t compared = 0;
    for (const recipe_case& each : cases) {
        if (may_differ(each.what) || each.what.n > LONGEST)
            continue;
        EXPECT_FALSE(differs_between_calls(each, FRAMES))
            << each.what.to_string() << " by " << each.how.to_text();
        ++compared;
    }
    EXPECT_GT(compared, cases.size() / 3);
}

std::vector<recipe_case> planned(const std::vector<problem>& problems)
{
    std::vector<recipe_case> cases;
    for (const problem& what : problems)
        cases.push_back({ what, make_recipe(what) });
    return cases;
}

} // namespace

TEST(HostCalls, EveryLoadAndStoreStep)
{
    expect_same_bits(planned(host_step_problems()));
    expect_same_bits(planned(host_storage_problems()));
}

TEST(HostCalls, CopiesByTheCardAndByThreads) { expect_same_bits(host_pipelined_cases()); }

TEST(HostCalls, Clusters) { expect_same_bits(host_cluster_cases()); }

TEST(HostCalls, SeveralAxes) { expect_same_bits(host_tensor_cases()); }
