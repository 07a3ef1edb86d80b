// SPDX-License-Identifier: GPL-3.0-or-later
//
// Lending plans, and throwing out the least recently used.

#include "plan_cache.h"

#include <algorithm>
#include <atomic>
#include <pthread.h>
#include <utility>

namespace gr {
namespace gpufft {

namespace {

// Never destroyed: at the process's end a plan's driver may be gone before it.
std::atomic<plan_cache*> s_cache{ nullptr };

} // namespace

plan_cache& plan_cache::get()
{
    static const bool ready = [] {
        s_cache = new plan_cache;
        pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
        return true;
    }();
    (void)ready;
    return *s_cache;
}

// The child must find FFTW's planner, which d_planning guards here, at rest.
void plan_cache::before_fork()
{
    s_cache.load()->d_planning.lock();
    s_cache.load()->d_mutex.lock();
}

void plan_cache::after_fork_in_parent()
{
    s_cache.load()->d_mutex.unlock();
    s_cache.load()->d_planning.unlock();
}

void plan_cache::after_fork_in_child()
{
    plan_cache* fresh = new plan_cache;
    fresh->d_capacity = s_cache.load()->d_capacity;
    s_cache = fresh;
}

std::size_t plan_cache::key_hash::operator()(const key& words) const
{
    std::size_t hash = 0xcbf29ce484222325;
    for (std::size_t word : words) {
        hash = (hash ^ word) * 0x9e3779b97f4a7c15;
        hash ^= hash >> 32;
    }
    return hash;
}

plan_cache::loan::loan(plan_cache& owner, std::shared_ptr<entry> place, plan::uptr lent)
    : d_owner(owner),
      d_place(std::move(place)),
      d_plan(std::move(lent))
{
}

plan_cache::loan::~loan()
{
    if (d_plan)
        d_owner.give_back(d_place, std::move(d_plan));
}

plan_cache::loan plan_cache::borrow(const key& wanted,
                                    std::size_t threads,
                                    const std::function<plan::uptr()>& make)
{
    std::shared_ptr<entry> place;
    {
        std::lock_guard<std::mutex> lock(d_mutex);
        const auto found = d_index.find(wanted);
        if (found != d_index.end()) {
            place = found->second;
            d_entries.splice(d_entries.begin(), d_entries, place->place);
            if (!place->idle.empty()) {
                plan::uptr lent = std::move(place->idle.back());
                place->idle.pop_back();
                count(*place, -1);
                ++d_hits;
                return loan(*this, std::move(place), std::move(lent));
            }
        }
        ++d_misses;
    }
    plan::uptr made;
    {
        std::lock_guard<std::mutex> lock(d_planning);
        made = make();
    }
    if (!place) {
        place = std::make_shared<entry>();
        place->words = wanted;
        place->problem = made->what().to_string();
        place->engine = to_string(made->engine());
        place->points = made->engine() == engine_kind::cuda
                            ? std::max(made->what().n, POINTS_ON_GPU)
                            : made->what().n;
        place->threads = threads > 1 ? threads : 0;
        std::lock_guard<std::mutex> lock(d_mutex);
        const auto [found, is_new] = d_index.emplace(wanted, place);
        if (is_new)
            place->place = d_entries.insert(d_entries.begin(), place);
        else // another thread was faster
            place = found->second;
    }
    return loan(*this, std::move(place), std::move(made));
}

void plan_cache::give_back(const std::shared_ptr<entry>& place, plan::uptr lent)
{
    std::vector<plan::uptr> unwanted;
    {
        std::lock_guard<std::mutex> lock(d_mutex);
        if (place->is_listed) {
            place->idle.push_back(std::move(lent));
            count(*place, 1);
            unwanted = evict();
        } else // cleared or thrown out meanwhile
            unwanted.push_back(std::move(lent));
    }
    destroy(std::move(unwanted));
}

// FFTW's planner destroys its plans, too.
void plan_cache::destroy(std::vector<plan::uptr> plans)
{
    if (plans.empty())
        return;
    std::lock_guard<std::mutex> lock(d_planning);
    plans.clear();
}

void plan_cache::count(const entry& plans, std::ptrdiff_t idle)
{
    d_idle += idle;
    d_points += idle * plans.points;
    d_threads += idle * plans.threads;
}

bool plan_cache::is_full() const
{
    const bool is_large = d_points > MOST_POINTS || d_threads > MOST_THREADS;
    return d_idle > d_capacity || (is_large && d_idle > 1);
}

std::vector<plan::uptr> plan_cache::evict()
{
    std::vector<plan::uptr> evicted;
    while (!d_entries.empty() && is_full())
        remove(d_entries.back(), evicted);
    return evicted;
}

// Takes it out of the list, its idle plans for destroy().
void plan_cache::remove(std::shared_ptr<entry> listed, std::vector<plan::uptr>& unwanted)
{
    for (plan::uptr& each : listed->idle)
        unwanted.push_back(std::move(each));
    count(*listed, -static_cast<std::ptrdiff_t>(listed->idle.size()));
    listed->idle.clear();
    listed->is_listed = false;
    d_index.erase(listed->words);
    d_entries.erase(listed->place);
}

plan_cache::info plan_cache::query()
{
    std::lock_guard<std::mutex> lock(d_mutex);
    info now{ d_idle, d_capacity, d_hits, d_misses, {} };
    for (const std::shared_ptr<entry>& each : d_entries)
        now.recent.push_back({ each->problem, each->engine, each->idle.size() });
    return now;
}

void plan_cache::set_capacity(std::size_t plans)
{
    std::vector<plan::uptr> unwanted;
    {
        std::lock_guard<std::mutex> lock(d_mutex);
        d_capacity = plans;
        unwanted = evict();
    }
    destroy(std::move(unwanted));
}

void plan_cache::leave_gpus()
{
    std::vector<plan::uptr> unwanted;
    {
        std::lock_guard<std::mutex> lock(d_mutex);
        std::vector<std::shared_ptr<entry>> there;
        for (const std::shared_ptr<entry>& each : d_entries)
            if (each->engine == to_string(engine_kind::cuda))
                there.push_back(each);
        for (const std::shared_ptr<entry>& each : there)
            remove(each, unwanted);
    }
    destroy(std::move(unwanted));
}

void plan_cache::clear()
{
    std::vector<plan::uptr> unwanted;
    {
        std::lock_guard<std::mutex> lock(d_mutex);
        while (!d_entries.empty())
            remove(d_entries.back(), unwanted);
        d_hits = d_misses = 0;
    }
    destroy(std::move(unwanted));
}

} // namespace gpufft
} // namespace gr
