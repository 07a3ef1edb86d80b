// SPDX-License-Identifier: GPL-3.0-or-later
//
// Limits the magnitude of complex samples: y = x min(1, limit / |x|).

#ifndef INCLUDED_OWN_LIMITER_H
#define INCLUDED_OWN_LIMITER_H

#include <atomic>
#include <gnuradio/gpufft/kernel_function.h>

namespace own {

class limiter : public gr::gpufft::device_function
{
public:
    // Throws std::invalid_argument unless limit > 0.
    explicit limiter(float limit);
    void set_limit(float limit); // any thread; acts from the next chunk on

    std::string name() const override { return "limiter"; }
    void prepare(int device) override;
    void release(int device) override;
    void compute(const gr::gpufft::device_call& call) override;

private:
    const gr::gpufft::kernel_function::sptr d_kernel; // for GPUs
    std::atomic<float> d_limit;                       // for the CPU
};

} // namespace own

#endif
