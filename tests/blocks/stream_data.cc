// SPDX-License-Identifier: GPL-3.0-or-later
//
// Random streams, and comparing what came with what should.

#include "stream_data.h"
#include "test_devices.h"
#include <algorithm>
#include <cmath>
#include <cstring>
#include <spdlog/fmt/fmt.h>

namespace gr {
namespace gpufft {

namespace {

// Of what the largest amplitude is. A row in the wrong place is off by about 1.
constexpr double TOLERANCE = 5e-5;

double amplitude(float value, value_kind kind)
{
    return kind == value_kind::decibel ? std::pow(10.0, value / 20.0) : value;
}

bool agree(float got, float want, value_kind kind, double largest)
{
    const double error = amplitude(got, kind) - amplitude(want, kind);
    return std::abs(error) <= TOLERANCE * largest; // not for NaN
}

std::vector<float> floats_of(const stream_data& stream)
{
    std::vector<float> values(stream.items.size() / sizeof(float));
    if (!values.empty())
        std::memcpy(values.data(), stream.items.data(), values.size() * sizeof(float));
    return values;
}

std::string different_bytes(const stream_data& expected, const stream_data& received)
{
    const auto [here, there] = std::mismatch(
        received.items.begin(), received.items.end(), expected.items.begin());
    if (here == received.items.end())
        return "";
    return fmt::format("item {} of {} is wrong",
                       (here - received.items.begin()) / received.item_bytes,
                       expected.count());
}

std::string different_floats(const stream_data& expected, const stream_data& received)
{
    const std::vector<float> want = floats_of(expected), got = floats_of(received);
    const double largest = largest_amplitude(expected);
    for (std::size_t i = 0; i < got.size(); i++) {
        if (!agree(got[i], want[i], expected.kind, largest)) {
            const std::size_t floats = expected.item_bytes / sizeof(float);
            return fmt::format("item {} of {}, value {} is {}, not {} (largest {})",
                               i / floats,
                               expected.count(),
                               i % floats,
                               got[i],
                               want[i],
                               largest);
        }
    }
    return "";
}

std::string different_tags(std::vector<tag_mark> expected, std::vector<tag_mark> received)
{
    std::sort(expected.begin(), expected.end());
    std::sort(received.begin(), received.end());
    for (std::size_t i = 0; i < std::max(expected.size(), received.size()); i++) {
        if (i < expected.size() && i < received.size() && expected[i] == received[i])
            continue;
        const auto text = [&](const std::vector<tag_mark>& tags) {
            return i < tags.size()
                       ? fmt::format("tag {} at {}", tags[i].id, tags[i].offset)
                       : std::string("no more");
        };
        return fmt::format("of {} tags {} came: expected {}, got {}",
                           expected.size(),
                           received.size(),
                           text(expected),
                           text(received));
    }
    return "";
}

} // namespace

std::int64_t pick(random_source& random, std::int64_t low, std::int64_t high)
{
    return std::uniform_int_distribution<std::int64_t>(low, high)(random);
}

bool chance(random_source& random, int percent)
{
    return pick(random, 1, 100) <= percent;
}

void stream_data::truncate(std::size_t count)
{
    if (count < this->count())
        items.resize(count * item_bytes);
    tags.erase(
        std::remove_if(tags.begin(),
                       tags.end(),
                       [&](const tag_mark& tag) { return tag.offset >= this->count(); }),
        tags.end());
}

stream_data
random_floats(random_source& random, std::size_t count, std::size_t item_floats)
{
    stream_data result;
    result.item_bytes = item_floats * sizeof(float);
    result.items.resize(count * result.item_bytes);
    std::vector<float> values(count * item_floats);
    for (float& value : values)
        value = static_cast<float>(random()) / 2147483648.0f - 1.0f;
    if (!values.empty())
        std::memcpy(result.items.data(), values.data(), result.items.size());
    return result;
}

stream_data random_integers(random_source& random, std::size_t count, std::size_t bytes)
{
    stream_data result;
    result.item_bytes = bytes;
    result.items.resize(count * bytes);
    for (char& byte : result.items)
        byte = static_cast<char>(random() >> 24);
    return result;
}

void add_random_tags(random_source& random, stream_data& to, int most)
{
    const std::int64_t count = to.count();
    const std::int64_t tags = count > 0 ? pick(random, 0, most) : 0;
    for (std::int64_t id = 0; id < tags; id++) {
        std::int64_t offset = pick(random, 0, count - 1);
        if (id == 0)
            offset = 0;
        if (id == 1)
            offset = count - 1;
        to.tags.push_back({ static_cast<std::uint64_t>(offset), id });
    }
    std::sort(to.tags.begin(), to.tags.end());
}

std::string difference(const stream_data& expected, stream_data received, bool prefix)
{
    if (received.count() > expected.count() ||
        (!prefix && received.count() != expected.count()))
        return fmt::format(
            "{} items came, expected {}", received.count(), expected.count());
    tally("items checked", received.count());
    tally("tags checked", received.tags.size());
    const std::string samples = expected.kind == value_kind::exact
                                    ? different_bytes(expected, received)
                                    : different_floats(expected, received);
    if (!samples.empty())
        return samples;
    stream_data seen = expected;
    seen.truncate(received.count());
    return different_tags(seen.tags, received.tags);
}

stream_data repeated(const stream_data& period, std::size_t count)
{
    stream_data result = period;
    result.items.resize(count * period.item_bytes);
    for (std::size_t i = 0; period.items.size() > 0 && i < result.items.size(); i++)
        result.items[i] = period.items[i % period.items.size()];
    result.tags.clear();
    for (std::size_t begin = 0; period.count() > 0 && begin < count;
         begin += period.count())
        for (const tag_mark& tag : period.tags)
            result.tags.push_back({ begin + tag.offset, tag.id });
    result.truncate(count);
    return result;
}

double largest_amplitude(const stream_data& stream)
{
    double largest = 0;
    for (float value : floats_of(stream))
        largest = std::max(largest, std::abs(amplitude(value, stream.kind)));
    return largest;
}

bool items_agree(const char* got, const char* want, const stream_data& of, double largest)
{
    if (of.kind == value_kind::exact)
        return std::memcmp(got, want, of.item_bytes) == 0;
    for (std::size_t at = 0; at < of.item_bytes; at += sizeof(float)) {
        float a, b;
        std::memcpy(&a, got + at, sizeof(a));
        std::memcpy(&b, want + at, sizeof(b));
        if (!agree(a, b, of.kind, largest))
            return false;
    }
    return true;
}

} // namespace gpufft
} // namespace gr
