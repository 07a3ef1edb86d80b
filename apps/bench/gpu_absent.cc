// SPDX-License-Identifier: GPL-3.0-or-later
//
// The GPU's part where the cuda engine was not built.

#include "bench_engine.h"
#include <gnuradio/gpufft/engine.h>

namespace gr {
namespace gpufft {

std::unique_ptr<bench_engine> make_gpu_bench(const bench_settings&)
{
    throw cuda_error(0, "engine cuda cannot be used here: " + query_cuda().reason);
}

} // namespace gpufft
} // namespace gr
