// SPDX-License-Identifier: GPL-3.0-or-later
//
// A hierarchical block around a core, which is the block with the engine.

#ifndef INCLUDED_GPUFFT_HIER_CORE_H
#define INCLUDED_GPUFFT_HIER_CORE_H

#include <gnuradio/block.h>
#include <gnuradio/gpufft/engine_block.h>
#include <gnuradio/hier_block2.h>
#include <gnuradio/io_signature.h>
#include <string>
#include <vector>

namespace gr {
namespace gpufft {

// A hierarchical block has a fixed number of ports. The core does with the first of them,
// if no more are connected.
inline gr::io_signature::sptr all_of(const gr::io_signature::sptr& some)
{
    const int most = some->max_streams();
    return gr::io_signature::make(most, most, some->sizeof_stream_item(0));
}
inline gr::io_signature::sptr all_inputs(const gr::block& core)
{
    return all_of(core.input_signature());
}
inline gr::io_signature::sptr all_outputs(const gr::block& core)
{
    return all_of(core.output_signature());
}

template <class Interface, class Core>
class hier_core : public Interface
{
public:
    void set_nthreads(int n) override
    {
        d_core->change([&](auto& next) { next.nthreads = n; });
    }
    int nthreads() const override { return d_core->settings().nthreads; }
    void set_output_scale(double factor) override
    {
        d_core->change([&](auto& next) { next.formats.output_scale = factor; });
    }
    double output_scale() const override
    {
        return d_core->settings().formats.output_scale;
    }
    std::int64_t max_taps() const override { return d_core->max_taps(); }

    void set_radio_tags(bool follow) override { d_core->set_radio_tags(follow); }
    bool radio_tags() const override { return d_core->radio_tags(); }

    gr::block_sptr core() const override { return d_core; }

    // The hier_block2's own call all receivers of its messages, one of which, for the
    // port below, is the block itself: they would never end.
    void set_processor_affinity(const std::vector<int>& mask) override
    {
        d_core->set_processor_affinity(mask);
    }
    void unset_processor_affinity() override { d_core->unset_processor_affinity(); }
    std::vector<int> processor_affinity() override
    {
        return d_core->processor_affinity();
    }
    void set_log_level(const std::string& level) override
    {
        d_core->set_log_level(level);
    }
    std::string log_level() override { return d_core->log_level(); }

    std::string engine() const override { return d_core->engine(); }
    std::string engine_reason() const override { return d_core->engine_reason(); }
    std::string describe() const override { return d_core->describe(); }
    std::string error() const override { return d_core->error(); }
    stream_statistics statistics() const override { return d_core->statistics(); }

protected:
    explicit hier_core(const std::shared_ptr<Core>& core) : d_core(core)
    {
        const pmt::pmt_t port = pmt::mp("status");
        this->message_port_register_hier_out(port);
        // The block itself holds the connection: if that owned the block, it would never
        // be freed.
        const gr::basic_block_sptr unowned(gr::basic_block_sptr(), this);
        this->msg_connect(core, port, unowned, port);
    }

    // The core alone, between all inputs and all outputs.
    void connect_core()
    {
        const gr::basic_block_sptr self = this->self();
        for (int port = 0; port < this->input_signature()->max_streams(); ++port)
            this->connect(self, port, d_core, port);
        for (int port = 0; port < this->output_signature()->max_streams(); ++port)
            this->connect(d_core, port, self, port);
    }

    const std::shared_ptr<Core> d_core;
};

} // namespace gpufft
} // namespace gr

#endif
