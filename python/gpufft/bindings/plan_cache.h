// SPDX-License-Identifier: GPL-3.0-or-later
//
// The plans that the array functions have made, kept for the next call of the same kind.
//
// A plan serves one thread at a time, so a call borrows one: an idle plan of this key, or
// a new one where all are lent. What comes back stays until it is the least recently used
// of more plans than the capacity, than MOST_POINTS points or than MOST_THREADS threads.

#ifndef INCLUDED_GPUFFT_PLAN_CACHE_H
#define INCLUDED_GPUFFT_PLAN_CACHE_H

#include <cstddef>
#include <functional>
#include <gnuradio/gpufft/plan.h>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

namespace gr {
namespace gpufft {

class plan_cache
{
    struct entry;

public:
    typedef std::vector<std::size_t> key;

    // The process's cache. After a fork the child has a new, empty one: its plans'
    // threads and their device stayed with the parent.
    static plan_cache& get();

    // A plan on loan; goes back when destroyed.
    class loan
    {
    public:
        loan(plan_cache& owner, std::shared_ptr<entry> place, plan::uptr lent);
        ~loan();
        loan(loan&&) = default;
        plan* operator->() const { return d_plan.get(); }
        void drop() { d_plan.reset(); } // and do not keep it

    private:
        plan_cache& d_owner;
        std::shared_ptr<entry> d_place;
        plan::uptr d_plan;
    };

    // `make` is called without a lock on the cache, by one thread at a time.
    // `threads` is how many the plan has.
    loan borrow(const key& wanted,
                std::size_t threads,
                const std::function<plan::uptr()>& make);

    struct plan_info {
        std::string problem;
        std::string engine;
        std::size_t idle; // plans of this problem that nobody uses now
    };

    struct info {
        std::size_t plans, capacity, hits, misses;
        std::vector<plan_info> recent; // most recently used first
    };

    info query();
    void set_capacity(std::size_t plans);
    void clear();      // also sets hits and misses to 0
    void leave_gpus(); // keeps no plan on them

    static constexpr std::size_t CAPACITY = 128;

    // Points of all idle plans: the scratch of a plan on the CPU grows with its points. A
    // plan on a GPU, which has buffers for chunks of many frames, counts as
    // POINTS_ON_GPU.
    static constexpr std::size_t MOST_POINTS = std::size_t(1) << 24;
    static constexpr std::size_t POINTS_ON_GPU = std::size_t(1) << 21;

    // Sleeping threads of all idle plans that have several.
    static constexpr std::size_t MOST_THREADS = 64;

private:
    struct key_hash {
        std::size_t operator()(const key& words) const;
    };

    struct entry {
        key words;
        std::string problem, engine;
        std::size_t points = 0, threads = 0;
        std::vector<plan::uptr> idle;
        bool is_listed = true;
        std::list<std::shared_ptr<entry>>::iterator place;
    };

    friend class loan;
    void count(const entry& plans, std::ptrdiff_t idle);
    bool is_full() const;
    void give_back(const std::shared_ptr<entry>& place, plan::uptr lent);
    std::vector<plan::uptr> evict(); // for destroy(), without the lock
    void remove(std::shared_ptr<entry> listed, std::vector<plan::uptr>& unwanted);
    void destroy(std::vector<plan::uptr> plans);

    static void before_fork();
    static void after_fork_in_parent();
    static void after_fork_in_child();

    std::mutex d_planning, d_mutex;
    std::list<std::shared_ptr<entry>> d_entries; // most recently used first
    std::unordered_map<key, std::shared_ptr<entry>, key_hash> d_index;
    std::size_t d_idle = 0, d_points = 0, d_threads = 0, d_capacity = CAPACITY;
    std::size_t d_hits = 0, d_misses = 0;
};

} // namespace gpufft
} // namespace gr

#endif
