// SPDX-License-Identifier: GPL-3.0-or-later
//
// A plan is a problem prepared on one engine: tables, scratch, compiled kernels. Make it
// once (in a constructor, never in work()), execute it often.

#ifndef INCLUDED_GPUFFT_PLAN_H
#define INCLUDED_GPUFFT_PLAN_H

#include <cstdint>
#include <gnuradio/gpufft/api.h>
#include <gnuradio/gpufft/engine.h>
#include <gnuradio/gpufft/problem.h>
#include <memory>
#include <string>
#include <vector>

namespace gr {
namespace gpufft {

/*! \brief How an engine chooses among the ways to compute a transform. The cpu engine
 * always takes FFTW's wisdom if there is some; else it measures up to 2^18 points, which
 * becomes wisdom, and estimates larger ones. */
enum class planning_effort {
    estimate, //!< cuda: by wisdom if this card has some, else by the cost model
    measure,  //!< cuda: by wisdom, else by timing on the card, which becomes wisdom
    quick     //!< cuda: as estimate; cpu: never measures, for plans of few calls
};

/*! \brief Engine, device, threads and effort of a plan. */
struct GPUFFT_API plan_options {
    engine_kind engine = engine_kind::automatic;
    int device = 0; //!< index of the NVIDIA GPU (cuda; automatic: cpu if it is not there)

    /*! \brief Several GPUs that compute each transform together (cuda engine), instead of
     * `device`; or none. The arrays are in host memory, or lie in parts on these GPUs. */
    std::vector<int> devices;

    /*! \brief Of arrays in parts on several devices: the bins (the row of r2c and of a
     * forward transform, the frame of c2r and of an inverse one) are split along the
     * second axis instead of the first, which saves one of two exchanges. Each device has
     * [first axis, its part of the second, other axes]. Complex and real FFTs of two and
     * more axes. */
    bool transposed = false;

    int threads = 1; //!< threads of the cpu engine, 1 ... 1024; 0 is one for each core
    planning_effort effort = planning_effort::estimate;

    /*! \brief Bytes of the card's memory that a plan counts with, cuda engine: frames
     * for which they do not suffice stay in host memory and go through the card in slabs.
     * 0 means the environment variable GPUFFT_DEVICE_MEMORY, else all that the card has.
     */
    std::size_t device_memory = 0;

    bool enqueues = false; //!< the plan must have enqueue(): none in slabs
};

/*!
 * \brief An executable transform.
 *
 * Only one thread may use a plan at a time: a setter must not run while execute() does. A
 * *frame* is one transform's input; a *row* is its output bins. Without averaging each
 * frame gives a row; with it, every `average` frames give one, across calls of execute().
 */
class GPUFFT_API plan
{
public:
    typedef std::unique_ptr<plan> uptr;

    /*!
     * \brief Plans `what` on the engine that `options` names.
     * \throws std::invalid_argument for a problem out of range or a length that the named
     * engine does not support; cuda_error for device trouble with engine cuda. Engine
     * `automatic` falls back to the CPU instead, for the reason in engine_reason(). It
     * does not choose the faster engine, because only the GPU can enqueue(); blocks do,
     * by find_break_even().
     */
    static uptr make(const problem& what, const plan_options& options = plan_options());

    virtual ~plan();
    plan(const plan&) = delete;
    plan& operator=(const plan&) = delete;

    const problem& what() const { return d_problem; }
    engine_kind engine() const { return d_engine; }

    /*! \brief Why this engine was chosen, in one sentence. */
    const std::string& engine_reason() const { return d_engine_reason; }

    /*! \brief Exactly what will run, in one line. */
    virtual std::string describe() const = 0;

    /*! \brief Bytes of device memory that the plan now holds for the points between two
     * launches. They are at most the smallest of twice the data of a call, 2 GiB and a
     * quarter of the free memory, but always enough for one transform. */
    virtual std::size_t scratch_bytes() const { return 0; }

    /*! \brief Samples that `frames` frames span: (frames - 1) hop + n; 0 for 0 frames. */
    std::size_t input_samples(std::size_t frames) const;

    /*! \brief Number of frames that a filter computes with one transform, else 1. A call
     * with fewer frames costs as much; calls with multiples waste nothing. If all calls
     * but the last have multiples, the rows of a stream are the same bit for bit, however
     * the stream is divided into calls. */
    virtual std::size_t frames_together() const { return 1; }

    /*! \brief Number of stored integers (problem::stored), of real and imaginary parts,
     * that were beyond their range and became its end, since the plan was made. It counts
     * what is done; the cuda engine may be late by the calls that are queued. Real
     * transforms do not count. */
    virtual std::uint64_t saturated() const { return 0; }

    /*! \brief Rows that the next execute(..., frames) writes. */
    std::size_t output_rows(std::size_t frames) const;

