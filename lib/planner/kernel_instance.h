// SPDX-License-Identifier: GPL-3.0-or-later
//
// From recipe to kernel: the one C++ template instantiation that is compiled for it (by
// NVRTC, or by g++ in the tests), and how it is launched.

#ifndef INCLUDED_GPUFFT_KERNEL_INSTANCE_H
#define INCLUDED_GPUFFT_KERNEL_INSTANCE_H

#include "kernel_text.h"
#include "recipe.h"
#include <complex>
#include <gnuradio/gpufft/problem.h>
#include <string>
#include <vector>

namespace gr {
namespace gpufft {

struct kernel_instance {
    std::string header = ""; // file to include: "stockham/stockham.cuh"
    std::string name = "";   // template in gr::gpufft::kernels: "stockham_kernel"
    std::string shape = "";  // first arguments of the template
    // If not empty: a template around the load and store steps, which becomes an
    // argument of `name`, and its own first arguments: "column_level", "shape<...>".
    std::string inner = "", inner_shape = "";
    step_text load = {}, store = {}; // steps of the problem or of a transform around it
    std::string further = "";        // last arguments of the template

    int block_threads = 1;
    int frames_per_block = 1; // frames (or units of power_kernel) that one block takes
    int blocks_per_frame = 1; // blocks that share one frame; one of the two is 1
    int cluster = 1;          // blocks of a thread block cluster
    bool persistent = false;  // a grid of fewer blocks still computes all frames
    bool is_double = false;   // compiled with GPUFFT_DOUBLE: see build_program()
    std::size_t shared_bytes = 0;

    // "name<shape, load, store, further>" or "name<shape, inner<inner_shape, load, store,
    // further>>".
    std::string expression() const;

    // Whether expressions of a user in it have parameters.
    bool has_parameters() const;
};

// A kernel whose blocks transform vectors by this shape, which has this text.
kernel_instance block_kernel(const block_shape& shape,
                             const std::string& shape_text,
                             std::size_t shared_bytes,
                             const std::string& header,
                             const std::string& name,
                             const step_text& load = {},
                             const step_text& store = {});

// The texts of template arguments.
std::string shape_text(const stockham_shape& shape); // shape<...>
// load<...> and store<...>: the problem's steps. whole_lines: as `lines` in load.cuh. For
// steps of other names, their arguments alone, if the problem is no polyphase bank.
std::string load_arguments(const problem& what, bool whole_lines = false);
std::string store_arguments(const problem& what);
std::string load_text(const problem& what, bool whole_lines = false);
std::string store_text(const problem& what);

// The format of the samples, with the load expression if there is one.
std::string format_text(const problem& what);

// The form in which a bin is stored: as_complex, as_power, ...
std::string kind_text(const problem& what);

// The format of a filter's samples and of its rows, as last arguments of its steps; ""
// for the working precision.
std::string input_argument(const problem& what);
std::string stored_argument(const problem& what);

// The kernel that transforms, with the problem's load and store steps; a row per frame.
kernel_instance transform_kernel(const problem& what, const recipe& how);

// The kernel that transforms and stores partial sums of powers, or the largest or
// smallest powers. average_kernel completes the rows.
kernel_instance power_kernel(const problem& what, const recipe& how);

// The kernel that combines these sums to rows, with one thread for each bin.
kernel_instance average_kernel(const problem& what);

// The same for rows with a density, from the partial results of a detector.
kernel_instance average_kernel(const problem& what, detector_kind detector);

// The kernel that makes partial results and counts from every frame's powers, one
// thread for each bin; and the kernel that writes the counts of whole rows.
kernel_instance density_kernel(const problem& what);
kernel_instance density_rows_kernel();

// The kernels that move vectors of items of item_bytes, 1 ... 8, to streams and back.
kernel_instance vectors_to_streams_kernel(std::size_t item_bytes);
kernel_instance streams_to_vectors_kernel(std::size_t item_bytes);

// The kernels between the levels of a transform larger than a card.
kernel_instance slab_twiddles_kernel(bool is_double);
kernel_instance slab_pairs_kernel(bool forward, bool is_double);

// The value of average_arguments::hold.
int hold_argument(hold_kind hold);

// Twiddles in the order in which the kernel's passes read them: pass p >= 1, then input k
// = 1 ... radix-1, then j = 0 ... span-1 with span the product of the radices before p:
// exp(-2 pi i j k / (span radix)).
std::vector<std::complex<long double>> stockham_twiddles(const stockham_shape& shape);

} // namespace gpufft
} // namespace gr

#endif
