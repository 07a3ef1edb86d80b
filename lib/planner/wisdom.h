// SPDX-License-Identifier: GPL-3.0-or-later
//
// Wisdom: the recipe that was measured to be the fastest, by card and problem. Its text
// has a version and a line for each recipe:
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
// All batches that fill a card share a key. So do both directions of plain c2c of one
// axis in single precision; other keys contain the direction.
std::string wisdom_key(const problem& what);

// "card | problem | recipe"
std::string wisdom_line(const std::string& card, const problem& what, const recipe& how);

class wisdom
{
public:
    // Adds the entries of a text, which replace existing ones. If the text is damaged
    // or has another version, throws std::invalid_argument that names the line, and
    // changes nothing.
    void read(const std::string& text);
    std::string write() const;

    // The recipe for the problem on the card; if the batch was not measured, the recipe
    // for half or twice the batch.
    std::optional<recipe> find(const std::string& card, const problem& what) const;
    void add(const std::string& card, const problem& what, const recipe& how);

    bool has_card(const std::string& card) const; // any recipe for it
    std::size_t size() const { return d_recipes.size(); }

private:
    typedef std::pair<std::string, std::string> card_and_key;
    std::map<card_and_key, std::string> d_recipes; // as text
};

// The recipes measured on known cards, which the library contains: wisdom/cards.txt.
const wisdom& shipped_wisdom();

// The card whose shipped recipes this one uses: itself, or a measured card with the same
// multiprocessors.
std::string measured_relative(const std::string& card);

} // namespace gpufft
} // namespace gr

#endif
