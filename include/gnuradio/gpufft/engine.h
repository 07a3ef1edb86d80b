// SPDX-License-Identifier: GPL-3.0-or-later
//
// The engines that can execute a plan, and which of them this machine has.

#ifndef INCLUDED_GPUFFT_ENGINE_H
#define INCLUDED_GPUFFT_ENGINE_H

#include <gnuradio/gpufft/api.h>
#include <stdexcept>
#include <string>
#include <vector>

namespace gr {
namespace gpufft {

/*! \brief What executes a plan. */
enum class engine_kind {
    automatic, //!< "auto": cuda where it is usable and has the length (and, in blocks, is
               //!< faster), else cpu
    cuda,      //!< this module's kernels on an NVIDIA GPU
    cpu,       //!< FFTW and VOLK
    host       //!< this module's kernels executed on the CPU by fibers; tests only
};

/*! \brief "auto", "cuda", "cpu" or "host". */
GPUFFT_API const char* to_string(engine_kind kind);

/*! \brief Parses such a name.
 * \throws std::invalid_argument with the value and all but host. */
GPUFFT_API engine_kind engine_from_string(const std::string& name);

/*! \brief Device trouble: a driver, NVRTC or memory error, with call, code, file and
 * line. */
class GPUFFT_API cuda_error : public std::runtime_error
{
public:
    cuda_error(int code, const std::string& what) : std::runtime_error(what), d_code(code)
    {
    }
    int code() const { return d_code; }

private:
    int d_code;
};

/*! \brief One NVIDIA GPU as the driver reports it. */
struct GPUFFT_API cuda_device_info {
    int index = 0;
    std::string name;
    int compute_major = 0;
    int compute_minor = 0;
    int multiprocessors = 0;
    std::size_t memory_bytes = 0;
    std::size_t l2_bytes = 0;
    std::size_t shared_bytes_per_block = 0;
};

/*! \brief What the cuda engine finds on this machine. Never throws. */
struct GPUFFT_API cuda_status {
    bool built = false;  //!< the library was built with CUDA headers
    bool usable = false; //!< driver, NVRTC and at least one GPU work together
    std::string reason;  //!< one sentence: why not usable, empty if usable
    std::string driver;  //!< CUDA version that the driver supports, e.g. "13.0"
    std::string nvrtc;   //!< version of NVRTC in use
    std::vector<cuda_device_info> devices;
    std::string nvrtc_file; //!< the library that this NVRTC is
};

/*! \brief Status of driver, NVRTC and GPUs; checked again (once a second) until
 * usable. */
GPUFFT_API const cuda_status& query_cuda();

/*! \brief Directory of compiled kernels, wisdom and break-even tables: $GPUFFT_CACHE_DIR,
 * else $XDG_CACHE_HOME/gpufft, else ~/.cache/gpufft; variables with relative paths are
 * ignored. "" if there is no cache, e.g. because other users may write there. The
 * directory may not exist yet. */
GPUFFT_API std::string cache_directory();

/*! \brief The cache of this machine. */
struct GPUFFT_API cache_info {
    std::string directory; //!< path of the cache; its folder "kernels" has the kernels
    std::string reason; //!< one sentence: why it is not used, e.g. others may write to it
    std::size_t kernels = 0; //!< number of compiled kernels
    std::size_t bytes = 0;   //!< size of all of this module's files there
};

/*! \brief Counts the files of this module in the cache. */
GPUFFT_API cache_info query_cache();

/*! \brief Removes only the files of this module from the cache. A cache that is not used
 * (see cache_info::reason) stays as it is. \return what was there */
GPUFFT_API cache_info clear_cache();

/*! \brief What FFTW has measured for the CPU engine, in this process and in the cache, as
 * text. Two processes may measure two plans of one length, which round differently. */
GPUFFT_API std::string fftw_wisdom();

/*! \brief Later plans of this process use the wisdom of another process before its own,
 * and so give the bits of the other's plans on the same kind of CPU.
 * \param texts from fftw_wisdom(); what this FFTW cannot read changes nothing */
GPUFFT_API void prefer_fftw_wisdom(const std::string& texts);

/*! \brief Version of this library, e.g. "0.1.0". */
GPUFFT_API std::string version();

} // namespace gpufft
} // namespace gr

#endif
