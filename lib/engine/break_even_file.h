// SPDX-License-Identifier: GPL-3.0-or-later
//
// Break-even tables kept in cache_directory()/break_even.txt, a text of one line each:
//     card | cpu | problem t<threads> | frames cpu cuda delay; ... end
// Its first line names the library's version: another version measures anew. Damaged
// lines are ignored.

#ifndef INCLUDED_GPUFFT_BREAK_EVEN_FILE_H
#define INCLUDED_GPUFFT_BREAK_EVEN_FILE_H

#include <gnuradio/gpufft/break_even.h>
#include <optional>

namespace gr {
namespace gpufft {

// The chunks of the table with these names, problem and threads. Reads the file once per
// process; new tables are also kept in memory, in case the file cannot be written.
std::optional<std::vector<chunk_times>> find_chunk_times(const break_even& table);

void store_chunk_times(const break_even& table);

} // namespace gpufft
} // namespace gr

#endif
