// SPDX-License-Identifier: GPL-3.0-or-later
//
// The transform, power, average and density kernels, and argument texts that other
// algorithms use.

#include "kernel_instance.h"
#include "planner/filters/polyphase_bank.h"
#include "problem/expression.h"
#include "roots_of_unity.h"

namespace gr {
namespace gpufft {

namespace {

constexpr int AVERAGE_THREADS = 128; // of average_kernel: one thread per bin
constexpr int DENSITY_THREADS = 64;  // of density_kernel: their counts fit a block

std::string end_text(bool staged, const padding& pad)
{
    return staged ? text_of("staged", pad.every, pad.by) : "direct";
}

std::string detector_text(detector_kind detector)
{
    return std::string("detect_") + to_string(detector);
}

// The card cannot copy single samples of 2 bytes without waiting, and the points of a
// polyphase bank are no samples.
bool is_pipelined(const problem& what, const stockham_shape& shape)
{
    return shape.pipelined && what.input_item_bytes() >= 4 && !what.is_polyphase_bank();
}

} // namespace

std::string kernel_instance::expression() const
{
    const std::string ends = list_of(load.to_text(), store.to_text(), further);
    return text_of(name, shape, inner.empty() ? ends : text_of(inner, inner_shape, ends));
}

bool kernel_instance::has_parameters() const
{
    return expression().find("user_parameter<") != std::string::npos;
}

kernel_instance block_kernel(const block_shape& shape,
                             const std::string& shape_text,
                             std::size_t shared_bytes,
                             const std::string& header,
                             const std::string& name,
                             const step_text& load,
                             const step_text& store)
{
    kernel_instance kernel = { header, name, shape_text };
    kernel.load = load;
    kernel.store = store;
    kernel.block_threads = shape.block_threads();
    kernel.frames_per_block = shape.transforms;
    kernel.shared_bytes = shared_bytes;
    return kernel;
}

std::string shape_text(const stockham_shape& shape)
{
    std::string passes;
    for (std::size_t p = 0; p < shape.radices.size(); ++p) {
        const padding pad = p < shape.paddings.size() ? shape.paddings[p] : padding();
        add_argument(passes, text_of("pass", shape.radices[p], pad.every, pad.by));
    }
    return text_of("shape",
                   shape.n,
                   shape.columns,
                   shape.threads,
                   shape.transforms,
                   shape.blocks,
                   shape.stride,
                   shape.load_by_rows ? "by_rows"
                                      : end_text(shape.staged_load && !shape.mirrored,
                                                 shape.load_padding),
                   end_text(shape.staged_store && !shape.mirrored, shape.store_padding),
                   passes);
}

std::string format_text(const problem& what)
{
    const std::string format = std::string("format_") + to_string(what.input);
    return what.load.empty() ? format : text_of("user_format", format, load_type(what));
}

std::string load_arguments(const problem& what, bool whole_lines)
{
    return list_of(format_text(what),
                   what.window,
                   what.shift_input,
                   what.dir == direction::inverse,
                   whole_lines ? "true" : "");
}

std::string store_arguments(const problem& what)
{
    return list_of(kind_text(what), what.shift_output, what.dir == direction::inverse);
}

std::string load_text(const problem& what, bool whole_lines)
{
    const std::string step = text_of("load", load_arguments(what, whole_lines));
    if (!what.is_polyphase_bank())
        return step;
    const sample_sharing sharing = sharing_of(what);
    return text_of("load_bank",
                   step,
                   what.taps,
                   what.running,
                   sharing.apart,
                   sharing.shift,
                   sharing.drift);
}

std::string kind_text(const problem& what)
{
    const std::string kind = std::string("as_") + to_string(what.output);
    if (!what.store.empty())
        return text_of("user_store", kind, store_type(what));
    return what.stored == number_format::working ? kind
                                                 : kind + "_" + to_string(what.stored);
}

std::string input_argument(const problem& what)
{
    const bool to_real = what.output == output_kind::real;
    if (what.input == working_format(!to_real, what.is_double()))
        return "";
    return (to_real ? "number_" : "format_") + std::string(to_string(what.input));
}

std::string stored_argument(const problem& what)
{
    if (what.stored == number_format::working)
        return "";
    return what.output == output_kind::real
               ? std::string("number_") + to_string(what.stored)
               : kind_text(what);
}

std::string store_text(const problem& what)
{
    if (what.picks_bins())
        return text_of(
            "store_picked", kind_text(what), what.dir == direction::inverse, what.bins);
    return text_of("store", store_arguments(what));
}

kernel_instance transform_kernel(const problem& what, const recipe& how)
{
    const stockham_shape& shape = how.shape();
    kernel_instance kernel = block_kernel(shape,
                                          shape_text(shape),
                                          shape.shared_bytes(),
                                          "stockham/stockham.cuh",
                                          "stockham_kernel",
                                          load_text(what),
                                          store_text(what));
    if (is_pipelined(what, shape)) {
        stockham_shape copied = shape;
        copied.copied_by_card = shape.copied_by_card && !what.shift_input;
        kernel.header = "stockham/pipelined.cuh";
        kernel.name = "pipelined_kernel";
        kernel.further = copied.copied_by_card ? "copies_by_card" : "copies_by_threads";
        kernel.persistent = true;
        kernel.shared_bytes = copied.shared_bytes();
    } else if (how.cluster() > 1) {
        kernel.header = "stockham/stockham_polyphase.cuh";
        kernel.name = "stockham_bank_kernel";
        kernel.further = std::to_string(how.cluster());
        kernel.cluster = how.cluster();
    } else if (shape.pipelined) {
        kernel.shared_bytes =
            std::size_t(shape.stride) * shape.transforms * shape.point_bytes();
    } else if (shape.tiled) {
        kernel.header = "stockham/stockham_tiles.cuh";
        kernel.name = "stockham_tiles_kernel";
        kernel.further = list_of(shape.copied_by_card);
    }
    return kernel;
}

kernel_instance power_kernel(const problem& what, const recipe& how)
{
    kernel_instance kernel = transform_kernel(what, how);
    kernel.header = "stockham/stockham_power.cuh";
    kernel.name = "stockham_power_kernel";
    kernel.store = {};
    kernel.further = list_of(what.shift_output, detector_text(what.detector));
    return kernel;
}

kernel_instance average_kernel(const problem& what)
{
    return average_kernel(what, what.detector);
}

kernel_instance average_kernel(const problem& what, detector_kind detector)
{
    kernel_instance kernel = { "powers/average.cuh", "average_kernel" };
    kernel.shape = list_of(AVERAGE_THREADS,
                           what.output == output_kind::decibel,
                           detector_text(detector),
                           what.stored == number_format::working
                               ? ""
                               : std::string("number_") + to_string(what.stored));
    kernel.block_threads = AVERAGE_THREADS;
    return kernel;
}

kernel_instance density_kernel(const problem& what)
{
    kernel_instance kernel = { "powers/density.cuh", "density_kernel" };
    kernel.shape = list_of(DENSITY_THREADS, detector_text(what.detector));
    kernel.block_threads = DENSITY_THREADS;
    kernel.shared_bytes = (what.density.levels + 1) * DENSITY_THREADS * sizeof(unsigned);
    return kernel;
}

kernel_instance density_rows_kernel()
{
    kernel_instance kernel = { "powers/density.cuh", "density_rows_kernel" };
    kernel.shape = std::to_string(AVERAGE_THREADS);
    kernel.block_threads = AVERAGE_THREADS;
    return kernel;
}

kernel_instance vectors_to_streams_kernel(std::size_t item_bytes)
{
    constexpr int STREAMS = 16, BYTES = 256, THREADS = 256; // bytes of a stream
    const int vectors = BYTES / static_cast<int>(item_bytes);
    const char* const item = item_bytes == 8   ? "unsigned long long"
                             : item_bytes == 4 ? "unsigned"
                             : item_bytes == 2 ? "unsigned short"
                                               : "unsigned char";
    kernel_instance kernel = { "streams/streams.cuh", "vectors_to_streams_kernel" };
    kernel.shape = list_of(item, STREAMS, vectors, THREADS);
    kernel.block_threads = THREADS;
    kernel.shared_bytes = STREAMS * (vectors | 1) * item_bytes;
    return kernel;
}

kernel_instance streams_to_vectors_kernel(std::size_t item_bytes)
{
    kernel_instance kernel = vectors_to_streams_kernel(item_bytes);
    kernel.name = "streams_to_vectors_kernel";
    return kernel;
}

static kernel_instance slab_kernel(const char* name, bool is_double)
{
    constexpr int THREADS = 256;
    kernel_instance kernel = { "slabs/slabs.cuh", name };
    kernel.further = std::to_string(THREADS);
    kernel.block_threads = THREADS;
    kernel.is_double = is_double;
    return kernel;
}

kernel_instance slab_twiddles_kernel(bool is_double)
{
    return slab_kernel("slab_twiddles_kernel", is_double);
}

kernel_instance slab_pairs_kernel(bool forward, bool is_double)
{
    kernel_instance kernel = slab_kernel("slab_pairs_kernel", is_double);
    kernel.shape = forward ? "true" : "false";
    return kernel;
}

int hold_argument(hold_kind hold)
{
    return hold == hold_kind::none ? 0 : hold == hold_kind::max ? 1 : -1;
}

std::vector<std::complex<long double>> stockham_twiddles(const stockham_shape& shape)
{
    std::vector<std::complex<long double>> twiddles;
    long span = shape.radices[0];
    for (std::size_t p = 1; p < shape.radices.size(); ++p) {
        const long row = span * shape.radices[p];
        const roots_of_unity<long double> root(row);
        for (long k = 1; k < shape.radices[p]; ++k)
            for (long j = 0; j < span; ++j)
                twiddles.push_back(root(j * k));
        span = row;
    }
    return twiddles;
}

} // namespace gpufft
} // namespace gr
