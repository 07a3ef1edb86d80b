// SPDX-License-Identifier: GPL-3.0-or-later
//
// Which bytes of a ring on the card a reader finds there, and what the writer waits for.

#include "simulated_device.h"
#include "stream/shadow_ring.h"
#include <gtest/gtest.h>
#include <set>

namespace gr {
namespace gpufft {

namespace {

class ShadowRing : public testing::Test
{
protected:
    ShadowRing() { simulation::reset(); }
    ~ShadowRing() override { simulation::reset(); }

    ring_log::event_sptr make_event()
    {
        return device->make_event(async_device::event_use::ordering);
    }

    // Writes the bytes from..to, over with an event of their own.
    ring_log::event_sptr write(std::uint64_t from, std::uint64_t to)
    {
        const ring_log::event_sptr done = make_event();
        log.written(from, to, done);
        return done;
    }

    ring_log::event_sptr
    read(std::uint64_t from, std::uint64_t to, const async_device::queue& on)
    {
        const ring_log::event_sptr done = make_event();
        log.read(from, to, size, { device, done }, on);
        return done;
    }

    // Events of the reads that the writer must wait for before it writes up to `to`.
    std::set<ring_log::event_sptr> waits(std::uint64_t to)
    {
        std::set<ring_log::event_sptr> events;
        for (const ring_log::reading& each : log.before_writing(to))
            events.insert(each.done);
        return events;
    }

    bool is_there(std::uint64_t from, std::uint64_t to)
    {
        return log.before_reading(from, to).has_value();
    }

    async_device::sptr device = make_simulated_device(0);
    std::unique_ptr<async_device::queue> first = device->make_queue();
    std::unique_ptr<async_device::queue> second = device->make_queue();
    shadow_ring ring{ device, 1, {} };
    ring_log& log = *ring.log();
    const std::uint64_t size = ring.bytes();
};

} // namespace

TEST_F(ShadowRing, AReaderWaitsForTheLastWriteOfItsBytes)
{
    write(0, 100);
    const auto last = write(100, 200);
    write(200, 300);
    EXPECT_EQ(log.before_reading(50, 150), last);
    EXPECT_FALSE(is_there(250, 301));
}

TEST_F(ShadowRing, BytesBetweenTwoWritesAreNotThere)
{
    write(0, 100);
    write(110, 200);
    EXPECT_TRUE(is_there(0, 100));
    EXPECT_FALSE(is_there(50, 150));
    EXPECT_TRUE(is_there(110, 200));
}

TEST_F(ShadowRing, AWriteThatIsPartlyForgottenIsForgotten)
{
    write(0, 100);
    write(100, 200);
    write(200, 300);
    log.forget_from(150);
    EXPECT_TRUE(is_there(0, 100));
    EXPECT_FALSE(is_there(100, 140));
    EXPECT_FALSE(is_there(200, 300));
}

TEST_F(ShadowRing, OverwrittenBytesAreNotThere)
{
    write(0, size / 2);
    write(size / 2, size);
    EXPECT_TRUE(is_there(0, size));
    log.before_writing(size + size / 2);
    EXPECT_FALSE(is_there(0, size / 2));
    EXPECT_TRUE(is_there(size / 2, size));
}

TEST_F(ShadowRing, TheWriterWaitsForTheLastReadOfEachQueue)
{
    read(0, 100, *first);
    const auto of_first = read(100, 200, *first);
    const auto of_second = read(0, 200, *second);
    const auto later = read(200, 300, *second);
    EXPECT_EQ(waits(size), std::set<ring_log::event_sptr>());
    EXPECT_EQ(waits(size + 200), (std::set<ring_log::event_sptr>{ of_first, of_second }));
    // What it waits for now is over before whatever it queues next.
    EXPECT_EQ(waits(size + 201), std::set<ring_log::event_sptr>{ later });
}

// The rings of a block's streams have buffers of several sizes, and a log together.
TEST_F(ShadowRing, RingsOfALogAreOverwrittenAtTheirOwnSizes)
{
    const shadow_ring larger(device, size + 1, {}, ring.log());
    ASSERT_GT(larger.bytes(), size);
    write(0, 100);
    const auto of_small = read(0, 100, *first);
    const auto of_large = make_event();
    log.read(0, 100, larger.bytes(), { device, of_large }, *second);
    EXPECT_EQ(waits(size + 100), std::set<ring_log::event_sptr>{ of_small });
    EXPECT_TRUE(is_there(0, 100)); // in the larger one
    EXPECT_EQ(waits(larger.bytes() + 100), std::set<ring_log::event_sptr>{ of_large });
    EXPECT_FALSE(is_there(0, 100));
}

} // namespace gpufft
} // namespace gr
