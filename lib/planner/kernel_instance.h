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
    std::string header = ""; // e.g. "stockham/stockham.cuh": what the program includes
    std::string name = "";   // of the template in gr::gpufft::kernels: "stockham_kernel"
    std::string shape = "";  // its first arguments
    // If not empty, the template that has the load and store steps as arguments, and its
    // first arguments: "column_level", "shape<...>".
    std::string inner = "", inner_shape = "";
    step_text load = {}, store = {}; // of the problem, or of another transform around it
    std::string further = "";        // the last arguments

    int block_threads = 1;
    int frames_per_block = 1; // frames (or units of power_kernel) that one block takes
    int blocks_per_frame = 1; // blocks that share one frame; one of the two is 1
    int cluster = 1;          // blocks of a thread block cluster
    bool persistent = false;  // a grid of fewer blocks also does all frames
    bool is_double = false;   // compiled with GPUFFT_DOUBLE: see build_program()
    std::size_t shared_bytes = 0;

    // "name<shape, load, store, further>" or "name<shape, inner<inner_shape, load, store,
    // further>>".
    std::string expression() const;
};

// A kernel whose blocks take the vectors of such a shape, with this text for the shape.
kernel_instance block_kernel(const block_shape& shape,
                             const std::string& shape_text,
                             std::size_t shared_bytes,
                             const std::string& header,
                             const std::string& name,
                             const step_text& load = {},
                             const step_text& store = {});

// The texts of template arguments.
std::string shape_text(const stockham_shape& shape); // shape<...>
// load<...>, the problem's first step; store<...>, its last. `lines` as in load.cuh.
// Their arguments alone, for steps of other names, if the problem is no polyphase bank.
std::string load_arguments(const problem& what, bool whole_lines = false);
std::string store_arguments(const problem& what);
std::string load_text(const problem& what, bool whole_lines = false);
std::string store_text(const problem& what);

// as_complex, as_power, ...: what a bin is stored as.
std::string kind_text(const problem& what);

// The kernel that transforms, with the problem's load and store steps; each frame gives a
// row.
kernel_instance transform_kernel(const problem& what, const recipe& how);

// The kernel that transforms and stores partial power sums, or the largest or the least
// powers, for average_kernel to finish.
kernel_instance power_kernel(const problem& what, const recipe& how);

// The kernel that joins these sums to rows; one thread a bin.
kernel_instance average_kernel(const problem& what);

// The same for rows with a density, from the parts of a detector.
kernel_instance average_kernel(const problem& what, detector_kind detector);

// The kernel that makes these parts and counts from every frame's powers, one thread a
// bin; and the kernel that writes the counts of whole rows.
kernel_instance density_kernel(const problem& what);
kernel_instance density_rows_kernel();

// average_arguments::hold.
int hold_argument(hold_kind hold);

// Twiddles in the order in which the kernel's passes read them: pass p >= 1, then input k
// = 1 ... radix-1, then j = 0 ... span-1 with span the product of the radices before p:
// exp(-2 pi i j k / (span radix)).
std::vector<std::complex<long double>> stockham_twiddles(const stockham_shape& shape);

} // namespace gpufft
} // namespace gr

#endif
