// SPDX-License-Identifier: GPL-3.0-or-later
//
// Evaluates expressions on the CPU, some hundreds of values at a time: each part for all
// of them, in loops that the compiler vectorizes.

#include "expression.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>

namespace gr {
namespace gpufft {

namespace {

typedef expression_node node;

constexpr std::size_t LANES = 256;

struct lanes {
    float re[LANES], im[LANES];
};

struct inputs {
    std::size_t count;
    const lanes *x, *h;
    const std::vector<std::string>& names;
    const std::vector<float>& values;
};

void evaluate(const node& of, const inputs& in, lanes& out);

void fill(lanes& out, std::size_t count, float value)
{
    std::fill_n(out.re, count, value);
    std::fill_n(out.im, count, 0.0f);
}

// out.re[i] = of(a, b, c) for functions of real numbers.
template <class Function>
void for_each_real(const std::vector<std::unique_ptr<lanes>>& parts,
                   std::size_t count,
                   lanes& out,
                   Function&& of)
{
    const float* const a = parts[0]->re;
    const float* const b = parts.size() > 1 ? parts[1]->re : a;
    const float* const c = parts.size() > 2 ? parts[2]->re : a;
    for (std::size_t i = 0; i < count; ++i)
        out.re[i] = of(a[i], b[i], c[i]);
}

// out.re[i] = of(a.re[i], b.re[i]), out.im[i] = of(a.im[i], b.re[i]): products and
// quotients with real numbers, whose squares may underflow or overflow.
template <class Function>
void for_each_part(const lanes& a,
                   const lanes& b,
                   std::size_t count,
                   lanes& out,
                   Function&& of)
{
    for (std::size_t i = 0; i < count; ++i) {
        out.re[i] = of(a.re[i], b.re[i]);
        out.im[i] = of(a.im[i], b.re[i]);
    }
}

// out[i] = of(a, b), of complex numbers as parts.
template <class Function>
void for_each_complex(const std::vector<std::unique_ptr<lanes>>& parts,
                      std::size_t count,
                      lanes& out,
                      Function&& of)
{
    const lanes& a = *parts.front();
    const lanes& b = *parts.back();
    for (std::size_t i = 0; i < count; ++i)
        of(a.re[i], a.im[i], b.re[i], b.im[i], out.re[i], out.im[i]);
}

void divide(float are, float aim, float bre, float bim, float& re, float& im)
{
    const float n = bre * bre + bim * bim;
    const float p = are * bre + aim * bim, q = aim * bre - are * bim;
    re = p / n;
    im = q / n;
}

// True if it was a function of real numbers.
bool call_real(const std::string& name,
               const std::vector<std::unique_ptr<lanes>>& parts,
               std::size_t count,
               lanes& out)
{
    const auto each = [&](auto of) {
        for_each_real(parts, count, out, of);
        return true;
    };
    if (name == "**")
        return each([](float a, float b, float) { return std::pow(a, b); });
    if (name == "<")
        return each([](float a, float b, float) { return float(a < b); });
    if (name == "<=")
        return each([](float a, float b, float) { return float(a <= b); });
    if (name == "==")
        return each([](float a, float b, float) { return float(a == b); });
    if (name == "!=")
        return each([](float a, float b, float) { return float(a != b); });
    if (name == "sqrt")
        return each([](float a, float, float) { return std::sqrt(a); });
    if (name == "log")
        return each([](float a, float, float) { return std::log(a); });
    if (name == "log2")
        return each([](float a, float, float) { return std::log2(a); });
    if (name == "log10")
        return each([](float a, float, float) { return std::log10(a); });
    if (name == "sin")
        return each([](float a, float, float) { return std::sin(a); });
    if (name == "cos")
        return each([](float a, float, float) { return std::cos(a); });
    if (name == "tan")
        return each([](float a, float, float) { return std::tan(a); });
    if (name == "tanh")
        return each([](float a, float, float) { return std::tanh(a); });
    if (name == "floor")
        return each([](float a, float, float) { return std::floor(a); });
    if (name == "round")
        return each([](float a, float, float) { return std::rint(a); });
    if (name == "atan2")
        return each([](float a, float b, float) { return std::atan2(a, b); });
    if (name == "min")
        return each([](float a, float b, float) { return std::fmin(a, b); });
    if (name == "max")
        return each([](float a, float b, float) { return std::fmax(a, b); });
    if (name == "clip")
        return each(
            [](float a, float b, float c) { return std::fmin(std::fmax(a, b), c); });
    return false;
}

void call_complex(const std::string& name,
                  const std::vector<std::unique_ptr<lanes>>& parts,
                  std::size_t count,
                  lanes& out)
{
    const auto each = [&](auto of) { for_each_complex(parts, count, out, of); };
    typedef float& to;
    if (name == "+")
        each([](float a, float b, float c, float d, to re, to im) {
            re = a + c;
            im = b + d;
        });
    else if (name == "-")
        each([](float a, float b, float c, float d, to re, to im) {
            re = a - c;
            im = b - d;
        });
    else if (name == "*")
        each([](float a, float b, float c, float d, to re, to im) {
            re = a * c - b * d;
            im = a * d + b * c;
        });
    else if (name == "/")
        each(divide);
    else if (name == "minus")
        each([](float a, float b, float, float, to re, to im) {
            re = -a;
            im = -b;
        });
    else if (name == "j")
        each([](float a, float, float, float, to re, to im) {
            re = 0;
            im = a;
        });
    else if (name == "abs")
        each([](float a, float b, float, float, to re, to) { re = std::hypot(a, b); });
    else if (name == "norm")
        each([](float a, float b, float, float, to re, to) { re = a * a + b * b; });
    else if (name == "arg")
        each([](float a, float b, float, float, to re, to) { re = std::atan2(b, a); });
    else if (name == "real")
        each([](float a, float, float, float, to re, to) { re = a; });
    else if (name == "imag")
        each([](float, float b, float, float, to re, to) { re = b; });
    else if (name == "conj")
        each([](float a, float b, float, float, to re, to im) {
            re = a;
            im = -b;
        });
    else if (name == "exp")
        each([](float a, float b, float, float, to re, to im) {
            const float size = std::exp(a);
            re = size * std::cos(b);
            im = size * std::sin(b);
        });
    else // expj
        each([](float a, float, float, float, to re, to im) {
            re = std::cos(a);
            im = std::sin(a);
        });
}

void call(const node& of, const inputs& in, lanes& out)
{
    const expression_function& function = expression_functions()[of.function];
    const std::string name = function.name;
    std::vector<std::unique_ptr<lanes>> parts;
    for (const node& part : of.parts) {
        parts.push_back(std::make_unique<lanes>());
        evaluate(part, in, *parts.back());
    }
    if (name == "if") {
        for (std::size_t i = 0; i < in.count; ++i) {
            const lanes& taken = *parts[parts[0]->re[i] != 0 ? 1 : 2];
            out.re[i] = taken.re[i];
            out.im[i] = taken.im[i];
        }
    } else if (name == "/" && of.parts[1].is_real) {
        for_each_part(*parts[0], *parts[1], in.count, out, std::divides<float>());
    } else if (name == "*" && of.parts[1].is_real) {
        for_each_part(*parts[0], *parts[1], in.count, out, std::multiplies<float>());
    } else if (name == "*" && of.parts[0].is_real) {
        for_each_part(*parts[1], *parts[0], in.count, out, std::multiplies<float>());
    } else if (!call_real(name, parts, in.count, out)) {
        call_complex(name, parts, in.count, out);
    }
    if (of.is_real)
        std::fill_n(out.im, in.count, 0.0f);
}

void evaluate(const node& of, const inputs& in, lanes& out)
{
    switch (of.what) {
    case node::kind::number:
        return fill(out, in.count, of.value);
    case node::kind::parameter: {
        const auto at = std::find(in.names.begin(), in.names.end(), of.name);
        return fill(out, in.count, in.values[std::size_t(at - in.names.begin())]);
    }
    case node::kind::sample:
    case node::kind::response: {
        const lanes& from = of.what == node::kind::sample ? *in.x : *in.h;
        std::copy_n(from.re, in.count, out.re);
        std::copy_n(from.im, in.count, out.im);
        return;
    }
    case node::kind::call:
        return call(of, in, out);
    }
}

void take(const std::complex<float>* from, std::size_t count, lanes& to)
{
    for (std::size_t i = 0; i < count; ++i) {
        to.re[i] = from == nullptr ? 0 : from[i].real();
        to.im[i] = from == nullptr ? 0 : from[i].imag();
    }
}

} // namespace

void expression::evaluate(std::size_t count,
                          const std::complex<float>* x,
                          const std::complex<float>* h,
                          const std::vector<std::string>& names,
                          const std::vector<float>& values,
                          std::complex<float>* out) const
{
    const auto all = std::make_unique<lanes[]>(3);
    for (std::size_t first = 0; first < count; first += LANES) {
        const std::size_t now = std::min(LANES, count - first);
        take(x + first, now, all[0]);
        take(h == nullptr ? nullptr : h + first, now, all[1]);
        gpufft::evaluate(d_root, { now, &all[0], &all[1], names, values }, all[2]);
        for (std::size_t i = 0; i < now; ++i)
            out[first + i] = { all[2].re[i], all[2].im[i] };
    }
}

} // namespace gpufft
} // namespace gr
