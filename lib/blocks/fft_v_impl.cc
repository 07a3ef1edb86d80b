// SPDX-License-Identifier: GPL-3.0-or-later
//
// FFT of vectors.

#include "fft_v_impl.h"
#include "fft_v_stream_impl.h"
#include "item_format.h"
#include "problem/stream_batch.h"
#include "ranges.h"
#include <algorithm>
#include <gnuradio/block_detail.h>
#include <gnuradio/buffer_reader.h>
#include <gnuradio/io_signature.h>
#include <limits>

namespace gr {
namespace gpufft {

namespace {

template <bool forward>
constexpr direction DIRECTION = forward ? direction::forward : direction::inverse;

constexpr std::int64_t MAX_VECTOR =
    std::numeric_limits<int>::max() / static_cast<std::int64_t>(sizeof(gr_complex));

gr::io_signature::sptr vectors(std::size_t item_bytes, std::int64_t fft_size)
{
    check_range("fft_size", fft_size, 1, MAX_FFT_SIZE);
    if (fft_size > MAX_VECTOR)
        throw std::invalid_argument(fmt::format(
            "fft_size is {}: vector ports end at {}; use vlen=1, plain streams",
            fft_size,
            MAX_VECTOR));
    return gr::io_signature::make(1, 1, static_cast<int>(item_bytes * fft_size));
}

} // namespace

plan_settings fft_v_settings::resolve(direction dir, sample_format format) const
{
    plan_settings result;
    problem& what = result.what;
    what.dir = dir;
    what.n = check_range("fft_size", fft_size, 1, MAX_FFT_SIZE);
    what.batch = frames_of_stream(what.n);
    what.input = format;
    what.shift_output = shift && dir == direction::forward;
    what.shift_input = shift && dir == direction::inverse;
    result.threads = check_range("nthreads", nthreads, 1, MAX_THREADS);
    try {
        result.window = window.build(what.n);
    } catch (const std::invalid_argument& error) {
        if (!window.fits(what.n))
            throw std::runtime_error(error.what());
        throw;
    }
    what.window = !result.window.empty();
    return result;
}

template <class T, bool forward>
typename fft_v<T, forward>::sptr fft_v<T, forward>::make(std::int64_t fft_size,
                                                         const window_spec& window,
                                                         bool shift,
                                                         int nthreads,
                                                         const std::string& engine,
                                                         const device_list& device,
                                                         const std::string& on_error,
                                                         std::int64_t vlen,
                                                         double device_timeout)
{
    const fft_v_settings settings{ fft_size, window, shift, nthreads };
    const engine_options options{ engine, device, on_error, device_timeout };
    if (vlen == 0 || vlen == fft_size)
        return gnuradio::make_block_sptr<fft_v_impl<T, forward>>(settings, options);
    if (vlen != 1)
        throw std::invalid_argument(fmt::format(
            "vlen is {}: must be {} (vectors, fft_size) or 1 (samples)", vlen, fft_size));
    return gnuradio::make_block_sptr<fft_v_stream_impl<T, forward>>(settings, options);
}

template <class T, bool forward>
fft_v_impl<T, forward>::fft_v_impl(const fft_v_settings& settings,
                                   const engine_options& options)
    : gr::sync_block(sizeof(T) == sizeof(float) ? "fft_vfc" : "fft_vcc",
                     vectors(sizeof(T), settings.fft_size),
                     vectors(sizeof(gr_complex), settings.fft_size)),
      engine_base(*this,
                  this->d_logger,
                  settings.resolve(DIRECTION<forward>, FORMAT<T>),
                  options),
      d_fft_size(settings.fft_size),
      d_framer(d_fft_size, sizeof(T)),
      d_settings(settings)
{
    ask_for_buffers(this->chunk_bytes() / (d_fft_size * sizeof(gr_complex)));
}

template <class T, bool forward>
void fft_v_impl<T, forward>::ask_for_buffers(std::size_t items)
{
    d_buffer_items = std::max<std::size_t>(1, items);
}

template <class T, bool forward>
bool fft_v_impl<T, forward>::check_topology(int, int)
{
    this->ask_for_output(d_buffer_items);
    return true;
}

template <class T, bool forward>
template <class Change>
void fft_v_impl<T, forward>::change(Change&& change)
{
    d_settings.change(change, [this](const auto& next) {
        this->d_plan.configure(next.resolve(DIRECTION<forward>, FORMAT<T>));
    });
}

template <class T, bool forward>
void fft_v_impl<T, forward>::set_nthreads(int n)
{
    change([&](auto& next) { next.nthreads = n; });
}

template <class T, bool forward>
bool fft_v_impl<T, forward>::set_window(const window_spec& window)
{
    if (!window.fits(d_fft_size))
        return false;
    change([&](auto& next) { next.window = window; });
    return true;
}

template <class T, bool forward>
bool fft_v_impl<T, forward>::start()
{
    this->begin_run();
    this->set_output_multiple(1);
    this->guarded([this] {
        d_framer.start(
            chunked_stream::samples_at_once(*this->detail(), d_fft_size, sizeof(T)), 0);
        this->d_stream.start(*this->detail(), d_framer);
        return 0;
    });
    return true;
}

template <class T, bool forward>
bool fft_v_impl<T, forward>::stop()
{
    this->end_run();
    return true;
}

template <class T, bool forward>
int fft_v_impl<T, forward>::work(int noutput_items,
                                 gr_vector_const_void_star& input_items,
                                 gr_vector_void_star& output_items)
{
    return this->guarded_work([&] {
        chunked_stream::window now;
        now.input = input_items[0];
        now.samples = noutput_items * d_fft_size;
        now.output = output_items[0];
        now.rows = noutput_items;
        now.bytes_read = this->nitems_read(0) * d_fft_size * sizeof(T);
        now.bytes_written = this->nitems_written(0) * d_fft_size * sizeof(gr_complex);
        return static_cast<int>(this->d_stream.step(now, d_framer).rows);
    });
}

template class fft_v<gr_complex, true>;
template class fft_v<gr_complex, false>;
template class fft_v<float, true>;
template class fft_v<float, false>;
template class fft_v_impl<gr_complex, true>;
template class fft_v_impl<gr_complex, false>;
template class fft_v_impl<float, true>;
template class fft_v_impl<float, false>;

} // namespace gpufft
} // namespace gr
