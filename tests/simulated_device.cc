// SPDX-License-Identifier: GPL-3.0-or-later
//
// The simulated devices: their copies, kernels on memory, and waits.

#include "reference_slabs.h"
#include "simulated_queues.h"
#include <algorithm>
#include <chrono>
#include <cstring>
#include <stdexcept>

namespace gr {
namespace gpufft {

namespace {

using simulated::counted_event;
using simulated::last_of;
using simulated::legacy_queue;
using simulated::milestone;
using simulated::queue_of;
using simulated::worker_queue;

bool overlap(const char* a, const char* b, std::size_t bytes)
{
    const std::less<const char*> before;
    return before(a, b + bytes) && before(b, a + bytes);
}

class simulated_device : public async_device
{
public:
    explicit simulated_device(int index) : d_index(index) {}

    int index() const override { return d_index; }
    std::string name() const override
    {
        return "simulated device " + std::to_string(d_index);
    }

    std::unique_ptr<queue> make_queue() override
    {
        simulated::enter(d_index, "make_queue", simulated::call_kind::waits);
        return std::make_unique<worker_queue>(d_index);
    }
    std::unique_ptr<queue> borrow_queue(void* handle) override
    {
        if (handle != reinterpret_cast<void*>(1)) // CU_STREAM_LEGACY
            throw std::logic_error("only the legacy default stream is simulated");
        return std::make_unique<legacy_queue>(d_index);
    }
    std::shared_ptr<event> make_event(event_use use) override
    {
        simulated::enter(d_index, "make_event", simulated::call_kind::waits);
        return std::make_shared<counted_event>(d_index, use);
    }
    std::unique_ptr<memory> allocate(std::size_t bytes) override
    {
        simulated::enter(d_index, "allocate", simulated::call_kind::waits);
        return simulated::make_device_memory(d_index, bytes);
    }
    bool is_readable_from(int other) const override
    {
        return other == d_index || !simulated::s_cards_are_strangers;
    }
    void reach_memory_of(const async_device& other) override
    {
        simulated::enter(d_index, "reach_memory_of", simulated::call_kind::waits);
        if (!other.is_readable_from(d_index))
            throw cuda_error(217, "simulated: no peer access (217)");
    }
    std::optional<int> owner_of(const void* address) override
    {
        simulated::enter(d_index, "owner_of");
        const int owner = simulated::owner(address);
        return owner < 0 ? std::nullopt : std::optional<int>(owner);
    }
    std::size_t free_bytes() override
    {
        simulated::enter(d_index, "free_bytes");
        return simulated::s_free_bytes;
    }
    std::unique_ptr<ring> allocate_ring(std::size_t bytes) override
    {
        simulated::enter(d_index, "allocate_ring", simulated::call_kind::waits);
        return simulated::make_device_ring(d_index, bytes);
    }
    std::unique_ptr<memory> allocate_pinned(std::size_t bytes) override
    {
        simulated::enter(d_index, "allocate_pinned", simulated::call_kind::waits);
        return simulated::make_pinned_memory(d_index, bytes);
    }
    std::unique_ptr<registration>
    register_host(void* address,
                  std::size_t bytes,
                  std::shared_ptr<const void> owner) override
    {
        simulated::enter(d_index, "register_host", simulated::call_kind::waits);
        return simulated::make_registration(d_index, address, bytes, std::move(owner));
    }

    void copy(queue& on, void* to, const void* from, std::size_t bytes) override
    {
        simulated_queue::work work;
        work.fails = simulated::enter(d_index, "copy", simulated::call_kind::queues);
        check_reach(to);
        check_reach(from);
        if (overlap(static_cast<char*>(to), static_cast<const char*>(from), bytes))
            simulated::report("copy: source and destination overlap");
        work.bytes = bytes;
        work.begin = [=] {
            if (const auto target = simulated::reach(to, bytes, "copy to"))
                std::memset(target.get(), simulated::POISON, bytes);
        };
        work.finish = [=] {
            const auto target = simulated::reach(to, bytes, "copy to");
            const auto source = simulated::reach(from, bytes, "copy from");
            if (target && source)
                std::memmove(target.get(), source.get(), bytes);
            simulated::s_copies.fetch_add(1, std::memory_order_relaxed);
        };
        queue_of(on).submit(std::move(work));
    }

    bool computes_in_host_memory() const override
    {
        return simulated::s_computes_in_host_memory;
    }

