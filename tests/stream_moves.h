// SPDX-License-Identifier: GPL-3.0-or-later
//
// Moves between rows and streams by a kernel, wherever it runs, compared with loops.

#ifndef INCLUDED_GPUFFT_STREAM_MOVES_H
#define INCLUDED_GPUFFT_STREAM_MOVES_H

#include "engine/async_device.h"
#include <algorithm>
#include <functional>
#include <gtest/gtest.h>
#include <numeric>
#include <random>
#include <vector>

namespace gr {
namespace gpufft {

// Random moves of items of so many bytes. allocate(bytes): memory that the host and the
// kernel reach, as long as the test needs it; move(how, to_streams): runs the kernel.
inline void expect_stream_moves(
    std::size_t item_bytes,
    const std::function<char*(std::size_t)>& allocate,
    const std::function<void(const async_device::stream_move&, bool)>& move)
{
    std::mt19937 random(static_cast<unsigned>(item_bytes));
    const auto up_to = [&](std::size_t most) {
        return std::size_t(random()) % (most + 1);
    };
    for (int trial = 0; trial < 24; ++trial) {
        const bool to_streams = trial % 2 == 0;
        const std::size_t items = 1 + up_to(trial < 8 ? 3 : 70);
        const std::size_t streams = 1 + up_to(items - 1);
        std::vector<unsigned> of_items(items); // rows get each item once, or keep it
        std::iota(of_items.begin(), of_items.end(), 0u);
        std::shuffle(of_items.begin(), of_items.end(), random);
        const std::size_t count = 1 + up_to(trial < 12 ? 20 : 600);
        async_device::stream_move how;
        how.row_items = items;
        how.item_bytes = item_bytes;
        how.count = count;
        how.streams = streams;
        how.begin = up_to(100000);
        how.lead = up_to(128 / item_bytes - 1);
        const auto make = [&](std::size_t bytes) {
            char* const memory = allocate(bytes);
            for (std::size_t i = 0; i < bytes; ++i)
                memory[i] = static_cast<char>(random());
            return memory;
        };
        const std::size_t row_bytes = items * item_bytes;
        char* const rows = make(count * row_bytes);
        how.rows = rows;
        auto* const places =
            reinterpret_cast<stream_place*>(allocate(streams * sizeof(stream_place)));
        how.places = places;
        std::vector<std::vector<char>> expected, memories;
        std::vector<char> expected_rows(rows, rows + count * row_bytes);
        for (std::size_t s = 0; s < streams; ++s) {
            stream_place& place = places[s] = stream_place();
            place.items = count + up_to(50);
            place.start = up_to(place.items - 1);
            place.item =
                to_streams ? static_cast<unsigned>(up_to(items - 1)) : of_items[s];
            const std::size_t at = (place.start + how.begin) % place.items * item_bytes,
                              bytes = 2 * place.items * item_bytes;
            const bool is_missing = !to_streams && up_to(4) == 0;
            place.memory = is_missing ? nullptr : make(bytes);
            expected.emplace_back();
            if (!is_missing)
                expected.back().assign(place.memory, place.memory + bytes);
            for (std::size_t i = 0; i < count * item_bytes; ++i) {
                char& in_row = expected_rows[i / item_bytes * row_bytes +
                                             place.item * item_bytes + i % item_bytes];
                if (is_missing)
                    in_row = 0;
                else if (to_streams)
                    expected.back()[at + i] = in_row;
                else
                    in_row = expected.back()[at + i];
            }
        }
        move(how, to_streams);
        EXPECT_EQ(std::vector<char>(rows, rows + count * row_bytes), expected_rows);
        for (std::size_t s = 0; s < streams; ++s)
            if (const char* const memory = places[s].memory) {
                EXPECT_EQ(std::vector<char>(memory, memory + expected[s].size()),
                          expected[s])
                    << "stream " << s << " of " << streams << ", trial " << trial;
            }
    }
}

} // namespace gpufft
} // namespace gr

#endif
