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

// What is compared of a value.
double measure(float value, value_kind kind)
{
    return kind == value_kind::decibel ? std::pow(10.0, value / 10.0) : value;
}

float float_at(const char* values, std::size_t i)
{
    float value;
    std::memcpy(&value, values + i * sizeof(float), sizeof(float));
    return value;
}

// By how much float number i of the stream is not what is expected.
double deviation(float got, const stream_data& expected, std::size_t i)
{
    return measure(got, expected.kind) -
           measure(float_at(expected.items.data(), i), expected.kind);
}

bool is_near(double deviation, const stream_data& expected, std::size_t i)
{
    return std::abs(deviation) <= PEAK * expected.errors[i]; // not for NaN
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
    const std::size_t count = received.items.size() / sizeof(float);
    double squares = 0, allowed = 0;
    for (std::size_t i = 0; i < count; i++) {
        const float got = float_at(received.items.data(), i);
        const double off = deviation(got, expected, i);
        if (!is_near(off, expected, i)) {
            const std::size_t floats = expected.item_bytes / sizeof(float);
            return fmt::format("item {} of {}, value {} is {}, not {} (error {:.3g})",
                               i / floats,
                               expected.count(),
                               i % floats,
                               got,
                               float_at(expected.items.data(), i),
                               expected.errors[i]);
        }
        squares += off * off;
        allowed += double(expected.errors[i]) * expected.errors[i];
    }
    if (squares <= allowed)
        return "";
    return fmt::format("{} items are {:.3g} off, {:.3g} is allowed",
                       received.count(),
                       std::sqrt(squares),
                       std::sqrt(allowed));
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
    if (count < this->count()) {
        items.resize(count * item_bytes);
        errors.resize(std::min(errors.size(), items.size() / sizeof(float)));
    }
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
    if (!period.errors.empty())
        result.errors.resize(result.items.size() / sizeof(float));
    for (std::size_t i = 0; i < result.errors.size(); i++)
        result.errors[i] = period.errors[i % period.errors.size()];
    result.tags.clear();
    for (std::size_t begin = 0; period.count() > 0 && begin < count;
         begin += period.count())
        for (const tag_mark& tag : period.tags)
            result.tags.push_back({ begin + tag.offset, tag.id });
    result.truncate(count);
    return result;
}

bool is_item(const char* got, const stream_data& expected, std::size_t item)
{
    const std::size_t bytes = expected.item_bytes;
    if (expected.kind == value_kind::exact)
        return std::memcmp(got, expected.items.data() + item * bytes, bytes) == 0;
    for (std::size_t i = 0; i < bytes / sizeof(float); i++) {
        const std::size_t at = item * bytes / sizeof(float) + i;
        if (!is_near(deviation(float_at(got, i), expected, at), expected, at))
            return false;
    }
    return true;
}

} // namespace gpufft
} // namespace gr
