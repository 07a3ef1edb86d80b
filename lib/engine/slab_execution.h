// SPDX-License-Identifier: GPL-3.0-or-later
//
// Runs a slab_program: while one slab of a sweep is computed on a card, the next is
// uploaded and the previous one downloaded, from and to host memory or the other cards.
// With several cards each takes every n-th slab, or those that the program gives it, over
// its own link. Copies within a card have queues of their own, so that the
// link never waits for them.

#ifndef INCLUDED_GPUFFT_SLAB_EXECUTION_H
#define INCLUDED_GPUFFT_SLAB_EXECUTION_H

#include "chunk_pipeline.h"
#include "cpu/thread_pool.h"
#include "planner/slabs/slab_program.h"
#include <gnuradio/gpufft/plan.h>
#include <memory>
#include <vector>

namespace gr {
namespace gpufft {

// Where the slab_memory's are. The cards copy from and to what they reach (registered or
// pinned memory, and that of cards); the rest goes through pinned buffers, which threads
// of the CPU fill and empty.
struct slab_host {
    char* memory[HOST_MEMORIES] = {};
    bool is_reachable[HOST_MEMORIES] = {};

    // Of input and output that lie on cards, the part of each card; else empty.
    std::vector<char*> parts[HOST_MEMORIES];

    bool is_on_cards(const slab_copy& copy) const
    {
        return copy.at == slab_memory::cards || !parts[int(copy.at)].empty();
    }
    bool reaches(const slab_copy& copy) const
    {
        return is_on_cards(copy) || is_reachable[int(copy.at)];
    }
};

// The plans of a program's transforms, on each card.
typedef std::vector<std::vector<plan*>> slab_plans;

class slab_execution
{
public:
    explicit slab_execution(const std::vector<async_device::sptr>& devices);
    ~slab_execution();

    // Allocates the buffers of the program's slabs, and what the cards keep between its
    // sweeps. Throws cuda_error if there is no room for them.
    void reserve(const slab_program& program);

    // What runs next waits for all that is now on the streams, one of each card.
    void wait_for(const std::vector<void*>& streams);

    // Runs all sweeps, after reserve(), and waits for their end. Nothing is in flight
    // when it returns or throws.
    void run(const slab_program& program, const slab_plans& plans, const slab_host& host);

    // Frees what the cards keep between sweeps, which may be half of their memory.
    void release();

    std::size_t held_bytes() const; // of all cards, for slabs and between sweeps

private:
    static constexpr std::size_t SLOTS = chunk_pipeline::SLOTS;

    // Memory and events of one slab in flight.
    struct slot {
        growing_memory buffers[2], staged_input{ true }, staged_output{ true };
        std::shared_ptr<async_device::event> uploaded, loaded, computed;
        std::shared_ptr<async_device::event> stored, downloaded;   // both: the end
        std::vector<std::shared_ptr<async_device::event>> arrived; // from each card
        const slab* in_flight = nullptr;
    };
    struct card {
        explicit card(async_device::sptr which);
        async_device::sptr device;
        std::vector<bool> reaches;                         // the memory of each card
        std::unique_ptr<async_device::queue> upload, load; // load: within the card
        std::unique_ptr<async_device::queue> send;         // uploads of the other cards
        std::unique_ptr<async_device::queue> compute, store, download; // store: within
        slot slots[SLOTS];
        growing_memory kept;  // points between two sweeps
        std::size_t next = 0; // the slot of the next slab, which has been longest in use
    };
    // One of the two ways between a slab's buffer and the host or the other cards.
    struct passage {
        card& on;
        async_device::queue& queue;
        char* buffer;
        growing_memory& staged;
        bool within = false; // only the copies within the card; else all others
    };

    std::vector<std::vector<const slab*>> shares_of(const sweep& what) const;
    bool
    is_within(const passage& way, const slab_copy& copy, const slab_host& host) const;
    char* address_of(const slab_copy& copy, const slab_host& host) const;
    void submit(card& on,
                const slab& what,
                const std::vector<plan*>& plans,
                const slab_host& host);
    void compute(card& on,
                 slot& at,
                 const slab& what,
                 const std::vector<plan*>& plans,
                 const slab_host& host);
    void follow(card& on, slot& at, const slab& next, const slab_host& host);
    void finish(card& on, slot& at, const slab_host& host);
    void finish_all() noexcept;
    void upload(const passage& way, const slab& what, const slab_host& host);
    void download(const passage& way, const slab& what, const slab_host& host);

    // What other cards have of the upload: they send it, because a card that fetches
    // waits for each row.
    void receive(card& on, slot& at, const slab& what, const slab_host& host);
    void copy_on_host(const std::vector<slab_copy>& copies,
                      const slab_host& host,
                      char* staged,
                      bool to_host);

    std::vector<std::unique_ptr<card>> d_cards;
    bool d_is_double = false;
    std::unique_ptr<thread_pool> d_threads; // for staging; made when needed
};

} // namespace gpufft
} // namespace gr

#endif
