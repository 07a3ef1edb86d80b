// SPDX-License-Identifier: GPL-3.0-or-later
//
// Finds gr-cuda in this process, and waits in the legacy default stream.

#include "cuda_buffers.h"
#include <dlfcn.h>
#include <gnuradio/block.h>
#include <link.h>
#include <stdexcept>
#include <string>
#include <typeinfo>

namespace gr {
namespace gpufft {

namespace {

// typeid(gr::cuda_buffer).name(), and the name of gr::cuda_buffer::make_buffer().
constexpr const char* NAME = "N2gr11cuda_bufferE";
constexpr const char* MAKE =
    "_ZN2gr11cuda_buffer11make_bufferEimmjSt10shared_ptrINS_5blockEES3_";
typedef gr::buffer_sptr (*make_buffer)(int,
                                       std::size_t,
                                       std::uint64_t,
                                       std::uint32_t,
                                       gr::block_sptr,
                                       gr::block_sptr);

constexpr std::uintptr_t LEGACY_STREAM = 1; // CU_STREAM_LEGACY

// Python loads modules so that dlsym() alone does not find what is in them.
int note_library(dl_phdr_info* info, std::size_t, void* path)
{
    const std::string name = info->dlpi_name;
    if (name.find("gnuradio-cuda") == std::string::npos)
        return 0;
    *static_cast<std::string*>(path) = name;
    return 1;
}

gr::buffer_sptr make_with_module(int items,
                                 std::size_t item_bytes,
                                 std::uint64_t multiple,
                                 std::uint32_t most_multiple,
                                 gr::block_sptr writer,
                                 gr::block_sptr owner)
{
    void* found = dlsym(RTLD_DEFAULT, MAKE);
    std::string path;
    if (found == nullptr && dl_iterate_phdr(note_library, &path) != 0)
        if (void* const library = dlopen(path.c_str(), RTLD_LAZY | RTLD_NOLOAD))
            found = dlsym(library, MAKE);
    if (found == nullptr)
        throw std::runtime_error("cuda_buffers: the module gr-cuda is not in this "
                                 "process; import it, and use its blocks as neighbours");
    return reinterpret_cast<make_buffer>(found)(
        items, item_bytes, multiple, most_multiple, writer, owner);
}

class named_type : public gr::buffer_type_base
{
public:
    named_type() : buffer_type_base(NAME) {}
    gr::buffer_sptr make_buffer(int items,
                                std::size_t item_bytes,
                                std::uint64_t multiple,
                                std::uint32_t most_multiple,
                                gr::block_sptr writer,
                                gr::block_sptr owner) const override
    {
        return cuda_buffers::s_make(
            items, item_bytes, multiple, most_multiple, writer, owner);
    }
};

const named_type s_type;

// Work that is queued on `later` from now on begins after all that is on `earlier`.
void order(chunk_pipeline& on, async_device::queue& earlier, async_device::queue& later)
{
    const auto done = on.take_event(async_device::event_use::ordering);
    on.device()->record(*done, earlier);
    on.device()->wait(later, *done);
}

std::unique_ptr<async_device::queue> legacy_stream(chunk_pipeline& on)
{
    return on.device()->borrow_queue(reinterpret_cast<void*>(LEGACY_STREAM));
}

} // namespace

decltype(cuda_buffers::s_make) cuda_buffers::s_make = make_with_module;

gr::buffer_type cuda_buffers::type() { return s_type; }

bool cuda_buffers::is_one(const gr::buffer& buffer)
{
    return std::string(typeid(buffer).name()) == NAME;
}

void cuda_buffers::before(chunk_pipeline& on)
{
    order(on, *legacy_stream(on), on.compute());
}

void cuda_buffers::after(chunk_pipeline& on)
{
    order(on, on.compute(), *legacy_stream(on));
}

} // namespace gpufft
} // namespace gr
