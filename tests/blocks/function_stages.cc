// SPDX-License-Identifier: GPL-3.0-or-later
//
// A user's function on simulated devices and on the CPU, a kernel on cards, and what they
// make of a stream.

#include "random_stages.h"
#include "simulated_function.h"
#include "stage_reference.h"
#include "test_devices.h"
#include <algorithm>
#include <atomic>
#include <cstring>
#include <gnuradio/gpufft/kernel_function.h>
#include <spdlog/fmt/fmt.h>

namespace gr {
namespace gpufft {

namespace {

// Item that an item of a frame's row is minus of, after the frame's first new one.
std::ptrdiff_t place_of(const function_parameters& what, std::size_t i)
{
    return std::ptrdiff_t(i % what.decimation) - std::ptrdiff_t(i % (what.history + 1));
}

std::size_t row_items(const function_parameters& what)
{
    return what.interpolation * what.outputs;
}

// `first`: the first frame's first new item.
void negate(const function_parameters& what,
            const float* first,
            std::size_t frames,
            float* rows)
{
    for (std::size_t f = 0; f < frames; ++f)
        for (std::size_t i = 0; i < row_items(what); ++i) {
            const std::ptrdiff_t item = f * what.decimation + place_of(what, i);
            for (std::size_t k = 0; k < what.item_floats; ++k)
                *rows++ = -first[item * std::ptrdiff_t(what.item_floats) + k];
        }
}

// With several outputs an item of the row goes to each.
std::string negating_kernel(std::size_t outputs)
{
    std::string arguments, places;
    for (std::size_t k = 0; k < outputs; ++k) {
        arguments += fmt::format("float* output{}, ", k);
        places += fmt::format("output{}, ", k);
    }
    return "__global__ void negate(const float* input, " + arguments +
           "long long frames, int floats, int decimation, int row, int history)\n"
           "{\n"
           "    float* const outputs[] = { " +
           places + R"(};
    const long long number = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (number >= frames * row * floats)
        return;
    const long long f = number / floats / row;
    const int i = number / floats % row;
    const long long item = history + f * decimation + i % decimation - i % (history + 1);
    const bool many = sizeof(outputs) > sizeof(float*);
    outputs[many ? i : 0][many ? f * floats + number % floats : number] =
        -input[item * floats + number % floats];
}
)";
}

std::vector<char> bytes_of(std::size_t number)
{
    const int value = static_cast<int>(number);
    std::vector<char> bytes(sizeof(value));
    std::memcpy(bytes.data(), &value, sizeof(value));
    return bytes;
}

kernel_function::sptr kernel_of(const function_parameters& what,
                                const device_ports& ports)
{
    kernel_function::geometry sizes;
    sizes.threads_per_frame = row_items(what) * what.item_floats;
    return kernel_function::make(negating_kernel(what.outputs),
                                 "negate",
                                 ports,
                                 sizes,
                                 { bytes_of(what.item_floats),
                                   bytes_of(what.decimation),
                                   bytes_of(row_items(what)),
                                   bytes_of(what.history) });
}

class negating_function : public device_function
{
public:
    negating_function(const function_parameters& what,
                      const device_ports& ports,
                      long sound_calls)
        : d_what(what),
          d_kernel(test_devices::are_cards() ? kernel_of(what, ports) : nullptr),
          d_sound_calls(sound_calls)
    {
    }
    std::string name() const override { return "negate"; }

    void prepare(int device) override
    {
        if (d_kernel && device >= 0)
            d_kernel->prepare(device);
    }
    void release(int device) override
    {
        if (d_kernel)
            d_kernel->release(device);
    }

