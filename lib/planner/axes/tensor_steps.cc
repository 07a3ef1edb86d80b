// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tracks the digits of every axis through the steps.

#include "tensor_steps.h"

#include <algorithm>
#include <stdexcept>

namespace gr {
namespace gpufft {

namespace {

// An axis between steps: the lengths of the digits of k that are done, in order, and the
// number of points left to transform.
struct axis_state {
    std::size_t length, stride;
    std::vector<std::size_t> done;
    std::size_t left;
};

// A digit, and the axis of the tile that it is, or -1.
struct placed_digit {
    frame_digit digit;
    int in_tile;
};

std::vector<axis_state> states_of(const std::vector<std::size_t>& lengths)
{
    std::vector<axis_state> states;
    std::size_t stride = 1;
    for (auto length = lengths.rbegin(); length != lengths.rend(); ++length) {
        states.insert(states.begin(), { *length, stride, {}, *length });
        stride *= *length;
    }
    return states;
}

// The axis to which each length of a step belongs; -1 for lengths of one point, which
// need no transform. Divides the points left by these lengths.
std::vector<int> take(std::vector<axis_state>& states, const std::vector<int>& lengths)
{
    std::vector<int> taken(lengths.size(), -1);
    bool open = false; // the previous axis is not finished
    for (std::size_t i = lengths.size(); i-- > 0;) {
        if (lengths[i] == 1)
            continue;
        int axis = int(states.size()) - 1;
        while (axis >= 0 && states[axis].left == 1)
            --axis;
        if (axis < 0 || open || states[axis].left % lengths[i] != 0)
            throw std::invalid_argument("the steps do not cut the axes");
        states[axis].left /= lengths[i];
        open = states[axis].left > 1;
        taken[i] = axis;
    }
    return taken;
}

// All digits of the frame in this step, slowest first. `in_order`: the step writes the
// axes in their final order.
std::vector<placed_digit> digits_of(const std::vector<axis_state>& states,
                                    const std::vector<int>& lengths,
                                    const std::vector<int>& axes,
                                    bool in_order)
{
    std::vector<placed_digit> digits;
    for (std::size_t axis = 0; axis < states.size(); ++axis) {
        const axis_state& state = states[axis];
        std::size_t in = state.length * state.stride, out = state.stride;
        const auto add = [&](std::size_t length, int in_tile) {
            in /= length;
            digits.push_back({ { length, in, in_order ? out : in }, in_tile });
            out *= length;
        };
        for (std::size_t length : state.done)
            add(length, -1);
        const auto here = std::find(axes.begin(), axes.end(), int(axis));
        if (here != axes.end())
            add(lengths[here - axes.begin()], int(here - axes.begin()));
        if (state.left > 1)
            add(state.left, -1);
    }
    return digits;
}

// Moves `columns` columns from the fastest digits of the grid to the tile.
void take_columns(tensor_step& step, std::size_t columns)
{
    if (!has_columns(step, columns))
        throw std::invalid_argument("the frame has too few columns");
    const std::size_t end = step.tile.size();
    for (std::size_t i = step.grid.size(); i-- > 0 && columns > 1;) {
        frame_digit& digit = step.grid[i];
        const std::size_t taken = std::min(columns, digit.length);
        step.tile.insert(step.tile.begin() + end,
                         { taken, digit.in_stride, digit.out_stride });
        digit = { digit.length / taken,
                  digit.in_stride * taken,
                  digit.out_stride * taken };
        columns /= taken;
    }
}

tensor_step
next_step(std::vector<axis_state>& states, const tensor_cut& cut, bool is_last)
{
    const std::vector<int> axes = take(states, cut.lengths);
    tensor_step step;
    step.axes = cut.lengths.size();
    for (int length : cut.lengths)
        step.tile.push_back({ std::size_t(length), 1, 1 });
    for (const placed_digit& each : digits_of(states, cut.lengths, axes, is_last)) {
        if (each.in_tile >= 0)
            step.tile[each.in_tile] = each.digit;
        else
            step.grid.push_back(each.digit);
    }
    take_columns(step, cut.columns);
    for (std::size_t i = 0; i < axes.size(); ++i) {
        if (axes[i] < 0)
            continue;
        axis_state& state = states[axes[i]];
        if (state.left > 1) {
            step.r = cut.lengths[i];
            step.m = state.left;
            step.stride = state.stride;
        }
        state.done.push_back(cut.lengths[i]);
    }
    return step;
}

template <std::size_t frame_digit::*Stride>
std::size_t run_of(const tensor_step& step)
{
    std::vector<frame_digit> digits = step.tile;
    std::sort(digits.begin(), digits.end(), [](const auto& a, const auto& b) {
        return a.*Stride < b.*Stride;
    });
    std::size_t run = 1;
    for (const frame_digit& digit : digits) {
        if (digit.length > 1 && digit.*Stride != run)
            break;
        run *= digit.length;
    }
    return run;
}

template <std::size_t frame_digit::*Stride>
std::size_t offset_of(const tensor_step& step, std::size_t element)
{
    std::size_t offset = 0;
    for (auto digit = step.tile.rbegin(); digit != step.tile.rend(); ++digit) {
        offset += element % digit->length * ((*digit).*Stride);
        element /= digit->length;
    }
    return offset;
}

std::size_t product(const std::vector<frame_digit>& digits)
{
    std::size_t points = 1;
    for (const frame_digit& digit : digits)
        points *= digit.length;
    return points;
}

} // namespace

bool has_columns(const tensor_step& step, std::size_t columns)
{
    for (auto digit = step.grid.rbegin(); digit != step.grid.rend(); ++digit) {
        const std::size_t taken = std::min(columns, digit->length);
        if (columns % taken != 0 || digit->length % taken != 0)
            return false;
        columns /= taken;
    }
    return columns == 1;
}

std::size_t tensor_step::elements() const { return product(tile); }

std::size_t tensor_step::tiles() const { return product(grid); }

std::vector<tensor_step> tensor_steps(const std::vector<std::size_t>& lengths,
                                      const std::vector<tensor_cut>& cuts)
{
    std::vector<axis_state> states = states_of(lengths);
    std::vector<tensor_step> steps;
    for (std::size_t s = 0; s < cuts.size(); ++s)
        steps.push_back(next_step(states, cuts[s], s + 1 == cuts.size()));
    for (const axis_state& state : states)
        if (state.left > 1)
            throw std::invalid_argument("the steps leave points of an axis");
    return steps;
}

std::vector<tensor_step> tensor_steps(const recipe& how)
{
    std::vector<tensor_cut> cuts;
    if (how.cluster() > 1) { // all axes but the first, then the first
        cuts.resize(2);
        for (std::size_t length : how.lengths)
            if (length > 1)
                cuts[cuts[1].lengths.empty()].lengths.push_back(int(length));
        return tensor_steps(how.lengths, cuts);
    }
    for (const stockham_shape& shape : how.shapes)
        cuts.push_back({ shape.lengths, shape.columns });
    return tensor_steps(how.lengths, cuts);
}

std::size_t run_read(const tensor_step& step)
{
    return run_of<&frame_digit::in_stride>(step);
}

std::size_t run_written(const tensor_step& step)
{
    return run_of<&frame_digit::out_stride>(step);
}

std::size_t read_at(const tensor_step& step, std::size_t element)
{
    return offset_of<&frame_digit::in_stride>(step, element);
}

std::size_t written_at(const tensor_step& step, std::size_t element)
{
    return offset_of<&frame_digit::out_stride>(step, element);
}

std::string tensor_expression(const recipe& how)
{
    const std::vector<tensor_step> steps = tensor_steps(how);
    const bool in_cluster = how.cluster() > 1;
    const std::size_t passes = in_cluster ? 1 : steps.size();
    const std::string between = in_cluster ? "C" : "S";
    std::string lengths, codelets, radices;
    for (std::size_t length : how.lengths)
        lengths += (lengths.empty() ? "" : "x") + std::to_string(length);
    for (std::size_t s = 0; s < steps.size(); ++s) {
        const bool is_last = s + 1 == steps.size();
        codelets += s == 0 ? "" : ",";
        for (std::size_t i = 0; i < steps[s].axes; ++i) {
            const frame_digit& digit = steps[s].tile[i];
            codelets += (s + i == 0 ? "d(" : " d(") + std::to_string(digit.length) + "," +
                        std::to_string(digit.in_stride) + "," +
                        std::to_string(digit.out_stride) + "," +
                        (s == 0 ? "I" : between) + "," + (is_last ? "O" : between) + ")";
        }
        const stockham_shape& shape = how.shapes[s];
        radices += s == 0 ? "" : ", ";
        std::size_t axis = 0, left = steps[s].tile[0].length; // used for clusters
        for (std::size_t p = 0; p < shape.radices.size(); ++p) {
            if (in_cluster && left == 1)
                left = steps[s].tile[++axis].length;
            left /= in_cluster ? shape.radices[p] : 1;
            radices += (p == 0 ? "" : "·") + std::to_string(shape.radices[p]) +
                       char('a' + (in_cluster ? int(axis) : shape.along[p]));
        }
        radices += shape.tiled ? " in tiles" : "";
        radices += shape.tiled && shape.copied_by_card ? " by card" : "";
    }
    return "tensor(" + lengths + ": {" + codelets + "} by " + radices + ", " +
           (in_cluster ? "clusters of " + std::to_string(how.cluster()) + ", " : "") +
           std::to_string(passes) +
           (passes == 1 ? " pass over memory" : " passes over memory") +
           (how.is_double() ? ", double)" : ")");
}

} // namespace gpufft
} // namespace gr
