// SPDX-License-Identifier: GPL-3.0-or-later
//
// Every call that goes to the NVIDIA driver: counted, and refused when told to, with a
// real card beneath. The linker puts a function of ours in the place of dlsym() in the
// test programs (--wrap), which hands out the driver's functions with a check in front of
// each; nothing in the library knows of it.

#ifndef INCLUDED_GPUFFT_DRIVER_WATCH_H
#define INCLUDED_GPUFFT_DRIVER_WATCH_H

#include "simulated_device.h"

namespace gr {
namespace gpufft {

// As the class simulation has it. A lost card is one whose calls all fail from then on,
// until its context is replaced; what is queued on it is done first. The calls that
// release something, and those that come with every other, are neither counted nor
// refused.
class driver_watch
{
public:
    static void reset();
    static void refuse_registration(bool refused);
    static void fail(simulation::fault how, long call);
    static long calls();
    static bool struck();
    static long copies();             // and launches, queued since reset()
    static simulation::counts live(); // plans: loaded modules
};

} // namespace gpufft
} // namespace gr

#endif
