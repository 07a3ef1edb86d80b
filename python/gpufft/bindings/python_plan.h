// SPDX-License-Identifier: GPL-3.0-or-later
//
// A plan that several Python threads may use, on arrays of the host and of GPUs.

#ifndef INCLUDED_GPUFFT_PYTHON_PLAN_H
#define INCLUDED_GPUFFT_PYTHON_PLAN_H

#include "block_bindings.h"
#include "device_array.h"
#include "engine/break_even.h"
#include <gnuradio/gpufft/plan.h>
#include <mutex>
#include <optional>
#include <pybind11/numpy.h>
#include <vector>

namespace gr {
namespace gpufft {

class python_plan
{
public:
    python_plan(const problem& what, const plan_options& options);
    python_plan(plan::uptr made, int device);

    // See EXECUTE_DOC in plan_python.cc.
    py::object execute(const py::object& input,
                       const py::object& out,
                       std::optional<std::uintptr_t> stream);

    // What `use` returns of the plan, while no other thread uses it.
    template <class Use>
    auto locked(Use&& use)
    {
        std::mutex& mutex = mutex_of_process();
        const released_gil released;
        std::lock_guard<std::mutex> lock(mutex);
        return use(*d_plan);
    }

    const plan& get() const { return *d_plan; } // for what no call changes

    static engine_makers s_makers; // tests simulate cards

private:
    typedef std::vector<py::ssize_t> shape;

    py::array execute_on_host(const py::object& input, const py::object& out);
    py::object execute_on_device(const py::object& input,
                                 const py::object& out,
                                 std::optional<std::uintptr_t> stream);
    static bool are_parts(const py::object& input);
    py::list execute_on_devices(const py::object& input,
                                const py::object& out,
                                std::optional<std::uintptr_t> stream);
    struct parts;
    parts read_parts(const py::object& given,
                     const std::string& name,
                     std::uintptr_t stream,
                     bool writable) const;
    void make_devices();
    shape part_shape(shape whole, std::size_t numbers, bool is_input) const;
    py::array to_samples(const py::object& input) const;
    std::size_t frames_in(const shape& input) const;
    shape output_shape(std::size_t rows) const;
    void check_out(const shape& there, const py::dtype& type, const shape& wanted) const;
    std::mutex& mutex_of_process(); // to be called with the GIL
    std::unique_lock<std::mutex> lock_without_gil();

    plan::uptr d_plan;
    const int d_device_index;
    const std::vector<int> d_device_indices; // of a plan on several
    const bool d_is_transposed = false;      // see plan_options
    std::mutex d_mutex;
    long d_process;              // whose threads use d_mutex
    async_device::sptr d_device; // once it was needed
    std::vector<async_device::sptr> d_devices;
    std::optional<std::uintptr_t> d_stream; // of the last enqueue: owns the scratch
};

} // namespace gpufft
} // namespace gr

#endif
