// SPDX-License-Identifier: GPL-3.0-or-later
//
// One-dimensional transforms of the lines along one axis: load, FFTW, store, a bundle of
// lines at a time. FFTW works in the data's own memory if lines are contiguous and
// aligned, and need no other step; else lines pass through scratch that stays in the
// cache.

#ifndef INCLUDED_GPUFFT_AXIS_PASS_H
#define INCLUDED_GPUFFT_AXIS_PASS_H

#include "aligned_buffer.h"
#include "bank_load.h"
#include "chirp_lines.h"
#include "cosine_lines.h"
#include "fftw_transform.h"
#include "line_load.h"
#include "line_places.h"
#include "line_store.h"
#include <memory>
#include <vector>

namespace gr {
namespace gpufft {

// The steps of a pass; samples and bins may be the problem's or working values.
struct pass_steps {
    transform_kind kind; // c2c, r2c, c2r, zoom or a real to real one
    direction dir;
    std::size_t n;
    bool orthogonal;
    line_source source;
    line_places source_places;
    line_places tap_places; // places in the window, if there is one
    bool has_window;
    const bank_load* bank; // null unless the problem is a polyphase bank
    line_target target;
    line_places target_places;
};

// The buffer's memory, allocated at its first use, because most passes need none.
template <class T>
T* room_for(std::size_t size, aligned_buffer<T>& buffer)
{
    if (buffer.size() < size)
        buffer = aligned_buffer<T>(size);
    return buffer.data();
}

// Scratch of one thread for the bundles of a pass.
template <class T>
struct pass_scratch {
    aligned_buffer<T> points, bins;
    aligned_buffer<T> room; // scratch of cosine_lines, chirp_lines or bank_load
    std::vector<std::size_t> source_places, target_places, tap_places;
};

// FFTW's plans for the lines of one pass.
template <class T>
struct line_plans {
    line_plans(transform_kind kind, direction dir, std::size_t n, std::size_t group);
    explicit line_plans(const problem& zoom);

    std::size_t group; // lines per call of FFTW, more than 1 if they are short
    std::unique_ptr<cosine_lines<T>> cosine; // if set, replaces the others
    std::unique_ptr<chirp_lines<T>> zoom;    // if set, replaces the others
    std::unique_ptr<fftw_groups<T>> fftw;
};

// Frames of samples and rows of bins in memory.
struct frames_in_memory {
    const void* samples;
    void* bins;
    std::size_t hop, distance; // samples from frame to frame, bins from row to row
    std::size_t position;      // running bank: stream position of the first frame
};

// Contiguous lines that begin `pitch` points or bins apart.
template <class Value>
struct lines_in_memory {
    Value* first = nullptr;
    std::size_t pitch = 0;
};

template <class T>
class axis_pass
{
public:
    axis_pass(const pass_steps& steps, std::shared_ptr<const line_plans<T>> plans);

    // Number of lines in one frame.
    std::size_t lines_per_frame() const
    {
        return d_steps.source_places.lines_per_frame();
    }

    // Most lines that are loaded and stored together.
    std::size_t bundle() const { return d_bundle; }

    // Fewest lines worth a task for another thread.
    std::size_t lines_per_task() const;

    // Transforms lines first ... last-1 of all frames and scales the bins; `taps` are the
    // window's. Source and target may be the same only if each line stays in its place.
    void run(const frames_in_memory& data,
             std::size_t first,
             std::size_t last,
             const T* taps,
             T scale,
             pass_scratch<T>& scratch) const;

private:
    std::size_t lines_of_bundle(std::size_t left) const;
    bool pads(std::size_t count) const;
    std::size_t run_bundle(const frames_in_memory& data,
                           std::size_t first,
                           std::size_t count,
                           const T* taps,
                           T scale,
                           pass_scratch<T>& scratch) const;
    template <class Value>
    lines_in_memory<Value> direct_lines(Value* memory,
                                        const std::vector<std::size_t>& places,
                                        std::size_t count,
                                        std::size_t n,
                                        std::size_t parts) const;
    lines_in_memory<const T> load(const frames_in_memory& data,
                                  std::size_t first,
                                  std::size_t count,
                                  const T* taps,
                                  pass_scratch<T>& scratch) const;
    void transform(const lines_in_memory<const T>& points,
                   const lines_in_memory<T>& bins,
                   std::size_t count,
                   pass_scratch<T>& scratch) const;

    pass_steps d_steps;
    std::shared_ptr<const line_plans<T>> d_plans;
    bool d_loads_directly, d_stores_directly;   // if memory allows it
    std::size_t d_group;                        // lines per call of FFTW
    std::size_t d_bundle;                       // lines loaded and stored together
    std::size_t d_source_parts, d_target_parts; // real values of a point and of a bin
    std::size_t d_source_pitch, d_target_pitch; // points and bins from line to line
};

} // namespace gpufft
} // namespace gr

#endif
