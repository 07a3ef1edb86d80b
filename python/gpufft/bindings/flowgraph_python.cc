// SPDX-License-Identifier: GPL-3.0-or-later
//
// Python function that ends the change of a running flowgraph.

#include "block_bindings.h"
#include <gnuradio/hier_block2.h>

namespace gr {
namespace gpufft {

void bind_flowgraph(py::module& module)
{
    // GNU Radio's own keeps the GIL while it waits for the threads of all blocks; a block
    // that is written in Python needs the GIL to end.
    module.def(
        "_unlock_flowgraph",
        [](gr::hier_block2& block) { block.unlock(); },
        without_gil(),
        "block"_a,
        "Ends what block.lock() began, and lets blocks written in Python run meanwhile.");
}

} // namespace gpufft
} // namespace gr
