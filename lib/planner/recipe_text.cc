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

// The flags of a shape, by their bits in the text: 1, 2, 4, ...
constexpr bool stockham_shape::*FLAGS[] = {
    &stockham_shape::staged_load,  &stockham_shape::staged_store,
    &stockham_shape::load_by_rows, &stockham_shape::sums_powers,
    &stockham_shape::pipelined,    &stockham_shape::copied_by_card,
    &stockham_shape::is_double,    &stockham_shape::mirrored,
    &stockham_shape::tiled
};
constexpr int TWO_AREAS = 1, PREFETCHED = 2, BY_STORES = 4, PERSISTENT = 8;

std::string exact_text(const stockham_shape& shape)
{
    int flags = 0;
    for (std::size_t bit = 0; bit < std::size(FLAGS); ++bit)
        flags |= (shape.*FLAGS[bit]) << bit;
    const std::string n =
        shape.lengths.empty() ? std::to_string(shape.n) : join(shape.lengths, "*");
    std::string passes;
    for (std::size_t p = 0; p < shape.radices.size(); ++p)
        passes += (p == 0 ? "" : ".") + std::to_string(shape.radices[p]) +
                  (shape.along.empty() ? "" : std::string(1, char('a' + shape.along[p])));
    return n + "x" + std::to_string(shape.columns) + ":" + passes + "/" +
           std::to_string(shape.threads) + "/" + std::to_string(shape.transforms) + "/" +
           std::to_string(shape.blocks) + "/" + std::to_string(flags);
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
    const int flags = read_number(text, 0, '\0');
    if (shape.radices.empty() || product != shape.n || text.peek() != EOF)
        throw std::invalid_argument("not the text of a recipe");
    for (std::size_t bit = 0; bit < std::size(FLAGS); ++bit)
        shape.*FLAGS[bit] = flags & 1 << bit;
    choose_paddings(shape);
    return shape;
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

std::string text_of_levels(const recipe& how, const std::string& before_last)
{
    std::string text = how.algorithm +
                       (how.cluster() > 1 ? std::to_string(how.cluster()) : "") + "(" +
                       std::to_string(how.n);
    for (std::size_t s = 0; s < how.shapes.size(); ++s) {
        const stockham_shape& shape = how.shapes[s];
        text += s == 0 ? ": " : ", ";
        if (s + 1 == how.shapes.size())
            text += before_last;
        if (std::size_t(shape.n) != how.n)
            text += std::to_string(shape.n) + " = ";
        text += join(shape.radices, "·");
        text += shape.pipelined ? " pipelined" : shape.tiled ? " in tiles" : "";
        text += shape.copied_by_card && !shape.pipelined ? " by card" : "";
    }
    const bool mirrored = std::any_of(how.shapes.begin(),
                                      how.shapes.end(),
                                      [](const auto& shape) { return shape.mirrored; });
    return text + (mirrored ? ", mirrored" : "") + (how.is_double() ? ", double)" : ")");
}

std::string recipe::to_string() const
{
    if (is_real())
        return algorithm + "(" + inside().to_string() + ")";
    for (const gpufft::algorithm& each : algorithms())
        if (is_by(*this, each) && each.text_of != nullptr)
            return each.text_of(*this);
    if (is_transposition())
        return lengths.front() == 1 ? "copy" : "transpose";
    std::string list;
    for (const recipe& part : of<parts_fields>().parts)
        list += (list.empty() ? ": " : ", ") + part.to_string();
    return list.empty() ? text_of_levels(*this)
                        : algorithm + "(" + join(lengths, "x") + list + ")";
}

std::string recipe::to_text() const
{
    if (is_real())
        return algorithm + ":" + inside().to_text();
    const cluster_fields& way = of<cluster_fields>();
    const int ways = TWO_AREAS * way.two_areas + PREFETCHED * prefetched() +
                     BY_STORES * !way.by_messages + PERSISTENT * way.persistent;
    std::string text = algorithm + " " + std::to_string(n) + " " +
                       std::to_string(cluster()) + " " + std::to_string(ways) + " " +
                       std::to_string(frames_at_once());
    if (!lengths.empty())
        text += " [" + join(lengths, "x") + "]";
    for (const stockham_shape& shape : shapes)
        text += " " + exact_text(shape);
    for (const recipe& part : of<parts_fields>().parts)
        text += " {" + part.to_text() + "}";
    return text;
}

// The fields of the algorithm's family; those of blocks for an unknown name.
static recipe_fields
fields_from_text(const std::string& name, int cluster, int ways, int frames)
{
    recipe_fields fields;
    for (const algorithm& each : algorithms())
        if (name == each.name)
            fields = each.fields;
    const bool prefetched = ways & PREFETCHED;
    if (auto* block = std::get_if<block_fields>(&fields))
        *block = { cluster };
    else if (auto* way = std::get_if<cluster_fields>(&fields))
        *way = { cluster,
                 bool(ways & TWO_AREAS),
                 prefetched,
                 !(ways & BY_STORES),
                 bool(ways & PERSISTENT) };
    else if (auto* convolution = std::get_if<convolution_fields>(&fields))
        *convolution = { cluster, prefetched, frames };
    else if (auto* list = std::get_if<parts_fields>(&fields))
        list->frames_at_once = frames;
    else // a real transform is named with the one inside
        throw std::invalid_argument("not the text of a recipe");
    return fields;
}

recipe recipe::from_text(const std::string& text)
{
    std::istringstream words(text);
    recipe how;
    std::string word;
    int cluster = 1, ways = 0, frames = 0;
    words >> how.algorithm;
    const std::size_t colon = how.algorithm.find(':');
    if (colon != std::string::npos &&
        how.algorithm.find(':', colon + 1) == std::string::npos) {
        const recipe inside = from_text(text.substr(text.find(':') + 1));
        return {
            how.algorithm.substr(0, colon), inside.n, {}, real_fields{ { inside } }
        };
    }
    if (!(words >> how.n >> cluster >> ways >> frames))
        throw std::invalid_argument("not the text of a recipe: " + text);
    how.fields = fields_from_text(how.algorithm, cluster, ways, frames);
    while (words >> word) {
        if (word[0] == '[') {
            how.lengths = lengths_from_text(word);
        } else if (word[0] == '{') {
            how.set<parts_fields>().parts.push_back(
                from_text(inside_braces(word, words)));
        } else {
            how.shapes.push_back(shape_from_text(word));
        }
    }
    return how;
}

} // namespace gpufft
} // namespace gr
