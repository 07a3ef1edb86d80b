// SPDX-License-Identifier: GPL-3.0-or-later

#include "problem_names.h"

namespace gr {
namespace gpufft {

const char* to_string(direction dir) { return name_in(DIRECTION_NAMES, dir); }

const char* to_string(sample_format format)
{
    switch (format) {
    case sample_format::cf32:
        return "cf32";
    case sample_format::f32:
        return "f32";
    case sample_format::cf64:
        return "cf64";
    case sample_format::f64:
        return "f64";
    default:
        return name_in(FORMAT_NAMES, format);
    }
}

const char* to_string(output_kind kind) { return name_in(OUTPUT_NAMES, kind); }

const char* to_string(number_format format)
{
    return format == number_format::working ? "working" : name_in(STORED_NAMES, format);
}

const char* to_string(detector_kind detector)
{
    return name_in(DETECTOR_NAMES, detector);
}

const char* to_string(peak_rows rows) { return name_in(PEAK_NAMES, rows); }

const char* to_string(hold_kind hold) { return name_in(HOLD_NAMES, hold); }

} // namespace gpufft
} // namespace gr
