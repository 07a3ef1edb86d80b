// SPDX-License-Identifier: GPL-3.0-or-later
//
// Blocks that read or give integers or halves, beside a filter of one tap that converts
// them. The numbers between both are rounded, which adds to what they may deviate by.

#include "stage_reference.h"
#include "stages.h"
#include <algorithm>
#include <cmath>
#include <cstring>

namespace gr {
namespace gpufft {

namespace {

// The largest part of full scale that a stream takes, so that nothing saturates.
constexpr double LEVEL = 0.9;

std::size_t sample_bytes(const std::string& format) { return format == "cs8" ? 2 : 4; }

// The most that rounding x to a format of full scale 1 changes.
double rounding_of(const std::string& format, double x)
{
    if (format == "cf16")
        return std::max(std::abs(x), 1.0 / (1 << 14)) / (1 << 11);
    return (format == "cs8" ? 1.0 / 128 : 1.0 / 32768) / 2;
}

std::vector<float> floats_of(const stream_data& stream)
{
    std::vector<float> values(stream.items.size() / sizeof(float));
    if (!values.empty())
        std::memcpy(values.data(), stream.items.data(), stream.items.size());
    return values;
}

// The factor that brings a stream to LEVEL.
double scale_of(const stream_data& stream)
{
    double largest = 0;
    for (float value : floats_of(stream))
        largest = std::max<double>(largest, std::abs(value));
    return largest > 0 ? LEVEL / largest : 1;
}

stream_data rounded(stream_data stream, const std::string& format, double scale)
{
    const std::vector<float> values = floats_of(stream);
    stream.errors.resize(values.size());
    for (std::size_t i = 0; i < values.size(); ++i)
        stream.errors[i] = static_cast<float>(std::hypot(
            double(stream.errors[i]), rounding_of(format, values[i] * scale) / scale));
    return stream;
}

// A filter of one tap for vectors of n samples, between blocks that take them apart and
// put them together again.
std::vector<stage> make_converter(const stage_options& how,
                                  std::size_t n,
                                  std::size_t in_bytes,
                                  std::size_t out_bytes)
{
    filter_parameters one;
    one.taps = 1;
    one.real_taps = true;
    stage filter = make_filter(one, how);
    filter.out_bytes = out_bytes;
    if (n == 1)
        return { filter };
    return { make_vector_to_stream(in_bytes, n),
             filter,
             make_stream_to_vector(out_bytes, n) };
}

stream_data through(const std::vector<stage>& stages, stream_data stream)
{
    for (const stage& each : stages)
        stream = each.expect(stream);
    return stream;
}

} // namespace

stage make_formatted(const stage_maker& make,
                     const stage_options& how,
                     const std::string& format,
                     bool at_input,
                     const stream_data& data)
{
    const std::size_t bytes = sample_bytes(format);
    const stage plain = make(how);
    const double scale = scale_of(at_input ? data : plain.expect(data));
    stage_options gives = how, reads = how;
    gives.formats = { "", format, scale };
    reads.formats = { format, "", 1 / scale };
    const std::size_t at = at_input ? data.item_bytes : plain.out_bytes;
    const std::size_t n = at / sizeof(gr_complex);
    std::vector<stage> all = make_converter(at_input ? gives : reads,
                                            n,
                                            at_input ? sizeof(gr_complex) : bytes,
                                            at_input ? bytes : sizeof(gr_complex));
    // What the converter does with the floats that the formats stand for.
    const std::vector<stage> expects =
        make_converter(how, n, sizeof(gr_complex), sizeof(gr_complex));
    stage formatted = make(at_input ? reads : gives);
    if (!at_input)
        formatted.out_bytes = n * bytes;
    all.insert(at_input ? all.end() : all.begin(), formatted);
    stage result = make_hier(all, data.item_bytes);
    result.text = format + " " + result.text;
    result.expect = [=](const stream_data& input) {
        return at_input ? plain.expect(rounded(through(expects, input), format, scale))
                        : through(expects, rounded(plain.expect(input), format, scale));
    };
    return result;
}

} // namespace gpufft
} // namespace gr