    void copy_rows(queue& on,
                   void* to,
                   std::size_t to_pitch,
                   const void* from,
                   std::size_t pitch,
                   std::size_t row_bytes,
                   std::size_t rows) override
    {
        check_reach(to);
        check_reach(from);
        queue_rows(on, to, to_pitch, from, pitch, row_bytes, rows);
    }

    void copy_between(queue& on,
                      const device_rows& to,
                      const device_rows& from,
                      std::size_t row_bytes,
                      std::size_t rows) override
    {
        for (const device_rows& each : { to, from })
            if (simulated::owner(each.address) != each.owner.index())
                simulated::report("copy_between: the memory is not its owner's");
        queue_rows(on, to.address, to.pitch, from.address, from.pitch, row_bytes, rows);
    }

    void
    multiply(queue& on, void* points, const slab_twiddles& by, bool is_double) override
    {
        simulated_queue::work work;
        work.fails = simulated::enter(d_index, "multiply", simulated::call_kind::queues);
        const std::size_t bytes = by.rows * by.row_points * (is_double ? 16 : 8);
        work.bytes = bytes;
        work.finish = [=] {
            if (const auto there = simulated::reach(points, bytes, "multiply"))
                reference_twiddles(there.get(), by, is_double);
        };
        queue_of(on).submit(std::move(work));
    }
    void combine(queue& on,
                 void* to,
                 const void* from,
                 const slab_pairs& how,
                 bool is_double) override
    {
        simulated_queue::work work;
        work.fails = simulated::enter(d_index, "combine", simulated::call_kind::queues);
        const std::size_t bytes = (how.rows * how.pitch + 1) * (is_double ? 16 : 8);
        work.bytes = bytes;
        work.finish = [=] {
            const auto target = simulated::reach(to, bytes, "combine to");
            const auto source = simulated::reach(from, bytes, "combine from");
            if (target && source)
                reference_pairs(target.get(), source.get(), how, is_double);
        };
        queue_of(on).submit(std::move(work));
    }

    void to_streams(queue& on, const stream_move& how) override { move(on, how, true); }
    void from_streams(queue& on, const stream_move& how) override
    {
        move(on, how, false);
    }

    void record(event& what, queue& on) override
    {
        const bool fails =
            simulated::enter(d_index, "record", simulated::call_kind::records);
        const auto here = std::make_shared<milestone>();
        static_cast<counted_event&>(what).set(here);
        queue_of(on).push(
            [here, fails, device = d_index, held = queue_of(on).inner().get()] {
                if (fails)
                    simulated::strike(device);
                here->reach(held->time());
            });
    }
    void wait(queue& on, const event& what) override
    {
        simulated::enter(d_index, "wait");
        if (const auto there = last_of(what))
            queue_of(on).push([there, held = queue_of(on).inner().get()] {
                there->wait();
                held->wait_until(there->controlled_time());
            });
    }

    void synchronize(const event& what) override
    {
        simulated::enter(d_index, "synchronize(event)");
        if (static_cast<const counted_event&>(what).use == event_use::ordering)
            simulated::report("the CPU waits for an event that only orders queues");
        if (const auto there = last_of(what)) {
            wait_until([there] { return there->reached(); }, [&] { there->wait(); });
            if (simulated::controls_waits())
                simulated::ask_until(there->controlled_time(),
                                     simulated::state_of(d_index).watch);
            simulation::wait_until(there->controlled_time());
        }
        simulated::check_sound(d_index, "synchronize(event)");
    }
    void synchronize(queue& on) override
    {
        simulated::enter(d_index, "synchronize(queue)");
        const auto there = queue_of(on).inner();
        wait_until([there] { return there->is_idle(); }, [&] { there->drain(); });
        simulation::wait_until(there->time());
        simulated::check_sound(d_index, "synchronize(queue)");
    }
    bool hangs() const override { return simulated::state_of(d_index).watch.hangs(); }
    bool is_done(const event& what) override
    {
        simulated::enter(d_index, "is_done");
        const auto there = last_of(what);
        return !there || there->reached();
    }

    double seconds(const event& from, const event& to) override
    {
        simulated::enter(d_index, "seconds");
        check_awaited(from);
        check_awaited(to);
        const auto begin = last_of(from), end = last_of(to);
        if (!begin || !end || !begin->reached() || !end->reached())
            throw cuda_error(600, "seconds: an event is not done (600)");
        return std::chrono::duration<double>(end->time() - begin->time()).count();
    }

private:
    // Without peer access a card reaches its own memory and the host's only.
    void check_reach(const void* address) const
    {
        const int owner = simulated::owner(address);
        if (simulated::s_cards_are_strangers && owner >= 0 && owner != d_index)
            simulated::report("copy: the memory of a card that it does not reach");
    }

