// SPDX-License-Identifier: GPL-3.0-or-later
//
// Reads PTX, and finds loads and stores whose address need not be a multiple of their
// size: on a card they end the context (CUDA_ERROR_MISALIGNED_ADDRESS). The zeros at the
// end of every register follow from the instructions that write it; pointers that a
// kernel is given are taken for multiples of 16 bytes.

#ifndef INCLUDED_GPUFFT_PTX_ALIGNMENT_H
#define INCLUDED_GPUFFT_PTX_ALIGNMENT_H

#include <string>
#include <vector>

namespace gr {
namespace gpufft {

// The instructions as they stand there. Empty if every address is right. Without
// `in_samples` those that read and write the caller's samples and rows are left out,
// without `in_tiles` those that read shared memory, where rows may lie as the caller's.
std::vector<std::string>
unaligned_accesses(const std::string& ptx, bool in_samples = true, bool in_tiles = true);

} // namespace gpufft
} // namespace gr

#endif
