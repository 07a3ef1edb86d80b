// SPDX-License-Identifier: GPL-3.0-or-later
//
// Wisdom: which recipe was measured to be the fastest for a problem on a card. A
// versioned text, one line each:
//     card | problem | recipe

#ifndef INCLUDED_GPUFFT_WISDOM_H
#define INCLUDED_GPUFFT_WISDOM_H

#include "recipe.h"
#include <gnuradio/gpufft/problem.h>
#include <map>
#include <optional>
#include <string>

namespace gr {
namespace gpufft {

// The key of a recipe: "n1024 full", "n65536 b1 algorithm=cluster", "n1000 full power".
// Batches that fill a card count as one.
std::string wisdom_key(const problem& what);

// "card | problem | recipe"
std::string wisdom_line(const std::string& card, const problem& what, const recipe& how);

class wisdom
{
public:
    // Adds the entries of a text, which replace existing ones. Throws
    // std::invalid_argument that names the line if the text is damaged or has another
    // version, and then changes nothing.
    void read(const std::string& text);
    std::string write() const;

    // The recipe for the problem on the card; for a batch that was not measured, that of
    // half or twice the batch.
    std::optional<recipe> find(const std::string& card, const problem& what) const;
    void add(const std::string& card, const problem& what, const recipe& how);

    std::vector<recipe> recipes() const;
    std::size_t size() const { return d_recipes.size(); }

private:
    typedef std::pair<std::string, std::string> card_and_key;
    std::map<card_and_key, std::string> d_recipes; // as text
};

// Measured on known cards, and part of the library: wisdom/cards.txt.
const wisdom& shipped_wisdom();

// The shape of the Stockham kernel that is taken for this length on cards without wisdom,
// in single precision: wisdom/any_card.txt. Null if there is none.
const stockham_shape* shape_for_any_card(std::size_t n);

// The card whose shipped recipes this one uses: itself, or a measured card with the same
// multiprocessors.
std::string measured_relative(const std::string& card);

} // namespace gpufft
} // namespace gr

#endif
