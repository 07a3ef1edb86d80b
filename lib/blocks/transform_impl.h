// SPDX-License-Identifier: GPL-3.0-or-later
//
// A block made from an interface and settings. resolve() of the settings gives the plan's
// settings or throws std::invalid_argument.

#ifndef INCLUDED_GPUFFT_TRANSFORM_IMPL_H
#define INCLUDED_GPUFFT_TRANSFORM_IMPL_H

#include "item_format.h"
#include "ranges.h"
#include "shared_settings.h"
#include "stream/transform_base.h"
#include <gnuradio/gpufft/window_spec.h>

namespace gr {
namespace gpufft {

template <class Interface, class Settings>
class transform_impl : public Interface, public transform_base
{
public:
    // `resolved` is the result of settings.resolve().
    transform_impl(const Settings& settings,
                   const plan_settings& resolved,
                   const engine_options& options,
                   port_kind ports)
        : transform_base(resolved, options, ports),
          d_settings(settings)
    {
    }

    void set_nthreads(int n) override
    {
        change([&](Settings& next) { next.nthreads = n; });
    }
    int nthreads() const override { return d_settings.get().nthreads; }

    void set_output_scale(double factor) override
    {
        change([&](Settings& next) { next.formats.output_scale = factor; });
    }
    double output_scale() const override { return d_settings.get().formats.output_scale; }

protected:
    Settings settings() const { return d_settings.get(); }

    template <class Change>
    void change(Change&& change)
    {
        d_settings.change(
            change, [this](const Settings& next) { d_plan.configure(next.resolve()); });
    }

private:
    shared_settings<Settings> d_settings;
};

template <class Interface, class Settings>
class windowed_transform_impl : public transform_impl<Interface, Settings>
{
public:
    using transform_impl<Interface, Settings>::transform_impl;

    void set_window(const window_spec& window) override
    {
        this->change([&](Settings& next) { next.window = window; });
    }
};

// A transform_impl with name and ports, which only the most derived class can pass to
// gr::block, a virtual base.
template <class Transform>
class named_transform : public Transform
{
public:
    template <class Settings>
    named_transform(const char* name,
                    const Settings& settings,
                    const plan_settings& resolved,
                    const engine_options& options,
                    port_kind ports)
        : gr::block(name,
                    Transform::input_port(resolved.what, ports),
                    Transform::output_port(resolved.what, ports)),
          Transform(settings, resolved, options, ports)
    {
    }
};

template <class Transform, class Settings>
std::shared_ptr<Transform> make_transform_block(const char* name,
                                                const Settings& settings,
                                                const engine_options& options,
                                                port_kind ports)
{
    return gnuradio::make_block_sptr<named_transform<Transform>>(
        name, settings, settings.resolve(), options, ports);
}

// vlen 1: samples; 0 or `frame`: vectors. Throws std::invalid_argument for others.
inline port_kind ports_of(std::int64_t vlen, std::int64_t frame, const char* name)
{
    if (vlen == 1)
        return port_kind::samples;
    if (vlen != 0 && vlen != frame)
        throw std::invalid_argument(fmt::format(
            "vlen is {}: must be {} (vectors, {}) or 1 (samples)", vlen, frame, name));
    return port_kind::vectors;
}

} // namespace gpufft
} // namespace gr

#endif
