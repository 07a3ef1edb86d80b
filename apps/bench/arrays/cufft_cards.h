// SPDX-License-Identifier: GPL-3.0-or-later
//
// cuFFT's transforms on several cards, opened at run time if they are there.

#ifndef INCLUDED_GPUFFT_BENCH_CUFFT_CARDS_H
#define INCLUDED_GPUFFT_BENCH_CUFFT_CARDS_H

#include "engine/async_device.h"
#include <string>
#include <vector>

namespace gr {
namespace gpufft {

// A complex transform in place, of data in cuFFT's own parts.
class cufft_cards
{
public:
    // Why cuFFT does not compute the problem on several cards here; empty if it may.
    static std::string obstacle(const problem& what);

    // Throws std::runtime_error with the call that failed.
    cufft_cards(const problem& what, const std::vector<async_device::sptr>& devices);
    ~cufft_cards();
    cufft_cards(const cufft_cards&) = delete;
    cufft_cards& operator=(const cufft_cards&) = delete;

    // In natural order, the first axis split.
    std::vector<void*> parts() const;
    std::vector<std::size_t> part_bytes() const; // of its memory, padding included

    void execute(); // to cuFFT's own order, and waits
    void order();   // then to natural order, in natural_parts(); waits
    std::vector<void*> natural_parts() const; // once order() was called

private:
    struct library;
    static const library& opened();
    struct descriptor;
    void wait() const;

    const std::vector<async_device::sptr> d_devices;
    const bool d_is_double;
    const int d_direction;
    int d_plan = 0;
    descriptor* d_data = nullptr;
    descriptor* d_natural = nullptr;
};

} // namespace gpufft
} // namespace gr

#endif
