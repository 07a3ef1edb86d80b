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

// What recipes are stored under: "n1024 full", "n65536 b1 algorithm=cluster", "n1000 full
// power". Batches that fill a card count as one.
std::string wisdom_key(const problem& what);

// "card | problem | recipe"
std::string wisdom_line(const std::string& card, const problem& what, const recipe& how);

class wisdom
{
public:
    // Adds what a text holds; entries that are there already give way. Throws
    // std::invalid_argument that names the line for a text of another version or a
    // damaged one, and is then unchanged.
    void read(const std::string& text);
    std::string write() const;

    // The recipe for the problem on the card; for a batch that was not measured, that of
    // half or twice as many.
    std::optional<recipe> find(const std::string& card, const problem& what) const;
    void add(const std::string& card, const problem& what, const recipe& how);

    std::size_t size() const { return d_recipes.size(); }

private:
    typedef std::pair<std::string, std::string> card_and_key;
    std::map<card_and_key, std::string> d_recipes; // as text
};

// Measured on known cards, and part of the library.
const wisdom& shipped_wisdom();

// The card under whose name the shipped recipes for this one stand: itself, or one with
// the same multiprocessors that was measured.
std::string measured_relative(const std::string& card);

} // namespace gpufft
} // namespace gr

#endif
