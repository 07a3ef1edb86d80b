// SPDX-License-Identifier: GPL-3.0-or-later
//
// An output is a frame's row: of max_taps() samples before its own, and of the others of
// its group, so that a group gives its output when it is there as a whole. GNU Radio puts
// the zeros that the first ones need before the stream: its history. The plan reads the
// samples of its own taps only.

#include "fft_filter_impl.h"
#include "plan/stream_batch.h"
#include "ranges.h"
#include "stream_history.h"
#include <algorithm>
#include <gnuradio/io_signature.h>
#include <type_traits>

namespace gr {
namespace gpufft {

namespace {

constexpr std::int64_t MAX_TAPS = std::int64_t(1) << 24;
constexpr std::int64_t MAX_DECIMATION = std::int64_t(1) << 20;
constexpr std::int64_t LEAST_ROOM = 4096; // for more taps than the first ones

template <class T>
constexpr sample_format FORMAT = sample_format::cf32;
template <>
constexpr sample_format FORMAT<float> = sample_format::f32;

template <class T, class Tap>
constexpr const char* NAME = "fft_filter_fff";
template <>
constexpr const char* NAME<gr_complex, gr_complex> = "fft_filter_ccc";
template <>
constexpr const char* NAME<gr_complex, float> = "fft_filter_ccf";

// Of a plan: an eighth more at most, so that other taps often fit the same one.
std::int64_t rounded_up(std::int64_t taps)
{
    std::int64_t step = 1;
    while (step * 16 <= taps)
        step *= 2;
    return (taps + step - 1) / step * step;
}

} // namespace

template <class Tap>
plan_settings fft_filter_settings<Tap>::resolve(sample_format format) const
{
    check_range("decimation", decimation, 1, MAX_DECIMATION);
    const std::int64_t count = taps.size();
    if (count < 1 || count > max_taps)
        throw std::invalid_argument(
            fmt::format("taps are {}: must be 1 ... {}{}",
                        count,
                        max_taps,
                        count > max_taps && max_taps < MAX_TAPS
                            ? "; for more, make the block with taps filled up with zeros"
                            : ""));
    plan_settings result;
    problem& what = result.what;
    what.kind = transform_kind::filter;
    what.n = std::min(std::max(rounded_up(count), decimation), MAX_TAPS);
    what.batch = frames_of_stream(1);
    what.hop = decimation;
    what.input = format;
    what.output = is_complex(format) ? output_kind::complex : output_kind::real;
    what.window = true;
    what.complex_taps = !std::is_same<Tap, float>::value;
    what.validate();
    result.threads = check_range("nthreads", nthreads, 0, MAX_THREADS);
    const float* numbers = reinterpret_cast<const float*>(taps.data());
    result.window.assign(numbers, numbers + taps.size() * (what.complex_taps ? 2 : 1));
    result.window.resize(what.window_numbers());
    return result;
}

template <class T, class Tap>
typename fft_filter<T, Tap>::sptr fft_filter<T, Tap>::make(std::int64_t decimation,
                                                           const std::vector<Tap>& taps,
                                                           int nthreads,
                                                           const std::string& engine,
                                                           const device_list& device,
                                                           const std::string& on_error)
{
    const std::int64_t room = std::min<std::int64_t>(
        rounded_up(std::max<std::int64_t>(2 * taps.size(), LEAST_ROOM)), MAX_TAPS);
    return gnuradio::make_block_sptr<fft_filter_impl<T, Tap>>(
        fft_filter_settings<Tap>{
            decimation, taps, std::max(room, decimation), nthreads },
        engine_options{ engine, device, on_error });
}

template <class T, class Tap>
fft_filter_impl<T, Tap>::fft_filter_impl(const fft_filter_settings<Tap>& settings,
                                         const engine_options& options)
    : gr::block(NAME<T, Tap>,
                gr::io_signature::make(1, 1, sizeof(T)),
                gr::io_signature::make(1, 1, sizeof(T))),
      engine_base(*this, this->d_logger, settings.resolve(FORMAT<T>), options),
      d_first(settings),
      d_frame(settings.max_taps + settings.decimation - 1),
      d_framer(d_frame, sizeof(T)),
      d_settings(settings)
{
    this->set_tag_propagation_policy(gr::block::TPP_DONT); // forward_tags() does it
    this->set_relative_rate(1, settings.decimation);
    this->set_history(static_cast<unsigned>(settings.max_taps));
}

template <class T, class Tap>
template <class Change>
void fft_filter_impl<T, Tap>::change(Change&& change)
{
    d_settings.change(change, [this](const fft_filter_settings<Tap>& next) {
        this->d_plan.configure(next.resolve(FORMAT<T>));
    });
}

template <class T, class Tap>
void fft_filter_impl<T, Tap>::set_taps(const std::vector<Tap>& taps)
{
    change([&](auto& next) { next.taps = taps; });
}

template <class T, class Tap>
void fft_filter_impl<T, Tap>::set_decimation(std::int64_t decimation)
{
    check_range("decimation", decimation, 1, d_first.max_taps);
    change([&](auto& next) { next.decimation = decimation; });
}

template <class T, class Tap>
void fft_filter_impl<T, Tap>::set_nthreads(int n)
{
    change([&](auto& next) { next.nthreads = n; });
}

template <class T, class Tap>
bool fft_filter_impl<T, Tap>::check_topology(int, int)
{
    const std::size_t hop = this->d_plan.on(0).what().effective_hop();
    const std::size_t part = this->d_plan.on(0).frames_together() * hop;
    const std::size_t samples = this->stream_chunk(d_frame + part, sizeof(T));
    this->ask_for_output(std::max<std::size_t>(
        std::min(samples / hop, this->chunk_bytes() / sizeof(T)), 1));
    return true;
}

template <class T, class Tap>
bool fft_filter_impl<T, Tap>::start()
{
    this->clear_error();
    this->set_output_multiple(1);
    d_is_placed = false;
    d_tags.clear();
    d_tags_end = d_passed = 0;
    this->guarded([this] {
        d_framer.start(
            chunked_stream::samples_at_once(*this->detail(), d_frame, sizeof(T)), 0);
        this->d_stream.start(*this->detail(), d_framer);
        return 0;
    });
    return true;
}

template <class T, class Tap>
bool fft_filter_impl<T, Tap>::stop()
{
    this->d_stream.stop();
    return true;
}

// A whole part while more may come, for a shorter one costs as much.
template <class T, class Tap>
void fft_filter_impl<T, Tap>::forecast(int, gr_vector_int& ninput_items_required)
{
    std::size_t wanted = 0;
    if (this->d_stream.samples_in_flight() == 0) {
        wanted = d_framer.wanted();
        const auto reader = this->detail()->input(0);
        const plan& now = this->d_plan.on(0);
        if (!reader->done() && !d_framer.is_collecting())
            wanted = std::max<std::size_t>(
                wanted,
                std::min<std::size_t>(wanted + (now.frames_together() - 1) *
                                                   now.what().effective_hop(),
                                      reader->buffer()->bufsize() / 2));
    }
    ninput_items_required[0] = static_cast<int>(wanted);
}

// The most outputs of so many samples that leave no part unfinished, if there is a whole
// one.
template <class T, class Tap>
std::size_t fft_filter_impl<T, Tap>::whole_parts(std::size_t samples,
                                                 std::size_t outputs) const
{
    const plan& now = this->d_plan.on(0);
    const std::size_t hop = now.what().effective_hop(), together = now.frames_together();
    const std::size_t there = samples < d_frame ? 0 : (samples - d_frame) / hop + 1;
    const std::size_t most = std::min(there, outputs);
    return most > together ? most / together * together : outputs;
}

template <class T, class Tap>
int fft_filter_impl<T, Tap>::general_work(int noutput_items,
                                          gr_vector_int& ninput_items,
                                          gr_vector_const_void_star& input_items,
                                          gr_vector_void_star& output_items)
{
    return this->guarded([&] {
        const std::uint64_t read = this->nitems_read(0);
        if (!d_is_placed)
            d_history = bytes_before_stream(*this->detail(),
                                            read,
                                            input_items[0],
                                            (d_first.max_taps - 1) * sizeof(T)) /
                        sizeof(T);
        d_is_placed = true;
        keep_tags(ninput_items[0]);
        chunked_stream::window now;
        now.input = input_items[0];
        now.samples = ninput_items[0];
        now.output = output_items[0];
        now.rows = whole_parts(now.samples, noutput_items);
        now.bytes_read = read * sizeof(T);
        now.bytes_written = this->nitems_written(0) * sizeof(T);
        now.history = d_history * sizeof(T);
        now.tail = d_first.decimation - 1;
        const chunked_stream::result next = this->d_stream.step(now, d_framer);
        forward_tags(next.rows, next.run.hop);
        this->consume(0, static_cast<int>(next.consumed));
        return static_cast<int>(next.rows);
    });
}

// Those of the samples that have come: once they are consumed GNU Radio forgets them, and
// a frame that is collected is consumed before its output is there.
template <class T, class Tap>
void fft_filter_impl<T, Tap>::keep_tags(std::size_t samples)
{
    const std::uint64_t end =
        std::max(this->nitems_read(0) + samples, d_history) - d_history;
    std::vector<tag_t> tags;
    this->get_tags_in_range(tags, 0, d_tags_end, end);
    d_tags.insert(d_tags.end(), tags.begin(), tags.end());
    d_tags_end = end;
}

// To the output of their group.
template <class T, class Tap>
void fft_filter_impl<T, Tap>::forward_tags(std::size_t outputs, std::size_t hop)
{
    if (outputs == 0)
        return;
    const std::uint64_t written = this->nitems_written(0);
    const std::uint64_t begin = d_passed;
    const auto later =
        std::stable_partition(d_tags.begin(), d_tags.end(), [&](const tag_t& tag) {
            return tag.offset < begin + outputs * hop;
        });
    for (auto tag = d_tags.begin(); tag != later; ++tag) {
        tag->offset = written + (std::max(tag->offset, begin) - begin) / hop;
        this->add_item_tag(0, *tag);
    }
    d_tags.erase(d_tags.begin(), later);
    d_passed = begin + outputs * hop;
}

template class fft_filter<gr_complex, gr_complex>;
template class fft_filter<gr_complex, float>;
template class fft_filter<float, float>;

} // namespace gpufft
} // namespace gr