    void queue_rows(queue& on,
                    void* to,
                    std::size_t to_pitch,
                    const void* from,
                    std::size_t pitch,
                    std::size_t row_bytes,
                    std::size_t rows)
    {
        simulated_queue::work work;
        work.fails = simulated::enter(d_index, "copy_rows", simulated::call_kind::queues);
        work.bytes = rows * row_bytes;
        const auto target_of = [=](std::size_t row) {
            return simulated::reach(
                static_cast<char*>(to) + row * to_pitch, row_bytes, "copy to");
        };
        work.begin = [=] {
            for (std::size_t row = 0; row < rows; ++row)
                if (const auto target = target_of(row))
                    std::memset(target.get(), simulated::POISON, row_bytes);
        };
        work.finish = [=] {
            for (std::size_t row = 0; row < rows; ++row) {
                const auto target = target_of(row);
                const auto source = simulated::reach(
                    static_cast<const char*>(from) + row * pitch, row_bytes, "copy from");
                if (target && source)
                    std::memcpy(target.get(), source.get(), row_bytes);
            }
            simulated::s_copies.fetch_add(1, std::memory_order_relaxed);
        };
        queue_of(on).submit(std::move(work));
    }

    void move(queue& on, const stream_move& how, bool to_streams)
    {
        simulated_queue::work work;
        work.fails = simulated::enter(d_index,
                                      to_streams ? "to_streams" : "from_streams",
                                      simulated::call_kind::queues);
        work.bytes = how.count * how.streams * how.item_bytes;
        work.begin = [=] {
            for_each_item(how, [=](char* item, char* in_stream) {
                if (char* const target = to_streams ? in_stream : item)
                    std::memset(target, simulated::POISON, how.item_bytes);
            });
        };
        work.finish = [=] {
            for_each_item(how, [=](char* item, char* in_stream) {
                if (!in_stream)
                    std::memset(item, 0, how.item_bytes);
                else if (to_streams)
                    std::memcpy(in_stream, item, how.item_bytes);
                else
                    std::memcpy(item, in_stream, how.item_bytes);
            });
            simulated::s_copies.fetch_add(1, std::memory_order_relaxed);
        };
        queue_of(on).submit(std::move(work));
    }

    // Calls use(item, its place in its stream or null).
    template <class Use>
    static void for_each_item(const stream_move& how, const Use& use)
    {
        const auto places = simulated::reach(
            how.places, how.streams * sizeof(stream_place), "places of streams");
        const auto rows = simulated::reach(
            how.rows, how.count * how.row_items * how.item_bytes, "rows of streams");
        if (!places || !rows)
            return;
        for (std::size_t s = 0; s < how.streams; ++s) {
            const stream_place& place =
                reinterpret_cast<const stream_place*>(places.get())[s];
            std::shared_ptr<char> stream;
            if (place.memory != nullptr) {
                stream = simulated::reach(place.memory + (place.start + how.begin) %
                                                             place.items * how.item_bytes,
                                          how.count * how.item_bytes,
                                          "a stream");
                if (!stream)
                    return;
            }
            for (std::size_t row = 0; row < how.count; ++row)
                use(rows.get() + (row * how.row_items + place.item) * how.item_bytes,
                    stream ? stream.get() + row * how.item_bytes : nullptr);
        }
    }

    // As cards do: by asking where there is a limit of time.
    template <class Ready, class Wait>
    void wait_until(const Ready& is_ready, const Wait& wait)
    {
        if (device_patience::seconds() > 0 && !simulated::controls_waits())
            simulated::state_of(d_index).watch.wait(is_ready);
        else
            wait();
    }

    static void check_awaited(const event& what)
    {
        if (static_cast<const counted_event&>(what).use != event_use::awaited)
            simulated::report("an event that is not awaited has no time");
    }

    const int d_index;
};

} // namespace

async_device::sptr make_simulated_device(int index)
{
    if (index < 0)
        throw std::invalid_argument("device " + std::to_string(index) +
                                    " does not exist: must be >= 0");
    simulated::renew();
    simulated::enter(index, "make_device");
    return std::make_shared<simulated_device>(index);
}

} // namespace gpufft
} // namespace gr
