// SPDX-License-Identifier: GPL-3.0-or-later
//
// The settings of a block, which any thread reads and changes. A change takes effect as a
// whole or not at all.

#ifndef INCLUDED_GPUFFT_SHARED_SETTINGS_H
#define INCLUDED_GPUFFT_SHARED_SETTINGS_H

#include <mutex>

namespace gr {
namespace gpufft {

template <class Settings>
class shared_settings
{
public:
    explicit shared_settings(const Settings& settings) : d_settings(settings) {}

    Settings get() const
    {
        return read([](const Settings& now) { return now; });
    }

    // What reader(settings) returns; without a copy of them, which may hold long filters.
    template <class Reader>
    auto read(Reader&& reader) const
    {
        std::lock_guard<std::mutex> lock(d_mutex);
        return reader(d_settings);
    }

    // Calls change(settings), then apply(settings), on a copy that replaces the settings
    // if neither throws.
    template <class Change, class Apply>
    void change(Change&& change, Apply&& apply)
    {
        std::lock_guard<std::mutex> lock(d_mutex);
        Settings next = d_settings;
        change(next);
        apply(next);
        d_settings = next;
    }

private:
    mutable std::mutex d_mutex;
    Settings d_settings;
};

} // namespace gpufft
} // namespace gr

#endif
