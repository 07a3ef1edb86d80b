// SPDX-License-Identifier: GPL-3.0-or-later
//
// Writes the template instantiations of the transform, power, average and density
// kernels, and argument texts that other algorithms use.

#include "kernel_instance.h"
#include "planner/filters/polyphase_bank.h"

#include <cmath>

namespace gr {
namespace gpufft {

namespace {

constexpr int AVERAGE_THREADS = 128; // of average_kernel: one thread per bin
constexpr int DENSITY_THREADS = 64;  // of density_kernel: counts of all fit a block

std::string pad_text(const padding& pad)
{
    return std::to_string(pad.every) + ", " + std::to_string(pad.by);
}

std::string end_text(bool staged, const padding& pad)
{
    return staged ? "staged<" + pad_text(pad) + ">" : "direct";
}

std::string detector_text(detector_kind detector)
{
    return std::string("detect_") + to_string(detector);
}

// Samples of 2 bytes cannot be copied one by one without waiting, and the points of a
// polyphase bank are no samples.
bool is_pipelined(const problem& what, const stockham_shape& shape)
{
    return shape.pipelined && what.input_item_bytes() >= 4 && !what.is_polyphase_bank();
}

} // namespace

std::string flag_text(bool value) { return value ? "true" : "false"; }

std::string shape_text(const stockham_shape& shape)
{
    std::string text =
        "shape<" + std::to_string(shape.n) + ", " + std::to_string(shape.columns) + ", " +
        std::to_string(shape.threads) + ", " + std::to_string(shape.transforms) + ", " +
        std::to_string(shape.blocks) + ", " + std::to_string(shape.stride) + ", " +
        (shape.load_by_rows
             ? "by_rows"
             : end_text(shape.staged_load && !shape.mirrored, shape.load_padding)) +
        ", " + end_text(shape.staged_store && !shape.mirrored, shape.store_padding);
    for (std::size_t p = 0; p < shape.radices.size(); ++p) {
        const padding pad = p < shape.paddings.size() ? shape.paddings[p] : padding();
        text += ", pass<" + std::to_string(shape.radices[p]) + ", " + pad_text(pad) + ">";
    }
    return text + ">";
}

std::string load_text(const problem& what, bool lines)
{
    const std::string step = std::string("load<format_") + to_string(what.input) + ", " +
                             flag_text(what.window) + ", " + flag_text(what.shift_input) +
                             ", " + flag_text(what.dir == direction::inverse) +
                             (lines ? ", true>" : ">");
    if (!what.is_polyphase_bank())
        return step;
    const sample_sharing sharing = sharing_of(what);
    return "load_bank<" + step + ", " + std::to_string(what.taps) + ", " +
           flag_text(what.running) + ", " + std::to_string(sharing.apart) + ", " +
           std::to_string(sharing.shift) + ", " + std::to_string(sharing.drift) + ">";
}

std::string kind_text(const problem& what)
{
    const std::string kind = std::string("as_") + to_string(what.output);
    return what.stored == number_format::working ? kind
                                                 : kind + "_" + to_string(what.stored);
}

std::string store_text(const problem& what)
{
    if (what.picks_bins())
        return "store_picked<" + kind_text(what) + ", " +
               flag_text(what.dir == direction::inverse) + ", " +
               std::to_string(what.bins) + ">";
    return "store<" + kind_text(what) + ", " + flag_text(what.shift_output) + ", " +
           flag_text(what.dir == direction::inverse) + ">";
}

kernel_instance transform_kernel(const problem& what, const recipe& how)
{
    const stockham_shape& shape = how.shape();
    const std::string arguments =
        shape_text(shape) + ", " + load_text(what) + ", " + store_text(what);
    kernel_instance kernel;
    kernel.header = "stockham/stockham.cuh";
    kernel.block_threads = shape.block_threads();
    kernel.frames_per_block = shape.transforms;
    if (is_pipelined(what, shape)) {
        stockham_shape copied = shape;
        copied.copied_by_card = shape.copied_by_card && !what.shift_input;
        kernel.header = "stockham/pipelined.cuh";
        kernel.expression = "pipelined_kernel<" + arguments + ", copies_by_" +
                            (copied.copied_by_card ? "card>" : "threads>");
        kernel.persistent = true;
        kernel.shared_bytes = copied.shared_bytes();
    } else if (how.cluster > 1) {
        kernel.header = "stockham/stockham_polyphase.cuh";
        kernel.expression = "stockham_bank_kernel<" + arguments + ", " +
                            std::to_string(how.cluster) + ">";
        kernel.cluster = how.cluster;
        kernel.shared_bytes = shape.shared_bytes();
    } else if (shape.copied_by_card && !shape.pipelined) {
        kernel.header = "stockham/stockham_tiles.cuh";
        kernel.expression = "stockham_tiles_kernel<" + arguments + ">";
        kernel.shared_bytes = shape.shared_bytes();
    } else {
        kernel.expression = "stockham_kernel<" + arguments + ">";
        kernel.shared_bytes =
            std::size_t(shape.stride) * shape.transforms * shape.point_bytes();
        if (!shape.pipelined)
            kernel.shared_bytes = shape.shared_bytes();
    }
    return kernel;
}

kernel_instance power_kernel(const problem& what, const recipe& how)
{
    kernel_instance kernel = transform_kernel(what, how);
    kernel.header = "stockham/stockham_power.cuh";
    kernel.expression = "stockham_power_kernel<" + shape_text(how.shape()) + ", " +
                        load_text(what) + ", " + flag_text(what.shift_output) + ", " +
                        detector_text(what.detector) + ">";
    return kernel;
}

kernel_instance average_kernel(const problem& what)
{
    return average_kernel(what, what.detector);
}

kernel_instance average_kernel(const problem& what, detector_kind detector)
{
    kernel_instance kernel;
    kernel.header = "powers/average.cuh";
    kernel.block_threads = AVERAGE_THREADS;
    kernel.expression = "average_kernel<" + std::to_string(AVERAGE_THREADS) + ", " +
                        flag_text(what.output == output_kind::decibel) + ", " +
                        detector_text(detector) + ">";
    return kernel;
}

kernel_instance density_kernel(const problem& what)
{
    kernel_instance kernel;
    kernel.header = "powers/density.cuh";
    kernel.block_threads = DENSITY_THREADS;
    kernel.shared_bytes = (what.density.levels + 1) * DENSITY_THREADS * sizeof(unsigned);
    kernel.expression = "density_kernel<" + std::to_string(DENSITY_THREADS) + ", " +
                        detector_text(what.detector) + ">";
    return kernel;
}

kernel_instance density_rows_kernel()
{
    kernel_instance kernel;
    kernel.header = "powers/density.cuh";
    kernel.block_threads = AVERAGE_THREADS;
    kernel.expression = "density_rows_kernel<" + std::to_string(AVERAGE_THREADS) + ">";
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
        for (long k = 1; k < shape.radices[p]; ++k) {
            for (long j = 0; j < span; ++j) {
                const long double angle = 2 * M_PIl * (long double)(j * k) / row;
                twiddles.emplace_back(std::cos(angle), -std::sin(angle));
            }
        }
        span = row;
    }
    return twiddles;
}

} // namespace gpufft
} // namespace gr