    /*! \brief Frames that the running mean still needs for its next row, 1 ...
     * average. */
    std::size_t frames_to_next_row() const;

    /*!
     * \brief Transforms `frames` frames from host memory to host memory and waits.
     * \param input  input_samples(frames) samples, aligned to one sample
     * \param output output_rows(frames) rows of row_bins() bins; must not overlap the
     * input, or must be the input itself, if each row begins where its frame does
     * \return rows written
     * \throws std::invalid_argument for a null pointer, an overlap or a size in bytes
     * past 64 bits
     */
    std::size_t execute(const void* input, void* output, std::size_t frames);

    /*! \brief Samples of a frame, and bins of a row, on each of plan_options::devices:
     * the first axis (the samples and bins of a transform of one axis; with
     * plan_options::transposed the second axis of bins) in parts, of which the first ones
     * have one more if it does not divide, as numpy.array_split makes
     * them. \throws std::logic_error for a plan on one device. */
    std::vector<std::size_t> input_parts() const;
    std::vector<std::size_t> output_parts() const;

    /*!
     * \brief Transforms `frames` frames that lie in parts on plan_options::devices, and
     * waits. The devices exchange points while they compute, directly where they reach
     * each other's memory. The plan holds the memory that it takes on the devices
     * (scratch_bytes()) until it is destroyed; a call that throws frees that of points
     * between two sweeps.
     * \param inputs  the part of each device, with frames * input_parts() samples: the
     * part of the first frame, then that of the next
     * \param outputs the same for rows; each may be the input's part if it is not longer
     * \param streams a CUstream of each device, behind whose work this begins; or none
     * \return rows written
     * \throws std::invalid_argument for another number of parts, a null pointer, an
     * address that is no multiple of the item's size or not on its device, outputs that
     * overlap, or a problem that does not work in parts; std::logic_error for a plan on
     * one device; cuda_error for device trouble.
     */
    std::size_t execute(const std::vector<const void*>& inputs,
                        const std::vector<void*>& outputs,
                        std::size_t frames = 1,
                        const std::vector<void*>& streams = {});

    /*!
     * \brief The same on device memory, queued on `stream` (a CUstream) without waiting.
     * \throws std::invalid_argument also unless is_aligned(), std::logic_error on engines
     * other than cuda.
     */
    std::size_t
    enqueue(const void* dev_input, void* dev_output, std::size_t frames, void* stream);

    /*! \brief The same with another hop in the device's memory: there frames need not
     * have the gaps that they have in the stream. */
    std::size_t enqueue(const void* dev_input,
                        void* dev_output,
                        std::size_t frames,
                        void* stream,
                        std::size_t hop);

    /*! \brief True if the input's address is a multiple of the sample size and the
     * output's of the bin size, as loads and stores on a card require. */
    bool is_aligned(const void* input, const void* output) const;

    /*!
     * \brief State of the running mean and its smoothing, to continue in another plan.
     *
     * The saved bytes hold, with n bins in the order of the rows: n doubles, the sums (or
     * maxima, or minima) of the powers in the unfinished row; for the kurtosis n sums of
     * their squares; with a density n maxima, n minima and the counts; the same, without
     * counts, for the current group of frames; then n floats, the smoothed or held row so
     * far. Only if problem::has_mean().
     */
    struct mean_state {
        std::size_t frames_in_row = 0; //!< frames summed so far
        bool is_smoothing = false;     //!< the next row depends on a previous one
    };

    /*! \brief Bytes of the running mean, 0 without average and smoothing. */
    std::size_t mean_bytes() const;

    /*! \brief Writes mean_bytes(): the state after all frames so far. The cuda engine
     * only queues the copy on `stream`; `saved` must be pinned. */
    mean_state save_mean(void* saved, void* stream = nullptr);

    /*! \brief Continues from a saved state of the same problem, from any engine. */
    void restore_mean(const void* saved, const mean_state& state);

    /*! \brief Sets the stream position of the next frame, in samples; 0 at first. The
     * phases of a running problem and of a synthesis count from sample 0. Each executed
     * frame advances the position by a hop. It is kept modulo n (modulo n^2 for a
     * synthesis, 2^64 for a filter). */
    void set_position(std::uint64_t samples);
    std::uint64_t position() const { return d_position; }

    /*! \brief Frequency of one running filter in turns per sample, and its phase at
     * position 0 in turns, both times 2^64. As integers modulo 2^64 they stay exact,
     * however long the stream is. */
    struct rotation {
        std::uint64_t step = 0, phase = 0;
        bool operator==(const rotation& other) const
        {
            return step == other.step && phase == other.phase;
        }
        bool operator!=(const rotation& other) const { return !(*this == other); }
    };

