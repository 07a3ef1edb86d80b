// SPDX-License-Identifier: GPL-3.0-or-later
//
// Wisdom as text.

#include "wisdom.h"
#include "algorithm.h"
#include "cost.h"
#include "embedded_files.h"
#include "problem/frame_rows.h"

#include <sstream>
#include <stdexcept>

namespace gr {
namespace gpufft {

namespace {

constexpr const char* HEAD = "gpufft wisdom 1";
constexpr const char* SEPARATOR = " | ";
constexpr std::size_t NEAR = 2; // factor between batches that share a recipe

// "n1024"; any other kind than c2c begins with its name: "r2c_n1024".
std::string key_start(const problem& what)
{
    if (is_plain_c2c(what) && !what.is_double() && what.stored == number_format::working)
        return "n" + std::to_string(what.n);
    problem plain =
        rows_of_frames(what, what.is_power() ? output_kind::complex : what.output);
    plain.batch = 1;
    plain.window = plain.shift_input = plain.shift_output = plain.alone = false;
    if (what.kind != transform_kind::filter) // a filter's recipes fold by the hop
        plain.hop = 0;
    if (what.picks_bins()) // solved by the recipes that store all bins
        plain.bins = 0;
    plain.algorithm.clear();
    plain.load.clear(); // expressions change no recipe
    plain.product.clear();
    plain.store.clear();
    std::string name = plain.to_string();
    name.erase(name.find("_b1"), 3);
    return name;
}

std::string key_with(const problem& what, const std::string& batch)
{
    return key_start(what) + " " + batch + (what.is_power() ? " power" : "") +
           (what.algorithm.empty() ? "" : " algorithm=" + what.algorithm);
}

wisdom embedded_wisdom(const std::string& name)
{
    wisdom known;
    for (const embedded_file& file : wisdom_files())
        if (file.name == name)
            known.read(file.text);
    return known;
}

} // namespace

std::string wisdom_key(const problem& what)
{
    if (fills_card(what))
        return key_with(what, "full");
    std::size_t batch = 1; // batches are rounded to powers of two
    while (2 * batch <= what.batch)
        batch *= 2;
    return key_with(what, "b" + std::to_string(batch));
}

std::string wisdom_line(const std::string& card, const problem& what, const recipe& how)
{
    return card + SEPARATOR + wisdom_key(what) + SEPARATOR + how.to_text();
}

void wisdom::read(const std::string& text)
{
    std::istringstream lines(text);
    std::string line;
    if (!std::getline(lines, line) || line != HEAD)
        throw std::invalid_argument("the first line is \"" + line.substr(0, 40) +
                                    "\", not \"" + HEAD + "\"");
    std::map<card_and_key, std::string> recipes = d_recipes;
    for (int number = 2; std::getline(lines, line); ++number) {
        if (line.empty() || line[0] == '#')
            continue;
        const std::size_t first = line.find(SEPARATOR);
        const std::size_t second = line.find(SEPARATOR, first + 1);
        try {
            if (first == std::string::npos || second == std::string::npos)
                throw std::invalid_argument("not card | problem | recipe");
            const std::string text_of_recipe = line.substr(second + 3);
            recipe::from_text(text_of_recipe);
            recipes[{ line.substr(0, first),
                      line.substr(first + 3, second - first - 3) }] = text_of_recipe;
        } catch (const std::invalid_argument& error) {
            throw std::invalid_argument("line " + std::to_string(number) + ": " +
                                        error.what());
        }
    }
    d_recipes = std::move(recipes);
}

std::string wisdom::write() const
{
    std::string text = std::string(HEAD) + "\n";
    for (const auto& [where, how] : d_recipes)
        text += where.first + SEPARATOR + where.second + SEPARATOR + how + "\n";
    return text;
}

std::optional<recipe> wisdom::find(const std::string& card, const problem& what) const
{
    problem near = what;
    const auto known = [&](std::size_t batch) {
        near.batch = batch;
        return d_recipes.find({ card, wisdom_key(near) });
    };
    auto found = known(what.batch);
    for (std::size_t factor = 2; factor <= NEAR && found == d_recipes.end();
         factor *= 2) {
        found = known(what.batch * factor);
        if (found == d_recipes.end() && what.batch >= factor)
            found = known(what.batch / factor);
    }
    if (found == d_recipes.end())
        return std::nullopt;
    return recipe::from_text(found->second);
}

void wisdom::add(const std::string& card, const problem& what, const recipe& how)
{
    d_recipes[{ card, wisdom_key(what) }] = how.to_text();
}

bool wisdom::has_card(const std::string& card) const
{
    const auto first = d_recipes.lower_bound({ card, "" });
    return first != d_recipes.end() && first->first.first == card;
}

const wisdom& shipped_wisdom()
{
    static const wisdom known = embedded_wisdom("cards.txt");
    return known;
}

static const auto& s_made_wisdom = shipped_wisdom();

std::string measured_relative(const std::string& card)
{
    constexpr std::pair<const char*, const char*> RELATIVES[] = {
        { "NVIDIA H100", "NVIDIA H100 80GB HBM3" },
        { "NVIDIA H800", "NVIDIA H100 80GB HBM3" },
        { "NVIDIA GH200", "NVIDIA H200" },
    };
    for (const auto& [begin, measured] : RELATIVES)
        if (card.compare(0, std::string(begin).size(), begin) == 0)
            return measured;
    return card;
}

} // namespace gpufft
} // namespace gr
