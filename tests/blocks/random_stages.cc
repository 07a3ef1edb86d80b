// SPDX-License-Identifier: GPL-3.0-or-later
//
// Drawing stages and their parameters.

#include "random_stages.h"
#include "test_devices.h"
#include <algorithm>
#include <cmath>
#include <cstring>

namespace gr {
namespace gpufft {

namespace {

// Lengths of every kind, most of them short: a graph should cost a fraction of a second.
constexpr std::size_t USUAL[] = { 1,   5,   16,  60,   64,   100,  127,
                                  256, 343, 500, 1009, 1024, 4096, 16384 };
constexpr std::size_t SHORT[] = { 1,  2,  3,  4,  5,   7,   8,   12,  16,  17,  31,
                                  32, 60, 64, 97, 100, 127, 128, 243, 256, 257, 343 };
constexpr std::size_t MEDIUM[] = {
    500, 512, 625, 1000, 1009, 1023, 1024, 2048, 3125, 4096
};
constexpr std::size_t LONG[] = { 8192, 10000, 16384, 19683, 32768, 65536 };

// Channels and the samples from one of their samples to the next.
struct bank {
    std::size_t channels, hop;
};
constexpr bank BANKS[] = { { 1, 1 },   { 4, 4 },   { 5, 3 },   { 8, 4 },    { 12, 5 },
                           { 16, 16 }, { 20, 15 }, { 79, 40 }, { 128, 128 } };
constexpr std::size_t MOST_STREAMS = 8; // of one block: each has a sink of its own

constexpr double MOST_MAGNITUDE = 1e14; // squares of it are floats
constexpr double MOST_ERROR = 1e-3;     // of a stream's values
constexpr double MOST_WORK = 2e7;       // multiplications of a reference

template <class T, std::size_t COUNT>
T one_of(random_source& random, const T (&list)[COUNT])
{
    return list[pick(random, 0, COUNT - 1)];
}

item_kind stream_of(samples type) { return { type, 1 }; }

} // namespace

std::size_t stage_lottery::pick_size(std::size_t most)
{
    std::size_t n = one_of(d_random, USUAL);
    if (flip(20)) {
        const std::int64_t kind = pick(d_random, 1, 100);
        n = kind <= 60   ? one_of(d_random, SHORT)
            : kind <= 88 ? one_of(d_random, MEDIUM)
                         : one_of(d_random, LONG);
    }
    return n <= most ? n : one_of(d_random, SHORT);
}

stage_options stage_lottery::pick_options()
{
    static const std::vector<int> DEVICES[] = { { 0 }, { 0 }, { 0 },    { 0 },
                                                { 0 }, { 1 }, { 0, 1 }, { 1, 0, 2 } };
    stage_options how;
    how.devices = DEVICES[(pick(d_random, 0, 7) + 3 * d_run) % 8];
    how.on_error = flip(50) ? "cpu" : "stop";
    if (flip(15)) {
        how.engine = "cpu";
        how.threads = static_cast<int>(pick(d_random, 1, 3));
    }
    return how;
}

std::string stage_lottery::pick_window(std::size_t n)
{
    if (n < 4) // some are all zero
        return "none";
    return flip(50) ? "none" : flip(50) ? "hann" : "blackman";
}

// Of numbers that are hardly known, or too large for their squares, nothing can be said.
// Nor of decibels: of a bin that is 0 but for rounding errors they are any.
bool stage_lottery::is_workable(const stream_data& data) const
{
    if (data.kind == value_kind::decibel)
        return false;
    if (d_items.is_integer())
        return true;
    double largest = 0, squares = 0, errors = 0;
    for (std::size_t i = 0; i < data.items.size() / sizeof(float); ++i) {
        float value;
        std::memcpy(&value, data.items.data() + i * sizeof(float), sizeof(value));
        largest = std::max<double>(largest, std::abs(value));
        squares += double(value) * value;
    }
    for (double error : data.errors)
        errors += error * error;
    return largest * 8 * double(d_n) < MOST_MAGNITUDE &&
           errors <= MOST_ERROR * MOST_ERROR * squares;
}

random_stage stage_lottery::draw(const stream_data& data, const item_kind& items)
{
    typedef stage_lottery all;
    static const ticket COMPLEX_VECTORS[] = { { 50, &all::fft },
                                              { 14, &all::half_spectrum },
                                              { 12, &all::matrix },
                                              { 10, &all::zoom },
                                              { 14, &all::synthesizer } };
    static const ticket REAL_VECTORS[] = { { 45, &all::fft },
                                           { 20, &all::half_spectrum },
                                           { 35, &all::dct } };
    static const ticket COMPLEX_STREAM[] = {
        { 14, &all::fft },          { 16, &all::spectrum },
        { 10, &all::logpwr },       { 4, &all::correlator },
        { 12, &all::filter },       { 12, &all::channels },
        { 14, &all::channelizer },  { 6, &all::zoom },
        { 3, &all::half_spectrum }, { 3, &all::matrix },
        { 3, &all::burst },         { 3, &all::synthesizer_streams }
    };
    static const ticket REAL_STREAM[] = {
        { 22, &all::fft }, { 17, &all::logpwr }, { 9, &all::half_spectrum },
        { 17, &all::dct }, { 14, &all::filter }, { 14, &all::channelizer },
        { 7, &all::burst }
    };
    static const ticket INTEGERS[] = { { 60, &all::spectrum },
                                       { 40, &all::channelizer } };

    d_items = items;
    d_data = &data;
    const std::size_t sample_bytes = data.item_bytes / items.n;
    d_samples = data.items.size() / sample_bytes / (items.is_integer() ? 2 : 1);
    d_n = items.n > 1 ? items.n : pick_size(std::max<std::size_t>(d_samples, 343));
    if (!is_workable(data))
        return {};
    const auto from = [&](const auto& tickets) {
        std::int64_t number = pick(d_random, 1, 100);
        for (const ticket& each : tickets)
            if ((number -= each.chances) <= 0)
                return (this->*each.draw)();
        return random_stage();
    };
    if (items.is_integer())
        return from(INTEGERS);
    if (flip(12))
        return function();
    if (items.type == samples::complex)
        return items.n > 1 ? from(COMPLEX_VECTORS) : from(COMPLEX_STREAM);
    return items.n > 1 ? from(REAL_VECTORS) : from(REAL_STREAM);
}

stage stage_lottery::in_formats(const stage_maker& make)
{
    static constexpr const char* FORMATS[] = { "cs16", "cs16", "cf16", "cs8" };
    const stage_options how = pick_options();
    if (d_items.type != samples::complex || !flip(40))
        return make(how);
    const char* const format = one_of(d_random, FORMATS);
    return make_formatted(make, how, format, flip(50), *d_data);
}

random_stage stage_lottery::fft()
{
    fft_parameters what{ d_n, d_items.type == samples::real, flip(60), flip(40) };
    what.stream = d_items.n == 1;
    what.window = pick_window(d_n);
    return { in_formats(make_fft, what), { samples::complex, d_items.n } };
}

random_stage stage_lottery::half_spectrum()
{
    const bool vectors = d_items.n > 1;
    problem what = problem::make(transform_kind::r2c, { d_n });
    if (d_items.type == samples::complex) // of bins, of an even or an odd length
        what = problem::make(transform_kind::c2r,
                             { vectors ? 2 * d_n - pick(d_random, 1, 2) : d_n });
    const samples type =
        d_items.type == samples::complex ? samples::real : samples::complex;
    const std::string window = pick_window(what.frame_samples());
    return { make_transform(what, !vectors, pick_options(), window),
             { type, vectors ? what.row_bins() : 1 } };
}

random_stage stage_lottery::matrix()
{
    std::size_t height = pick(d_random, 1, 16);
    while (d_n % height != 0)
        --height;
    problem what = problem::make(transform_kind::c2c, { height, d_n / height });
    what.dir = flip(50) ? direction::forward : direction::inverse;
    what.shift_output = what.dir == direction::forward && flip(40);
    const std::string window = pick_window(std::min(height, d_n / height));
    return { make_transform(what, d_items.n == 1, pick_options(), window),
             { samples::complex, d_items.n } };
}

random_stage stage_lottery::dct()
{
    dct_parameters what{ d_n, static_cast<int>(pick(d_random, 1, 4)), flip(50) };
    if (what.type == 1 && !what.is_sine && d_n < 2)
        what.type = 2;
    what.inverse = flip(30);
    what.ortho = flip(30);
    what.stream = d_items.n == 1;
    return { make_dct(what, pick_options()), { samples::real, d_items.n } };
}

random_stage stage_lottery::zoom()
{
    static constexpr std::size_t BINS[] = { 1, 37, 50, 256 };
    zoom_parameters what;
    what.n = d_items.n > 1 ? d_items.n : std::min<std::size_t>(d_n, 1024);
    what.bins = one_of(d_random, BINS);
    constexpr double COSINES = 10; // one costs as much as so many multiplications
    if (COSINES * double(d_samples) * double(what.bins) > MOST_WORK ||
        rows(what.n) * what.bins > 2 * MOST_SAMPLES)
        return fft();
    const double width = flip(50) ? 0.25 : flip(50) ? -0.5 : 1;
    what.f_start = flip(50) ? -0.1 : 0.375;
    what.f_stop = what.f_start + width;
    what.stream = d_items.n == 1;
    what.window = pick_window(what.n);
    return { make_zoom(what, pick_options()),
             { samples::complex, what.stream ? 1 : what.bins } };
}

random_stage stage_lottery::burst()
{
    static constexpr std::size_t SIZES[] = { 60, 100, 256, 1000 };
    constexpr std::size_t MOST_BURSTS = 1000; // each is a message to and fro
    burst_parameters what;
    what.samples = one_of(d_random, SIZES);
    what.n = flip(40) ? 0 : one_of(d_random, SIZES);
    if (rows(what.samples) > MOST_BURSTS)
        return fft();
    what.real = d_items.type == samples::real;
    what.forward = flip(60);
    what.shift = flip(40);
    what.window = pick_window(what.samples);
    const output_kind outputs[] = { output_kind::complex,
                                    output_kind::power,
                                    output_kind::decibel };
    what.output = one_of(d_random, outputs);
    return { make_burst(what, pick_options()),
             stream_of(what.output == output_kind::complex ? samples::complex
                                                           : samples::real) };
}

random_stage stage_lottery::spectrum()
{
    spectrum_parameters what{ d_n };
    what.input = d_items.type == samples::int16  ? sample_format::cs16
                 : d_items.type == samples::int8 ? sample_format::cs8
                                                 : sample_format::cf32;
    // Frames overlap by at most 7/8, unless they are few.
    const std::size_t least = d_samples * 8 > MOST_SAMPLES ? d_n / 8 + 1 : 1;
    what.hop = flip(40) ? d_n : pick(d_random, least, 3 * d_n);
    if (d_samples / what.hop * d_n > 4 * MOST_SAMPLES)
        what.hop = d_n;
    what.average = flip(50) ? 1 : pick(d_random, 2, 12);
    what.decibel = flip(50);
    what.shift = flip(50);
    what.alpha = flip(30) ? 0.3 : 1;
    what.window = pick_window(d_n);
    const detector_kind detectors[] = { detector_kind::max, detector_kind::min };
    if (flip(30))
        what.detector = one_of(d_random, detectors);
    if (what.average > 1 && flip(20)) {
        what.detector = detector_kind::kurtosis;
        what.decibel = false;
    }
    if (flip(25))
        what.hold = flip(50) ? hold_kind::max : hold_kind::min;
    if (flip(40)) {
        what.scaling = flip(50) ? "density" : "none";
        what.sample_rate = flip(50) ? 1 : 0.3;
    }
    const bool is_counted = what.detector != detector_kind::kurtosis && !what.decibel;
    const std::size_t most_rows = d_samples / what.hop / what.average + 1;
    std::size_t items = d_n;
    if (is_counted && flip(25) && most_rows * (3 * d_n + 2048) < 4 * MOST_SAMPLES) {
        density_grid& grid = what.density;
        grid.columns = flip(50) ? 16 : 9;
        grid.levels = flip(50) ? 64 : 20;
        grid.first = flip(50) ? 0 : d_n / 3;
        grid.bins = flip(50) ? d_n - grid.first : (d_n - grid.first) / 2;
        grid.low = -60;
        grid.high = flip(50) ? 0 : 20;
    }
    stage made = make_spectrum(what, pick_options());
    items = made.out_bytes / sizeof(float);
    return { made, { samples::real, items } };
}

random_stage stage_lottery::logpwr()
{
    logpwr_parameters what{ d_n };
    what.decimation = flip(50) ? 1 : pick(d_random, 2, 5);
    what.real = d_items.type == samples::real;
    what.shift = flip(50);
    what.mean = flip(40);
    what.alpha = flip(50) ? 0.4 : 1;
    what.window = pick_window(d_n);
    what.ref_scale = flip(50) ? 2 : 0.3;
    return { make_logpwr(what, pick_options()), { samples::real, d_n } };
}

random_stage stage_lottery::filter()
{
    static constexpr std::size_t TAPS[] = { 1, 33, 100, 501 };
    static constexpr std::size_t DECIMATIONS[] = { 1, 1, 3, 8, 10, 64 };
    filter_parameters what{ one_of(d_random, DECIMATIONS), one_of(d_random, TAPS) };
    if (double(rows(what.decimation)) * double(what.taps) > MOST_WORK)
        what.taps = TAPS[1];
    what.real = d_items.type == samples::real;
    what.real_taps = flip(50);
    return { in_formats(make_filter, what), d_items };
}

random_stage stage_lottery::channels()
{
    static constexpr std::size_t TAPS[] = { 1, 33, 100 };
    static constexpr std::size_t DECIMATIONS[] = { 1, 5, 10 };
    static constexpr double CENTERS[] = { 0.1, -0.25, 0.4999, 0, -1.0 / 3 };
    static constexpr std::size_t COUNTS[] = { 1, 2, 5 };
    channel_parameters what{ one_of(d_random, DECIMATIONS), one_of(d_random, TAPS) };
    what.centers.resize(one_of(d_random, COUNTS));
    for (double& center : what.centers)
        center = one_of(d_random, CENTERS);
    if (double(rows(what.decimation)) * double(what.taps * what.centers.size()) >
            MOST_WORK ||
        rows(what.decimation) * what.centers.size() > MOST_SAMPLES)
        what = { DECIMATIONS[2], TAPS[1], { 0.1, -0.25 } };
    if (what.centers.size() > 1 && flip(40))
        return { in_formats(make_channels, what),
                 { samples::complex, what.centers.size() } };
    what.is_filter = what.centers.size() == 1 && flip(70);
    what.real_taps = what.is_filter && flip(50);
    return { make_channel_streams(what, pick_options()), stream_of(samples::complex) };
}

random_stage stage_lottery::channelizer()
{
    static constexpr std::size_t ARMS[] = { 1, 3, 8 };
    const bank each = one_of(d_random, BANKS);
    channelizer_parameters what{ each.channels, each.hop };
    what.taps = std::max<std::size_t>(
        one_of(d_random, ARMS) * each.channels - pick(d_random, 0, 1), 1);
    what.input = d_items.type == samples::int16  ? sample_format::cs16
                 : d_items.type == samples::int8 ? sample_format::cs8
                 : d_items.type == samples::real ? sample_format::f32
                                                 : sample_format::cf32;
    if (flip(40)) {
        what.map.resize(pick(d_random, 1, std::min<std::size_t>(what.bands(), 5)));
        for (int& channel : what.map)
            channel = static_cast<int>(pick(d_random, 0, what.bands() - 1));
    }
    const std::size_t outputs = what.outputs();
    if (rows(each.hop) * outputs > 2 * MOST_SAMPLES)
        return d_items.is_integer() ? spectrum() : fft();
    if (outputs > MOST_STREAMS || flip(40))
        return { in_formats(make_channelizer, what), { samples::complex, outputs } };
    if (!what.map.empty() || flip(60) || d_items.type != samples::complex)
        return { make_channelizer_streams(what, pick_options()),
                 stream_of(samples::complex) };
    synthesizer_parameters back{ each.channels, each.hop, what.taps };
    back.twox = each.channels == 2 * each.hop && flip(50);
    return { make_hier({ make_channelizer_streams(what, pick_options()),
                         make_synthesizer_streams(back, pick_options()) },
                       sizeof(gr_complex)),
             stream_of(samples::complex) };
}

random_stage stage_lottery::synthesizer()
{
    const std::size_t channels = d_items.n;
    const std::size_t hop = flip(40) ? channels : pick(d_random, 1, channels);
    const bool is_usual = channels == 16 || channels == 60 || channels == 64;
    if (!is_usual && (channels > 128 || flip(50)))
        return fft();
    if (double(d_samples) * double(channels) > MOST_WORK)
        return fft();
    const synthesizer_parameters what{ channels,
                                       is_usual ? channels / 2 : hop,
                                       3 * channels - 1 };
    return { in_formats(make_synthesizer, what), stream_of(samples::complex) };
}

random_stage stage_lottery::synthesizer_streams()
{
    bank each = BANKS[pick(d_random, 0, 4)];
    const bool twox = each.channels % 2 == 0 && flip(40);
    if (twox)
        each.hop = each.channels / 2;
    if (d_samples * each.hop > MOST_SAMPLES)
        return fft();
    const synthesizer_parameters what{ each.channels, each.hop, 3 * each.channels, twox };
    return { make_fan_in(make_synthesizer_streams(what, pick_options())),
             stream_of(samples::complex) };
}

} // namespace gpufft
} // namespace gr