    void compute(const device_call& call) override
    {
        const std::size_t item = d_what.item_floats * sizeof(float);
        const std::size_t before = d_what.history * item;
        const std::size_t in = before + call.frames * d_what.decimation * item;
        const std::size_t out = call.frames * d_what.interpolation * item;
        const auto work = [=, what = d_what, frames = call.frames](
                              const std::vector<const char*>& inputs,
                              const std::vector<char*>& outputs) {
            std::vector<float> rows(frames * row_items(what) * what.item_floats);
            negate(what,
                   reinterpret_cast<const float*>(inputs[0] + before),
                   frames,
                   rows.data());
            const char* from = reinterpret_cast<const char*>(rows.data());
            const std::size_t piece = what.interpolation * item;
            for (std::size_t f = 0; f < frames; ++f)
                for (char* const to : outputs) {
                    std::memcpy(to + f * piece, from, piece);
                    from += piece;
                }
        };
        if (call.device < 0) {
            if (call.stream != nullptr)
                throw std::logic_error("the CPU has no stream");
            check_first(call);
            std::vector<char*> outputs;
            for (void* const each : call.outputs)
                outputs.push_back(static_cast<char*>(each));
            work({ static_cast<const char*>(call.input) }, outputs);
            return;
        }
        if (d_calls++ == d_sound_calls)
            throw std::runtime_error("the function fails");
        std::vector<memory_area> outputs;
        for (void* const each : call.outputs)
            outputs.push_back({ each, out });
        if (d_kernel)
            d_kernel->compute(call);
        else
            queue_on_simulated_device(
                call.stream, { { const_cast<void*>(call.input), in } }, outputs, work);
        check_first(call);
    }

private:
    // Frames come one after the other, but those of chunks in flight again.
    void check_first(const device_call& call)
    {
        if (call.first > d_next)
            throw std::logic_error(
                fmt::format("frame {} comes where {} should", call.first, d_next));
        d_next = call.first + call.frames;
    }

    const function_parameters d_what;
    const kernel_function::sptr d_kernel; // null on simulated devices
    const long d_sound_calls;
    long d_calls = 0;
    std::uint64_t d_next = 0;
};

stream_data
negated(const stream_data& input, const function_parameters& what, std::size_t out_bytes)
{
    const std::size_t floats = what.item_floats;
    const std::size_t frames = input.count() / what.decimation;
    const auto shifted = [&](const std::vector<float>& values) {
        std::vector<float> from(what.history * floats);
        from.insert(from.end(), values.begin(), values.end());
        std::vector<float> to(frames * row_items(what) * floats);
        negate(what, from.data() + what.history * floats, frames, to.data());
        return to;
    };
    const auto* begin = reinterpret_cast<const float*>(input.items.data());
    const std::vector<float> values =
        shifted({ begin, begin + input.items.size() / sizeof(float) });
    stream_data result;
    result.item_bytes = out_bytes * what.outputs;
    result.kind = input.kind;
    result.items.resize(values.size() * sizeof(float));
    std::copy_n(reinterpret_cast<const char*>(values.data()),
                result.items.size(),
                result.items.data());
    if (!input.errors.empty()) {
        result.errors = shifted(input.errors);
        for (float& error : result.errors)
            error = -error;
    }
    for (const tag_mark& tag : input.tags)
        result.tags.push_back(
            { tag.offset / what.decimation * what.interpolation, tag.id });
    result.truncate(result.count());
    return result;
}

} // namespace

stage make_function(const function_parameters& what,
                    const stage_options& how,
                    long sound_calls)
{
    device_ports ports;
    const std::size_t item_bytes = what.item_floats * sizeof(float);
    ports.inputs = { { item_bytes, what.decimation, what.history } };
    ports.outputs.assign(what.outputs, { item_bytes, what.interpolation });
    stage result;
    result.text = fmt::format("device_block({} floats, {}:{}, history {}, {})",
                              what.item_floats,
                              what.decimation,
                              what.interpolation,
                              what.history,
                              text_of(how));
    set_block(result,
              device_block::make(
                  "negate",
                  std::make_shared<negating_function>(what, ports, sound_calls),
                  ports,
                  { how.engine, how.devices, how.on_error, how.device_timeout }));
    result.out_bytes = item_bytes;
    result.outputs = static_cast<int>(what.outputs);
    result.expect = [=](const stream_data& input) {
        return negated(input, what, item_bytes);
    };
    return result;
}

random_stage stage_lottery::function()
{
    static const std::size_t RATIOS[] = { 1, 1, 1, 2, 3, 5 };
    static const std::size_t HISTORIES[] = { 0, 0, 1, 7, 300 };
    function_parameters what;
    what.item_floats = d_items.n * (d_items.type == samples::complex ? 2 : 1);
    what.decimation = RATIOS[pick(d_random, 0, 5)];
    what.interpolation = RATIOS[pick(d_random, 0, 5)];
    what.history = HISTORIES[pick(d_random, 0, 4)];
    if (d_samples * what.interpolation > MOST_SAMPLES * what.decimation)
        what.interpolation = 1;
    const bool is_number = what.item_floats <= 2;
    if (is_number && what.interpolation == 1 && flip(40))
        what.outputs = 3;
    return { make_function(what, pick_options()), d_items };
}

} // namespace gpufft
} // namespace gr
