// SPDX-License-Identifier: GPL-3.0-or-later
//
// The extension module gnuradio.gpufft.gpufft_python.

#include "block_bindings.h"

PYBIND11_MODULE(gpufft_python, module)
{
    pybind11::module::import("gnuradio.gr"); // base classes of the blocks
    gr::gpufft::bind_plan(module);
    gr::gpufft::bind_machine(module);
    gr::gpufft::bind_array_functions(module);
    gr::gpufft::bind_device_array(module);
    gr::gpufft::bind_array_block(module);
    gr::gpufft::bind_break_even(module);
    gr::gpufft::bind_channel_bank(module);
    gr::gpufft::bind_correlator_bank(module);
    gr::gpufft::bind_fft_v(module);
    gr::gpufft::bind_power_spectrum(module);
    gr::gpufft::bind_spectrum_view(module);
    gr::gpufft::bind_flowgraph(module);
    gr::gpufft::bind_logpwrfft(module);
    gr::gpufft::bind_fft_filter(module);
    gr::gpufft::bind_pfb_channelizer(module);
    gr::gpufft::bind_pfb_synthesizer(module);
    gr::gpufft::bind_rfft(module);
    gr::gpufft::bind_dct(module);
    gr::gpufft::bind_fft2d(module);
    gr::gpufft::bind_fft_pdu(module);
    gr::gpufft::bind_zoom_fft(module);
}