    /*! \brief Sets frequency and phase of each running filter, all 0 at first. \throws
     * std::invalid_argument for another number of rotations, or a problem without running
     * filters. */
    void set_rotations(const std::vector<rotation>& rotations);

    /*! \brief Selects the bins in the rows of a polyphase bank that picks `bins` of them:
     * place i holds bin map[i], 0 ... n-1, in any order, also repeated. Initially 0, 1,
     * ...; takes effect with the next frame. \throws std::invalid_argument for another
     * number of bins, a bin out of range, or a problem that picks none. */
    void set_map(const std::vector<int>& map);
    const std::vector<int>& map() const { return d_map; }

    /*! \brief Sets a parameter of the problem's expressions, of which all are 1 at first;
     * takes effect with the next frame. \throws std::invalid_argument for a name that
     * they do not have. */
    void set_parameter(const std::string& name, float value);
    float parameter(const std::string& name) const;
    std::vector<std::string> parameter_names() const; //!< sorted

    /*! \brief Sets the window's problem::window_numbers() numbers: one per sample of a
     * frame, or two (real, imaginary) per complex tap. All are 1 until the first call.
     * Resets a hold. \throws std::invalid_argument for another count, or a problem
     * without `window`. */
    void set_window(const std::vector<float>& taps);

    /*! \brief The same for a problem in double precision; others round the taps. */
    void set_double_window(const std::vector<double>& taps);

    /*! \brief All values that the setters below change, at once. A change of average,
     * hold or density acts as reset_average(), a change of scale resets a hold. \throws
     * std::invalid_argument, as the setters; then nothing has changed. */
    void set(const row_values& values);

    void set_hop(std::size_t samples);    //!< >= 1; a filter's cannot change
    void set_scale(double factor);        //!< any finite number; resets a hold
    void set_average(std::size_t frames); //!< >= 1; then as reset_average()
    void set_smoothing(double alpha);     //!< 0 < alpha <= 1; keeps the state
    void set_hold(hold_kind hold);        //!< then as reset_average()

    /*! \brief Range that the density counts from now on, see density_grid; then as
     * reset_average(). \throws std::invalid_argument for a value out of range or a
     * problem without density. */
    void set_density(std::size_t first, std::size_t bins, double low, double high);
    void reset_average(); //!< forgets the running mean, its smoothing and hold

    /*! \brief Threads of the cpu engine (see plan_options); ignored by the others. */
    virtual void set_threads(int threads);

protected:
    plan(const problem& what, engine_kind engine);

    // Implemented by the engines. Arguments are already checked; frames >= 1.
    virtual void do_execute(const void* input, void* output, std::size_t frames) = 0;
    virtual void do_enqueue(const void* dev_input,
                            void* dev_output,
                            std::size_t frames,
                            void* stream,
                            std::size_t hop);
    // The parts of arrays on several devices; null for a plan on one.
    struct parts {
        std::vector<int> devices;
        std::vector<std::size_t> input, output; // items of a frame on each
    };
    virtual const parts* device_parts() const { return nullptr; }
    virtual void do_execute_parts(const std::vector<const void*>& inputs,
                                  const std::vector<void*>& outputs,
                                  std::size_t frames,
                                  const std::vector<void*>& streams);

    virtual void do_set_window(const std::vector<float>& taps) = 0;
    virtual void do_set_double_window(const std::vector<double>& taps); // rounds them
    virtual void do_set_rotations() {}  // d_rotations has changed
    virtual void do_set_map() {}        // d_map has changed
    virtual void do_set_parameters() {} // parameters() have changed
    virtual void do_reset_average() = 0;
    virtual bool do_save_mean(double* sums, float* smoothed, void* stream);
    virtual void
    do_restore_mean(const double* sums, const float* smoothed, bool is_smoothing);

    // Values of parameter_names().
    const std::vector<float>& parameters() const { return d_parameters; }

    // Position of the next frame once `frames` more are computed.
    std::uint64_t position_after(std::size_t frames) const;

    problem d_problem;                 // with the current run-time values
    std::size_t d_frames_in_row = 0;   // frames already in the running mean
    std::uint64_t d_position = 0;      // stream position of the next frame
    std::vector<rotation> d_rotations; // rotations of running filters
    std::vector<int> d_map;            // map of picked bins

private:
    bool has_period() const;
    std::size_t period() const;
    void advance(std::size_t frames);
    std::size_t samples_at(std::size_t hop, std::size_t frames) const;
    void change(const row_values& next, bool resets);
    void forget_hold();
    void check_window(std::size_t taps) const;
    void check_overlap(const void* input,
                       std::size_t input_bytes,
                       const void* output,
                       std::size_t rows,
                       std::size_t hop) const;

    engine_kind d_engine;
    std::string d_engine_reason;
    std::vector<float> d_parameters;
};

} // namespace gpufft
} // namespace gr

#endif
