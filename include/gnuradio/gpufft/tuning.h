// SPDX-License-Identifier: GPL-3.0-or-later
//
// Measures the fastest way to compute a problem on a GPU.

#ifndef INCLUDED_GPUFFT_TUNING_H
#define INCLUDED_GPUFFT_TUNING_H

#include <gnuradio/gpufft/api.h>
#include <gnuradio/gpufft/plan.h>
#include <string>
#include <vector>

namespace gr {
namespace gpufft {

/*! \brief One way to compute a problem, and its time. */
struct GPUFFT_API timed_recipe {
    std::string description; //!< e.g. "stockham(4096: 16·16·16)"
    double milliseconds;     //!< median time of the batch in device memory
    std::string wisdom;      //!< its line of wisdom: card | problem | recipe
    bool was_used;           //!< the way that plans took before
};

/*!
 * \brief Times ways to compute `what` on a GPU and keeps the fastest as wisdom, which
 * every plan for this card then uses.
 *
 * It times the recipe in wisdom, if any, and the best `candidates` by the cost model. Of
 * batches of more than 1 GiB it times a part.
 *
 * \return the recipes that were timed, fastest first
 * \throws std::invalid_argument for a problem out of range, no such device, or no
 * candidates; cuda_error for device trouble
 */
GPUFFT_API std::vector<timed_recipe>
tune(const problem& what, int device = 0, std::size_t candidates = 24);

/*!
 * \brief The recipes that a plan of `what` may get on that GPU, in wisdom's notation: the
 * one in wisdom, if any, and the best `candidates` by the cost model, best first. tune()
 * chooses from them.
 */
GPUFFT_API std::vector<std::string>
recipes(const problem& what, int device = 0, std::size_t candidates = 24);

/*!
 * \brief Makes a plan on that GPU by one of recipes().
 * \throws std::invalid_argument for another text; cuda_error for device trouble
 */
GPUFFT_API plan::uptr
make_plan_by(const std::string& recipe, const problem& what, int device = 0);

} // namespace gpufft
} // namespace gr

#endif
