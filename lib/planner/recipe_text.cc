// SPDX-License-Identifier: GPL-3.0-or-later
//
// Recipes as text.

#include "exchange.h"
#include "recipe.h"
#include "registry.h"

#include <algorithm>
#include <cctype>
#include <sstream>
#include <stdexcept>

namespace gr {
namespace gpufft {

namespace {

template <class Number>
std::string join(const std::vector<Number>& numbers, const char* separator)
{
    std::string text;
    for (Number number : numbers)
        text += (text.empty() ? "" : separator) + std::to_string(number);
    return text;
}

constexpr int STAGED_LOAD = 1, STAGED_STORE = 2, LOAD_BY_ROWS = 4, SUMS_POWERS = 8,
              PIPELINED = 16, COPIED_BY_CARD = 32, IS_DOUBLE = 64, MIRRORED = 128;
constexpr int TWO_AREAS = 1, PREFETCHED = 2, BY_STORES = 4, PERSISTENT = 8;

std::string exact_text(const stockham_shape& shape)
{
    const int ends = STAGED_LOAD * shape.staged_load + STAGED_STORE * shape.staged_store +
                     LOAD_BY_ROWS * shape.load_by_rows + SUMS_POWERS * shape.sums_powers +
                     PIPELINED * shape.pipelined + COPIED_BY_CARD * shape.copied_by_card +
                     IS_DOUBLE * shape.is_double + MIRRORED * shape.mirrored;
    const std::string n =
        shape.lengths.empty() ? std::to_string(shape.n) : join(shape.lengths, "*");
    std::string passes;
    for (std::size_t p = 0; p < shape.radices.size(); ++p)
        passes += (p == 0 ? "" : ".") + std::to_string(shape.radices[p]) +
                  (shape.along.empty() ? "" : std::string(1, char('a' + shape.along[p])));
    return n + "x" + std::to_string(shape.columns) + ":" + passes + "/" +
           std::to_string(shape.threads) + "/" + std::to_string(shape.transforms) + "/" +
           std::to_string(shape.blocks) + "/" + std::to_string(ends);
}

// Reads a whole number in 1 ... 2^30, or from 0 on, and the separator after it.
int read_number(std::istream& text, int least, char separator)
{
    int value = 0;
    char after = '\0';
    if (!(text >> value) || value < least || value > 1 << 30 ||
        (separator != '\0' && !(text.get(after) && after == separator)))
        throw std::invalid_argument("not the text of a recipe");
    return value;
}

// "4096x1", or with several axes "16*256x1".
void read_lengths(std::istream& text, stockham_shape& shape)
{
    long product = 1;
    do {
        shape.lengths.push_back(read_number(text, 1, '\0'));
        product *= shape.lengths.back();
        if (product > 1 << 30)
            throw std::invalid_argument("not the text of a recipe");
    } while (text.peek() == '*' && text.get());
    shape.n = int(product);
    if (text.get() != 'x')
        throw std::invalid_argument("not the text of a recipe");
    shape.columns = read_number(text, 1, ':');
}

// "16.16.16", or with their axes "16b.16a.16b". Returns the product of the radices.
long read_radices(std::istream& text, stockham_shape& shape)
{
    std::string radices;
    std::getline(text, radices, '/');
    std::istringstream list(radices);
    long product = 1;
    while (list.peek() != EOF) {
        shape.radices.push_back(read_number(list, 1, '\0'));
        product *= shape.radices.back();
        if (std::isalpha(list.peek())) {
            shape.along.push_back(list.get() - 'a');
            if (shape.along.back() < 0 || shape.along.back() >= int(shape.lengths.size()))
                throw std::invalid_argument("not the text of a recipe");
        }
        if (product > shape.n || (list.peek() != EOF && list.get() != '.'))
            throw std::invalid_argument("not the text of a recipe");
    }
    return product;
}

// Whether the radices along each axis have its length as their product.
bool has_whole_axes(const stockham_shape& shape)
{
    std::vector<int> left = shape.lengths;
    for (std::size_t p = 0; p < shape.along.size(); ++p) {
        int& length = left[shape.along[p]];
        if (length % shape.radices[p] != 0)
            return false;
        length /= shape.radices[p];
    }
    return std::count(left.begin(), left.end(), 1) == long(left.size());
}

stockham_shape shape_from_text(const std::string& word)
{
    std::istringstream text(word);
    stockham_shape shape;
    read_lengths(text, shape);
    const long product = read_radices(text, shape);
    if (shape.along.empty())
        shape.lengths.clear();
    else if (shape.along.size() != shape.radices.size() || !has_whole_axes(shape))
        throw std::invalid_argument("not the text of a recipe");
    shape.threads = read_number(text, 1, '/');
    shape.transforms = read_number(text, 1, '/');
    shape.blocks = read_number(text, 0, '/');
    const int ends = read_number(text, 0, '\0');
    if (shape.radices.empty() || product != shape.n || text.peek() != EOF)
        throw std::invalid_argument("not the text of a recipe");
    shape.staged_load = ends & STAGED_LOAD;
    shape.staged_store = ends & STAGED_STORE;
    shape.load_by_rows = ends & LOAD_BY_ROWS;
    shape.sums_powers = ends & SUMS_POWERS;
    shape.pipelined = ends & PIPELINED;
    shape.copied_by_card = ends & COPIED_BY_CARD;
    shape.is_double = ends & IS_DOUBLE;
    shape.mirrored = ends & MIRRORED;
    choose_paddings(shape);
    return shape;
}

// The recipes of its parts, in their order.
std::string of_parts(const recipe& how)
{
    std::string text;
    for (const recipe& part : how.parts)
        text += (text.empty() ? "" : ", ") + part.to_string();
    return text;
}

// "[256x256]"
std::vector<std::size_t> lengths_from_text(const std::string& word)
{
    std::istringstream text(word);
    std::vector<std::size_t> lengths;
    char separator = char(text.get());
    do {
        lengths.push_back(read_number(text, 1, '\0'));
    } while (text.get(separator) && separator == 'x');
    if (separator != ']' || text.peek() != EOF)
        throw std::invalid_argument("not the text of a recipe");
    return lengths;
}

// The text from "{" at the start of `word` to the brace that closes it.
std::string inside_braces(const std::string& word, std::istream& rest)
{
    std::string text;
    int open = 0;
    const auto take = [&](char letter) {
        open += letter == '{' ? 1 : letter == '}' ? -1 : 0;
        text += letter;
    };
    for (char letter : word)
        take(letter);
    while (open > 0 && rest.peek() != EOF)
        take(char(rest.get()));
    if (open != 0)
        throw std::invalid_argument("not the text of a recipe");
    return text.substr(1, text.size() - 2);
}

} // namespace

// "real(hierarchical(1048576: ...))"
static std::string text_around(recipe how)
{
    const std::string outer = how.algorithm;
    how.algorithm = how.inside;
    how.inside.clear();
    return outer + "(" + how.to_string() + ")";
}

std::string text_of_levels(const recipe& how, const std::string& before_last)
{
    std::string text = how.algorithm +
                       (how.cluster > 1 ? std::to_string(how.cluster) : "") + "(" +
                       std::to_string(how.n);
    for (std::size_t s = 0; s < how.shapes.size(); ++s) {
        const stockham_shape& shape = how.shapes[s];
        text += s == 0 ? ": " : ", ";
        if (s + 1 == how.shapes.size())
            text += before_last;
        if (std::size_t(shape.n) != how.n)
            text += std::to_string(shape.n) + " = ";
        text += join(shape.radices, "·") + (shape.pipelined        ? " pipelined"
                                            : shape.copied_by_card ? " by card"
                                                                   : "");
    }
    const bool mirrored = std::any_of(how.shapes.begin(),
                                      how.shapes.end(),
                                      [](const auto& shape) { return shape.mirrored; });
    return text + (mirrored ? ", mirrored" : "") + (how.is_double() ? ", double)" : ")");
}

std::string recipe::to_string() const
{
    if (!inside.empty())
        return text_around(*this);
    for (const gpufft::algorithm& each : algorithms())
        if (is_by(*this, each) && each.text_of != nullptr)
            return each.text_of(*this);
    if (is_transposition())
        return lengths.front() == 1 ? "copy" : "transpose";
    if (!parts.empty())
        return algorithm + "(" + join(lengths, "x") + ": " + of_parts(*this) + ")";
    return text_of_levels(*this);
}

std::string recipe::to_text() const
{
    const int ways = TWO_AREAS * two_areas + PREFETCHED * prefetched +
                     BY_STORES * !by_messages + PERSISTENT * persistent;
    std::string text = algorithm + (inside.empty() ? "" : ":" + inside) + " " +
                       std::to_string(n) + " " + std::to_string(cluster) + " " +
                       std::to_string(ways) + " " + std::to_string(frames_at_once);
    if (!lengths.empty())
        text += " [" + join(lengths, "x") + "]";
    for (const stockham_shape& shape : shapes)
        text += " " + exact_text(shape);
    for (const recipe& part : parts)
        text += " {" + part.to_text() + "}";
    return text;
}

recipe recipe::from_text(const std::string& text)
{
    std::istringstream words(text);
    recipe how;
    std::string word;
    int ways = 0;
    if (!(words >> how.algorithm >> how.n >> how.cluster >> ways >> how.frames_at_once))
        throw std::invalid_argument("not the text of a recipe: " + text);
    const std::size_t colon = how.algorithm.find(':');
    if (colon != std::string::npos) {
        how.inside = how.algorithm.substr(colon + 1);
        how.algorithm.erase(colon);
    }
    how.two_areas = ways & TWO_AREAS;
    how.prefetched = ways & PREFETCHED;
    how.by_messages = !(ways & BY_STORES);
    how.persistent = ways & PERSISTENT;
    while (words >> word) {
        if (word[0] == '[') {
            how.lengths = lengths_from_text(word);
        } else if (word[0] == '{') {
            how.parts.push_back(from_text(inside_braces(word, words)));
        } else {
            how.shapes.push_back(shape_from_text(word));
        }
    }
    return how;
}

} // namespace gpufft
} // namespace gr
