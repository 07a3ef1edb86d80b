// SPDX-License-Identifier: GPL-3.0-or-later
//
// FFT of vectors, in place of gr-fft's.

#include "expression_parameters.h"
#include "problem/stream_batch.h"
#include "transform_impl.h"
#include <gnuradio/gpufft/fft_v.h>
#include <limits>

namespace gr {
namespace gpufft {

namespace {

constexpr std::int64_t MAX_VECTOR =
    std::numeric_limits<int>::max() / static_cast<std::int64_t>(sizeof(gr_complex));

struct fft_v_settings {
    direction dir;
    sample_format format;
    std::int64_t fft_size;
    window_spec window;
    bool shift;
    int nthreads;
    item_formats formats;
    std::string load = "", store = "";
    std::map<std::string, float> parameters = {};

    // Throws std::invalid_argument for a value out of range, std::runtime_error (as
    // gr-fft) for a window that does not fit.
    plan_settings resolve() const;
};

plan_settings fft_v_settings::resolve() const
{
    plan_settings result;
    problem& what = result.what;
    what.dir = dir;
    what.n = check_range("fft_size", fft_size, 1, MAX_FFT_SIZE);
    what.batch = frames_of_stream(what.n);
    what.input = format;
    apply_formats(formats, what);
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
    what.load = load;
    what.store = store;
    if (what.has_expressions())
        what.validate();
    check_parameters(parameters, what);
    result.parameters = parameters;
    return result;
}

template <class T, bool forward>
class fft_v_impl : public transform_impl<fft_v<T, forward>, fft_v_settings>
{
public:
    using transform_impl<fft_v<T, forward>, fft_v_settings>::transform_impl;

    void set_expressions(const std::string& load, const std::string& store) override
    {
        this->change([&](fft_v_settings& next) {
            next.load = load;
            next.store = store;
            problem only;
            only.load = load;
            only.store = store;
            const std::vector<std::string> names = only.parameter_names();
            for (auto each = next.parameters.begin(); each != next.parameters.end();)
                each = std::count(names.begin(), names.end(), each->first) > 0
                           ? std::next(each)
                           : next.parameters.erase(each);
        });
    }
    std::string load_expression() const override { return this->settings().load; }
    std::string store_expression() const override { return this->settings().store; }
    void set_parameters(const std::map<std::string, float>& parameters) override
    {
        this->change([&](fft_v_settings& next) { next.parameters = parameters; });
    }
    std::map<std::string, float> parameters() const override
    {
        return this->settings().parameters;
    }

    bool set_window(const window_spec& window) override
    {
        if (!window.fits(this->settings().fft_size))
            return false;
        this->change([&](fft_v_settings& next) { next.window = window; });
        return true;
    }
};

} // namespace

template <class T, bool forward>
typename fft_v<T, forward>::sptr fft_v<T, forward>::make(std::int64_t fft_size,
                                                         const window_spec& window,
                                                         bool shift,
                                                         int nthreads,
                                                         const std::string& engine,
                                                         const device_list& device,
                                                         const std::string& on_error,
                                                         std::int64_t vlen,
                                                         double device_timeout,
                                                         const item_formats& formats)
{
    const port_kind ports = ports_of(vlen, fft_size, "fft_size");
    const bool of_vectors = ports == port_kind::vectors;
    check_range("fft_size", fft_size, 1, MAX_FFT_SIZE);
    if (of_vectors && fft_size > MAX_VECTOR)
        throw std::invalid_argument(fmt::format(
            "fft_size is {}: vector ports end at {}; use vlen=1, plain streams",
            fft_size,
            MAX_VECTOR));
    return make_transform_block<fft_v_impl<T, forward>>(
        sizeof(T) == sizeof(float) ? of_vectors ? "fft_vfc" : "fft_vfc_stream"
        : of_vectors               ? "fft_vcc"
                                   : "fft_vcc_stream",
        fft_v_settings{ forward ? direction::forward : direction::inverse,
                        FORMAT<T>,
                        fft_size,
                        window,
                        shift,
                        nthreads,
                        formats },
        engine_options{ engine, device, on_error, device_timeout },
        ports);
}

template class fft_v<gr_complex, true>;
template class fft_v<gr_complex, false>;
template class fft_v<float, true>;
template class fft_v<float, false>;

} // namespace gpufft
} // namespace gr
