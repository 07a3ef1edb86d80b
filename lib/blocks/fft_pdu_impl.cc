// SPDX-License-Identifier: GPL-3.0-or-later
//
// FFT of bursts: each message goes through a plan of its length. Whatever a message
// holds, its handler must not throw.

#include "fft_pdu_impl.h"
#include "radio_tags.h"
#include <algorithm>
#include <cstring>
#include <gnuradio/io_signature.h>
#include <spdlog/fmt/fmt.h>

namespace gr {
namespace gpufft {

namespace {

const pmt::pmt_t IN_PORT = pmt::mp("pdu_in");
const pmt::pmt_t OUT_PORT = pmt::mp("pdu_out");
const pmt::pmt_t SYSTEM_PORT = pmt::mp("system");
const pmt::pmt_t SAMPLE_RATE = pmt::mp("sample_rate");

} // namespace

fft_pdu::sptr fft_pdu::make(const fft_pdu_settings& settings,
                            const engine_options& options)
{
    return gnuradio::make_block_sptr<fft_pdu_impl>(settings, options);
}

fft_pdu::sptr fft_pdu::make(std::int64_t fft_size,
                            bool forward,
                            const window_spec& window,
                            bool shift,
                            const std::string& output,
                            const std::string& engine,
                            const device_list& device,
                            const std::string& on_error,
                            double device_timeout)
{
    fft_pdu_settings settings;
    settings.fft_size = fft_size;
    settings.forward = forward;
    settings.window = window;
    settings.shift = shift;
    settings.output = output;
    return make(settings, { engine, device, on_error, device_timeout });
}

fft_pdu_impl::fft_pdu_impl(const fft_pdu_settings& settings,
                           const engine_options& options)
    : gr::block("fft_pdu",
                gr::io_signature::make(0, 0, 0),
                gr::io_signature::make(0, 0, 0)),
      d_settings(settings),
      d_status(*this, *this, d_logger),
      d_wanted_engine(options.engine),
      d_device(options.device.indices().front()),
      d_cpu_on_error(goes_on_with_cpu(options.on_error)),
      d_device_timeout(check_device_timeout(options.device_timeout))
{
    const device_patience patience(d_device_timeout);
    check(settings);
    choose_engine();
    message_port_register_in(IN_PORT);
    message_port_register_out(OUT_PORT);
    set_msg_handler(IN_PORT, [this](const pmt::pmt_t& message) { take(message); });
}

fft_pdu_impl::~fft_pdu_impl()
{
    const device_patience patience(d_device_timeout);
    d_plans.clear();
}

// For bursts of one length "auto" is the engine with the shorter round trip. A trial plan
// shows that the engine works, and is kept if the bursts need it.
void fft_pdu_impl::choose_engine()
{
    const fft_pdu_settings now = d_settings.get();
    const problem trial = resolve(now, TRIAL_BURST, false);
    std::string reason;
    engine_kind chosen = engine_from_string(d_wanted_engine);
    const bool is_automatic = chosen == engine_kind::automatic;
    if (is_automatic && !live_plan::s_card_name(d_device).empty()) {
        if (now.fft_size == 0) {
            chosen = engine_kind::cpu;
            reason = "auto: the GPU would compile for each length";
        } else {
            plan_options where;
            where.device = d_device;
            const break_even table = find_break_even(
                trial,
                where,
                false,
                { live_plan::s_make, live_plan::s_make_device, live_plan::s_card_name });
            const bool is_measured =
                !table.chunks.empty() && table.chunks.front().cuda_delay > 0;
            const double cpu = is_measured ? table.chunks.front().cpu : 0;
            const double cuda = is_measured ? table.chunks.front().cuda_delay : 0;
            chosen = is_measured && cuda > cpu ? engine_kind::cpu : chosen;
            reason = is_measured ? fmt::format("auto: a burst takes the GPU {:.3g} us, "
                                               "the CPU {:.3g} us",
                                               1e6 * cuda,
                                               1e6 * cpu)
                                 : table.reason();
        }
    }
    d_plans.clear();
    const plan& works = plan_of(trial, chosen);
    d_avoids_card = is_automatic && works.engine() == engine_kind::cpu &&
                    !live_plan::s_broken_reason(d_device).empty();
    {
        const std::lock_guard<std::mutex> lock(d_mutex);
        d_description = works.describe();
        d_engine_reason = reason.empty() ? works.engine_reason() : reason;
        d_engine = works.engine();
    }
    if (now.fft_size == 0)
        d_plans.clear();
    d_plan_count = d_plans.count();
    d_logger->info("engine {} ({})", to_string(d_engine), d_engine_reason);
}

// Frees the plans on a broken card: anything left there keeps the whole process from
// using it.
void fft_pdu_impl::leave_card()
{
    if (d_engine != engine_kind::cuda || live_plan::s_broken_reason(d_device).empty())
        return;
    d_plans.clear();
    d_plan_count = 0;
    d_avoids_card = true;
}

// If the card is still broken, the first burst reports it; a block on the CPU stays so.
void fft_pdu_impl::return_to_card()
{
    try {
        choose_engine();
    } catch (const std::exception&) {
        d_plan_count = d_plans.count();
    }
}

bool fft_pdu_impl::start()
{
    const device_patience patience(d_device_timeout);
    leave_card();
    if (d_avoids_card)
        return_to_card();
    while (delete_head_nowait(SYSTEM_PORT)) {
        // neighbours that ended after this block left it there; it would end the new run
    }
    d_status.begin_run();
    d_dropped = 0;
    const std::lock_guard<std::mutex> lock(d_mutex);
    d_statistics = stream_statistics();
    d_statistics.input_edge = d_statistics.output_edge = "host: messages";
    return true;
}

bool fft_pdu_impl::stop()
{
    const device_patience patience(d_device_timeout);
    leave_card();
    return true;
}

void fft_pdu_impl::take(const pmt::pmt_t& message) noexcept
{
    const device_patience patience(d_device_timeout);
    try {
        if (d_status.has_failed())
            throw std::runtime_error("the block has stopped: " + error());
        transform(burst::of(message));
    } catch (const cuda_error& error) {
        fail(error.what());
    } catch (const std::exception& error) {
        drop(error.what());
    } catch (...) {
        drop("unknown exception");
    }
}

void fft_pdu_impl::transform(const burst& given)
{
    const fft_pdu_settings now = d_settings.get();
    pmt::pmt_t spectrum;
    try {
        spectrum = compute(now, given);
    } catch (const cuda_error& error) {
        if (!d_cpu_on_error || d_engine != engine_kind::cuda)
            throw;
        d_logger->warn("{}; going on with the cpu engine", error.what());
        d_plans.clear();
        d_avoids_card = true;
        {
            const std::lock_guard<std::mutex> lock(d_mutex);
            d_engine = engine_kind::cpu;
            d_engine_reason = std::string("cpu: ") + error.what();
        }
        d_status.publish_trouble(error.what());
        spectrum = compute(now, given);
    }
    message_port_pub(OUT_PORT, pmt::cons(described(now, given), spectrum));
}

plan& fft_pdu_impl::plan_of(const problem& what, engine_kind engine)
{
    plan& with = d_plans.get(what, [&] {
        plan_options options;
        options.engine = engine;
        options.device = d_device;
        options.effort = planning_effort::quick; // FFTW would measure each new length
        return live_plan::s_make(what, options);
    });
    d_plan_count = d_plans.count();
    return with;
}

pmt::pmt_t fft_pdu_impl::compute(const fft_pdu_settings& now, const burst& given)
{
    const problem what = resolve(now, given.count, given.is_real);
    plan& with = plan_of(what, d_engine);
    const std::size_t taken = std::min(given.count, what.n);
    if (what.window)
        d_plans.set_window(window_taps(now, taken, what.n));
    const void* samples = given.samples;
    if (taken < what.n) {
        d_padded.assign(what.n * what.input_item_bytes(), 0);
        std::memcpy(d_padded.data(), given.samples, given.bytes());
        samples = d_padded.data();
    }
    pmt::pmt_t spectrum;
    void* bins;
    std::size_t count;
    if (what.is_power()) {
        spectrum = pmt::make_f32vector(what.n, 0.0f);
        bins = pmt::f32vector_writable_elements(spectrum, count);
    } else {
        spectrum = pmt::make_c32vector(what.n, gr_complex());
        bins = pmt::c32vector_writable_elements(spectrum, count);
    }
    with.execute(samples, bins, 1);
    note(with, d_plans.has_changed());
    return spectrum;
}

pmt::pmt_t fft_pdu_impl::described(const fft_pdu_settings& now, const burst& given) const
{
    const std::size_t n = now.fft_size > 0 ? now.fft_size : given.count;
    pmt::pmt_t metadata = given.metadata;
    const auto add = [&](const char* name, const pmt::pmt_t& value) {
        metadata = pmt::dict_add(metadata, pmt::mp(name), value);
    };
    add("fft_size", pmt::from_uint64(n));
    add("fft_samples", pmt::from_uint64(std::min(given.count, n)));
    add("fft_output", pmt::mp(now.output));
    const pmt::pmt_t rate = pmt::dict_ref(metadata, SAMPLE_RATE, pmt::PMT_NIL);
    if (is_real_value(rate))
        add("fft_bin_width", pmt::from_double(real_value(rate) / double(n)));
    return metadata;
}

// For describe() and statistics().
void fft_pdu_impl::note(const plan& used, bool is_new)
{
    const auto now = std::chrono::steady_clock::now();
    const bool is_on_card = used.engine() == engine_kind::cuda;
    {
        const std::lock_guard<std::mutex> lock(d_mutex);
        if (is_new)
            d_description = used.describe();
        if (d_statistics.frames == 0)
            d_first = now;
        ++d_statistics.chunks;
        ++d_statistics.frames;
        d_statistics.seconds = std::chrono::duration<double>(now - d_first).count();
        d_statistics.most_in_flight = 1;
        if (is_on_card) {
            d_statistics.bytes_up += used.what().n * used.what().input_item_bytes();
            d_statistics.bytes_down += used.what().n * used.what().output_item_bytes();
        }
    }
    d_status.publish_statistics();
}

// Ends the block, by the message that GNU Radio sends to end a message block.
void fft_pdu_impl::fail(const std::string& what) noexcept
{
    d_status.fail(what, "block");
    try {
        leave_card();
        _post(SYSTEM_PORT, pmt::cons(pmt::mp("done"), pmt::from_long(1)));
    } catch (...) {
        // There is no memory for the message: the block can only stop taking bursts.
    }
}

void fft_pdu_impl::drop(const std::string& why) noexcept
{
    // A line for the first, the tenth, the hundredth ...: a flood gives only a few lines.
    const std::uint64_t count = ++d_dropped;
    std::uint64_t step = 1;
    while (step < count && step <= count / 10)
        step *= 10;
    try {
        if (count == 1)
            d_logger->warn("dropped a message: {}", why);
        else if (count == step)
            d_logger->warn("dropped {} messages so far, the last one: {}", count, why);
    } catch (...) {
        // it is counted
    }
}

std::string fft_pdu_impl::engine() const
{
    const std::lock_guard<std::mutex> lock(d_mutex);
    return to_string(d_engine);
}

std::string fft_pdu_impl::engine_reason() const
{
    const std::lock_guard<std::mutex> lock(d_mutex);
    return d_engine_reason;
}

std::string fft_pdu_impl::describe() const
{
    const std::lock_guard<std::mutex> lock(d_mutex);
    return d_description;
}

stream_statistics fft_pdu_impl::statistics() const
{
    const std::lock_guard<std::mutex> lock(d_mutex);
    stream_statistics now = d_statistics;
    now.engine = to_string(d_engine);
    return now;
}

} // namespace gpufft
} // namespace gr
