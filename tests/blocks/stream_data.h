// SPDX-License-Identifier: GPL-3.0-or-later
//
// A whole stream with its tags, as the tests send, expect and receive it.

#ifndef INCLUDED_GPUFFT_STREAM_DATA_H
#define INCLUDED_GPUFFT_STREAM_DATA_H

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace gr {
namespace gpufft {

typedef std::mt19937 random_source;

// Uniform over low ... high.
std::int64_t pick(random_source& random, std::int64_t low, std::int64_t high);
bool chance(random_source& random, int percent);

// What values are.
enum class value_kind {
    exact,  // any; they come as the same bytes
    linear, // floats
    decibel // floats; their powers are compared
};

struct tag_mark {
    std::uint64_t offset;
    std::int64_t id;
    bool operator<(const tag_mark& b) const
    {
        return offset != b.offset ? offset < b.offset : id < b.id;
    }
    bool operator==(const tag_mark& b) const { return offset == b.offset && id == b.id; }
};

struct stream_data {
    std::size_t item_bytes = 1;
    value_kind kind = value_kind::exact;
    std::vector<char> items;
    std::vector<float> errors; // of each float, unless they are exact: what it may
                               // deviate by, in the mean over many (root mean square)
    std::vector<tag_mark> tags;

    std::size_t count() const { return items.size() / item_bytes; }
    void truncate(std::size_t count); // with the tags of what goes
};

// Random samples in -1 ... 1, or random integers of 1 or 2 bytes.
stream_data
random_floats(random_source& random, std::size_t count, std::size_t item_floats);
stream_data random_integers(random_source& random, std::size_t count, std::size_t bytes);

// Up to `most` tags, at random items and at both ends.
void add_random_tags(random_source& random, stream_data& to, int most);

// What is wrong with the received stream, or "": a value that is PEAK times its error off
// (rounding errors of tones meet in few bins), or all of them together more than the
// errors allow. The beginning of the stream is enough if `prefix` is set.
constexpr double PEAK = 64;
std::string difference(const stream_data& expected, stream_data received, bool prefix);

// The stream, as often as it takes to have that many items.
stream_data repeated(const stream_data& period, std::size_t count);

// Whether an item is item number `item` of the expected stream.
bool is_item(const char* got, const stream_data& expected, std::size_t item);

} // namespace gpufft
} // namespace gr

#endif
