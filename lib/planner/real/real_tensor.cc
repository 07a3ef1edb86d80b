// SPDX-License-Identifier: GPL-3.0-or-later
//
// Real frames of several axes by a complex transform of the tensor algorithm, of half the
// last length, or of two frames at once if it is odd: kernels/real/real_tensor.cuh.

#include "real_tensor.h"
#include "planner/axes/tensor.h"
#include "planner/axes/tensor_cuts.h"
#include "planner/axes/tensor_shapes.h"
#include "planner/cost.h"
#include "planner/cost_constants.h"
#include "planner/radices.h"
#include "planner/roots_of_unity.h"
#include "real_kernels.h"

#include <cmath>
#include <stdexcept>

namespace gr {
namespace gpufft {

namespace {

constexpr const char* NAME = "real-tensor";
constexpr std::size_t SHAPES = 16;
using namespace fitted::real_tensor;

bool is_inverse(const problem& what) { return what.kind == transform_kind::c2r; }

bool takes(const problem& what)
{
    return (what.kind == transform_kind::r2c || is_inverse(what)) &&
           what.lengths.size() > 1 && what.input_strides.empty() &&
           what.has_plain_rows() && !what.shift_input && !what.shift_output;
}

bool is_odd(const problem& what) { return what.lengths.back() % 2 != 0; }

// Frames in a complex vector.
std::size_t frames_together(const problem& what)
{
    return is_odd(what) && !what.alone ? 2 : 1;
}

// The complex transform inside.
problem core_of(const problem& what)
{
    problem core;
    core.dir = is_inverse(what) ? direction::inverse : direction::forward;
    core.lengths = what.lengths;
    if (!is_odd(what))
        core.lengths.back() /= 2;
    core.n = is_odd(what) ? what.n : what.n / 2;
    core.input = working_format(true, what.is_double());
    core.batch = divide_up(what.batch, frames_together(what));
    return core;
}

// The whole frame as one step.
tensor_step step_of(const problem& core)
{
    std::vector<std::size_t> lengths = long_axes(core);
    if (lengths.empty())
        lengths = { 1 };
    return tensor_steps(lengths, { { { lengths.begin(), lengths.end() }, 1 } }).front();
}

std::string obstacle(const problem& what, const device_traits& card)
{
    const problem core = core_of(what);
    for (std::size_t length : core.lengths) {
        const std::string reason =
            radix_obstacle("length " + std::to_string(length), length, what.is_double());
        if (!reason.empty())
            return reason;
    }
    const std::size_t longest = longest_tile(point_bytes(what), card);
    if (core.n > longest)
        return "a frame of " + std::to_string(core.n) +
               " complex points does not fit a block: at most " + std::to_string(longest);
    return "";
}

std::vector<recipe> candidates(const problem& what, const device_traits& card)
{
    const problem core = core_of(what);
    stockham_shape like;
    like.is_double = what.is_double();
    like.staged_store = !is_inverse(what);
    std::vector<recipe> found;
    for (stockham_shape shape : tensor_shapes(step_of(core), like, SHAPES, card)) {
        // NVRTC needs fewer registers without a bound, and spills with some.
        shape.blocks = 0;
        if (shape.shared_bytes() > card.shared_bytes)
            continue;
        const recipe inside = {
            tensor_algorithm().name, core.n, { shape }, cluster_fields(), core.lengths
        };
        found.push_back({ NAME, core.n, {}, real_fields{ { inside } } });
    }
    return found;
}

double cost(const problem& what, const recipe& how, const device_traits& card)
{
    const problem core = core_of(what);
    const stockham_shape& shape = how.shape();
    const double blocks = std::ceil(double(core.batch) / shape.transforms);
    return launch_cost(tensor_step_cost(step_of(core), shape, card) + COST_BINS,
                       work_of_tile(shape, blocks, card),
                       core,
                       card);
}

// The lengths of all axes but the last.
std::vector<std::size_t> outer_lengths(const problem& what)
{
    return { what.lengths.begin(), what.lengths.end() - 1 };
}

// The last axis as a problem of its own.
problem row_of(const problem& what)
{
    problem row = what;
    row.n = what.lengths.back();
    row.lengths.clear();
    return row;
}

// Puts the ends of r2c into the kernel of the complex transform.
void use_forward_ends(kernel_instance& kernel, const problem& what, const padding& pad)
{
    const std::string half = half_output(row_of(what));
    const std::size_t frames = frames_together(what);
    kernel.name = "real_tensor_kernel";
    kernel.inner = kernel.inner_shape = "";
    kernel.further = text_of("staged", pad.every, pad.by);
    if (is_odd(what)) {
        kernel.load =
            text_of("pack_two", text_of("plain_row", row_input(what)), false, frames);
        kernel.store = text_of("split_two_axes", half, frames, outer_lengths(what));
    } else {
        kernel.load = text_of("pack_pairs", row_input(what));
        kernel.store =
            text_of("split_axes", half, "roots_of_table<0>", outer_lengths(what));
    }
}

// The same for c2r.
void use_inverse_ends(kernel_instance& kernel, const problem& what)
{
    const std::string half = half_input(row_of(what));
    const std::size_t frames = frames_together(what);
    std::string pack, split;
    if (is_odd(what)) {
        pack = text_of("pack_two",
                       text_of("mirrored_axes", half, outer_lengths(what)),
                       true,
                       frames);
        split = text_of("split_two_rows", row_output(what), false, frames);
    } else {
        pack = text_of("pack_axes", half, "roots_of_table<0>", outer_lengths(what));
        split = text_of("split_pairs", row_output(what));
    }
    kernel.load = text_of("load_packed", pack, true);
    kernel.store = text_of("store_split", split, true);
}

// exp(-2 pi j k / N), k = 0 ... N/2, for an even length N of the last axis.
std::vector<std::complex<long double>> roots_of_rows(const problem& what)
{
    const long n = long(what.lengths.back());
    const roots_of_unity<long double> root(n);
    std::vector<std::complex<long double>> roots;
    for (long k = 0; k <= n / 2; ++k)
        roots.push_back(root(k));
    return roots;
}

// Throws std::invalid_argument if the recipe is not this problem's.
void check(const problem& what, const recipe& how)
{
    const recipe& inside = how.inside();
    if (!is_by(inside, tensor_algorithm()) || inside.lengths != core_of(what).lengths ||
        inside.shapes.size() != 1 || inside.cluster() > 1 || how.shape().columns > 1 ||
        how.shape().pipelined || how.shape().staged_store == is_inverse(what))
        throw std::invalid_argument("the recipe " + how.to_text() + " is not one of " +
                                    what.to_string());
}

program build(const problem& what, const recipe& how)
{
    check(what, how);
    program made = tensor_algorithm().build(core_of(what), how.inside());
    launch_step& step = made.steps.front();
    step.kernel.header = "real/real_tensor.cuh";
    step.lines_together = frames_together(what);
    if (is_inverse(what))
        use_inverse_ends(step.kernel, what);
    else
        use_forward_ends(step.kernel, what, how.shape().store_padding);
    if (!is_odd(what))
        step.chirp = made.add(roots_of_rows(what));
    // With one pass no barrier separates the reads of c2r from the stores.
    made.works_in_place = !is_inverse(what) || how.shape().radices.size() > 1;
    return made;
}

} // namespace

algorithm real_tensor_algorithm()
{
    algorithm real_tensor = { NAME, obstacle, candidates, cost, build };
    real_tensor.takes = takes;
    real_tensor.fields = real_fields();
    return real_tensor;
}

} // namespace gpufft
} // namespace gr
