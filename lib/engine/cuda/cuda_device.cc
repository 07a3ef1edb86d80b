// SPDX-License-Identifier: GPL-3.0-or-later
//
// A card as the streaming layer sees it: streams, events, memory, copies.

#include "device.h"
#include "engine/step_arguments.h"
#include "kernel.h"
#include "ring_memory.h"
#include <algorithm>
#include <map>
#include <mutex>

namespace gr {
namespace gpufft {

namespace {

struct cuda_queue : async_device::queue {
    explicit cuda_queue(stream_uptr made) : owned(std::move(made)), stream(owned.get()) {}
    explicit cuda_queue(CUstream borrowed) : stream(borrowed) {}
    void* handle() const override { return stream; }
    const stream_uptr owned;
    const CUstream stream;
};

struct cuda_event : async_device::event {
    explicit cuda_event(event_uptr made) : event(std::move(made)) {}
    const event_uptr event;
};

struct cuda_memory : async_device::memory {
    cuda_memory(const device_context& context, memory_kind kind, std::size_t bytes)
        : buffer(context, kind)
    {
        buffer.reserve(bytes);
    }
    void* address() const override { return buffer.as(); }
    memory_buffer buffer;
};

class cuda_registration : public async_device::registration
{
public:
    cuda_registration(const device_context& context,
                      void* address,
                      std::size_t bytes,
                      std::shared_ptr<const void> owner)
        : d_context(context),
          d_guest(&context),
          d_address(address),
          d_owner(std::make_unique<std::shared_ptr<const void>>(std::move(owner)))
    {
        d_context.watch().call([&context, address, bytes, keep = *d_owner] {
            const device_context::scope scope(context);
            GPUFFT_CUDA(cuMemHostRegister(address,
                                          bytes,
                                          CU_MEMHOSTREGISTER_PORTABLE |
                                              CU_MEMHOSTREGISTER_DEVICEMAP));
        });
    }
    ~cuda_registration() override
    {
        try {
            if (!device_watch::any_hangs()) // a hanging device may use the memory
                d_context.watch().call([&context = d_context, address = d_address] {
                    const device_context::scope scope(
                        context, device_context::scope::purpose::to_release);
                    cuda().cuMemHostUnregister(address);
                });
        } catch (const std::exception&) {
            // the driver or the card is gone, and so is the registration
        }
        if (device_watch::any_hangs())
            d_owner.release(); // the device may still write to the memory
    }

private:
    const device_context& d_context;
    const device_context::guest d_guest;
    void* const d_address;
    std::unique_ptr<std::shared_ptr<const void>> d_owner;
};

CUstream stream_of(const async_device::queue& queue)
{
    return static_cast<const cuda_queue&>(queue).stream;
}

CUevent event_of(const async_device::event& event)
{
    return static_cast<const cuda_event&>(event).event.get();
}

class cuda_device : public async_device
{
public:
    explicit cuda_device(int index) : d_context(device_context::get(index)) {}

    int index() const override { return d_context.index(); }
    std::string name() const override { return d_context.name(); }

    std::shared_ptr<void> make_current() override
    {
        return std::make_shared<device_context::scope>(d_context);
    }

    std::unique_ptr<queue> make_queue() override
    {
        return std::make_unique<cuda_queue>(make_stream(d_context));
    }

    std::unique_ptr<queue> borrow_queue(void* handle) override
    {
        return std::make_unique<cuda_queue>(static_cast<CUstream>(handle));
    }

    std::shared_ptr<event> make_event(event_use use) override
    {
        // A thread with a limit polls, and needs no interrupt.
        const CUevent_flags awaited =
            device_patience::seconds() > 0 ? CU_EVENT_DEFAULT : CU_EVENT_BLOCKING_SYNC;
        return std::make_shared<cuda_event>(gpufft::make_event(
            d_context, use == event_use::awaited ? awaited : CU_EVENT_DISABLE_TIMING));
    }

    std::unique_ptr<memory> allocate(std::size_t bytes) override
    {
        return std::make_unique<cuda_memory>(d_context, memory_kind::device, bytes);
    }

    std::unique_ptr<memory> allocate_pinned(std::size_t bytes) override
    {
        return std::make_unique<cuda_memory>(d_context, memory_kind::pinned, bytes);
    }

    std::unique_ptr<ring> allocate_ring(std::size_t bytes) override
    {
        return d_context.watch().call([&context = d_context, bytes] {
            return std::make_unique<ring_memory>(context, bytes);
        });
    }
    bool is_readable_from(int other) const override
    {
        return can_access(other, d_context.index());
    }
    void reach_memory_of(const async_device& other) override
    {
        if (other.index() == index())
            return;
        const device_context& owner = static_cast<const cuda_device&>(other).d_context;
        d_context.watch().call([&user = d_context, &owner] {
            const device_context::scope scope(user);
            const CUresult result = cuda().cuCtxEnablePeerAccess(owner.handle(), 0);
            if (result != CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED)
                check_cuda(result, "cuCtxEnablePeerAccess", __FILE__, __LINE__);
        });
    }
    std::optional<int> owner_of(const void* address) override
    {
        const device_context::scope scope(d_context);
        unsigned kind = 0, is_managed = 0;
        int device = -1;
        // False for what the driver does not know.
        const auto ask = [&](void* answer, CUpointer_attribute what) {
            const CUresult result = cuda().cuPointerGetAttribute(
                answer, what, reinterpret_cast<CUdeviceptr>(address));
            if (result != CUDA_ERROR_INVALID_VALUE)
                check_cuda(result, "cuPointerGetAttribute", __FILE__, __LINE__);
            return result == CUDA_SUCCESS;
        };
        if (ask(&is_managed, CU_POINTER_ATTRIBUTE_IS_MANAGED) && is_managed != 0)
            return index();
        if (!ask(&kind, CU_POINTER_ATTRIBUTE_MEMORY_TYPE) ||
            kind != CU_MEMORYTYPE_DEVICE ||
            !ask(&device, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL))
            return std::nullopt;
        return device;
    }
    std::size_t free_bytes() override { return memory_of(d_context).free; }

    std::unique_ptr<registration>
    register_host(void* address,
                  std::size_t bytes,
                  std::shared_ptr<const void> owner) override
    {
        return std::make_unique<cuda_registration>(
            d_context, address, bytes, std::move(owner));
    }

    bool hangs() const override { return d_context.watch().hangs(); }

    bool computes_in_host_memory() const override
    {
        return d_context.reaches_host_memory();
    }

    void copy(queue& on, void* to, const void* from, std::size_t bytes) override
    {
        const device_context::scope scope(d_context);
        GPUFFT_CUDA(cuMemcpyAsync(reinterpret_cast<CUdeviceptr>(to),
                                  reinterpret_cast<CUdeviceptr>(from),
                                  bytes,
                                  stream_of(on)));
    }

    // Pitches that one copy cannot have take a copy for each row.
    void copy_rows(queue& on,
                   void* to,
                   std::size_t to_pitch,
                   const void* from,
                   std::size_t pitch,
                   std::size_t row_bytes,
                   std::size_t rows) override
    {
        if (std::max(to_pitch, pitch) > MOST_PITCH) {
            for (std::size_t row = 0; row < rows; ++row)
                copy(on,
                     static_cast<char*>(to) + row * to_pitch,
                     static_cast<const char*>(from) + row * pitch,
                     row_bytes);
            return;
        }
        CUDA_MEMCPY2D what = {};
        what.srcMemoryType = what.dstMemoryType = CU_MEMORYTYPE_UNIFIED;
        what.srcDevice = reinterpret_cast<CUdeviceptr>(from);
        what.srcPitch = pitch;
        what.dstDevice = reinterpret_cast<CUdeviceptr>(to);
        what.dstPitch = to_pitch;
        what.WidthInBytes = row_bytes;
        what.Height = rows;
        const device_context::scope scope(d_context);
        GPUFFT_CUDA(cuMemcpy2DAsync(&what, stream_of(on)));
    }

    void copy_between(queue& on,
                      const device_rows& to,
                      const device_rows& from,
                      std::size_t row_bytes,
                      std::size_t rows) override
    {
        if (rows > 1 && std::max(to.pitch, from.pitch) > MOST_PITCH) {
            for (std::size_t row = 0; row < rows; ++row)
                copy_between(
                    on,
                    { to.owner, static_cast<char*>(to.address) + row * to.pitch, 0 },
                    { from.owner,
                      static_cast<char*>(from.address) + row * from.pitch,
                      0 },
                    row_bytes,
                    1);
            return;
        }
        const auto context_of = [](const device_rows& there) {
            return static_cast<const cuda_device&>(there.owner).d_context.handle();
        };
        CUDA_MEMCPY3D_PEER what = {};
        what.srcMemoryType = what.dstMemoryType = CU_MEMORYTYPE_DEVICE;
        what.srcDevice = reinterpret_cast<CUdeviceptr>(from.address);
        what.srcContext = context_of(from);
        what.srcPitch = rows > 1 ? from.pitch : row_bytes;
        what.dstDevice = reinterpret_cast<CUdeviceptr>(to.address);
        what.dstContext = context_of(to);
        what.dstPitch = rows > 1 ? to.pitch : row_bytes;
        what.srcHeight = what.dstHeight = what.Height = rows;
        what.WidthInBytes = row_bytes;
        what.Depth = 1;
        const device_context::scope scope(d_context);
        GPUFFT_CUDA(cuMemcpy3DPeerAsync(&what, stream_of(on)));
    }

    void
    multiply(queue& on, void* points, const slab_twiddles& by, bool is_double) override
    {
        launch_on_points(on,
                         slab_twiddles_kernel(is_double),
                         by.rows * by.row_points,
                         twiddles_arguments_of(by, points));
    }
    void combine(queue& on,
                 void* to,
                 const void* from,
                 const slab_pairs& how,
                 bool is_double) override
    {
        launch_on_points(on,
                         slab_pairs_kernel(how.forward, is_double),
                         how.rows * how.pitch,
                         pairs_arguments_of(how, to, from));
    }

    void to_streams(queue& on, const stream_move& how) override
    {
        move(on, how, vectors_to_streams_kernel(how.item_bytes));
    }
    void from_streams(queue& on, const stream_move& how) override
    {
        move(on, how, streams_to_vectors_kernel(how.item_bytes));
    }

    void record(event& what, queue& on) override
    {
        const device_context::scope scope(d_context);
        GPUFFT_CUDA(cuEventRecord(event_of(what), stream_of(on)));
    }

    void wait(queue& on, const event& what) override
    {
        const device_context::scope scope(d_context);
        GPUFFT_CUDA(
            cuStreamWaitEvent(stream_of(on), event_of(what), CU_EVENT_WAIT_DEFAULT));
    }

    void synchronize(const event& what) override { d_context.wait_for(event_of(what)); }

    // Works also in a broken context, where the driver may still have to end queued work.
    void synchronize(queue& on) override { d_context.wait_for(stream_of(on)); }

    bool is_done(const event& what) override
    {
        const device_context::scope scope(d_context);
        const CUresult result = cuda().cuEventQuery(event_of(what));
        if (result == CUDA_ERROR_NOT_READY)
            return false;
        check_cuda(result, "cuEventQuery", __FILE__, __LINE__);
        return true;
    }

    double seconds(const event& from, const event& to) override
    {
        const device_context::scope scope(d_context);
        float milliseconds = 0;
        GPUFFT_CUDA(cuEventElapsedTime(&milliseconds, event_of(from), event_of(to)));
        return 1e-3 * milliseconds;
    }

private:
    // Blocks of a kernel that moves streams. Over the link, some 30 fill one direction,
    // and more only lengthen the line of stores in which an upload's requests wait: on an
    // H100 264 blocks store 49 GB/s beside an upload of 29, 33 blocks 47 beside 47.
    static constexpr std::size_t LINK_BLOCKS = 32;
    static constexpr std::size_t BLOCKS = 2; // on each multiprocessor

    void move(queue& on, const stream_move& how, const kernel_instance& instance)
    {
        const device_context::scope scope(d_context);
        kernel_of(instance).launch(how.over_link ? LINK_BLOCKS
                                                 : BLOCKS * d_context.multiprocessors(),
                                   1,
                                   streams_arguments_of(how),
                                   stream_of(on));
    }

    template <class Arguments>
    void launch_on_points(queue& on,
                          const kernel_instance& instance,
                          std::size_t points,
                          const Arguments& arguments)
    {
        constexpr std::size_t WAVES = 16; // blocks of a multiprocessor
        const device_context::scope scope(d_context);
        const std::size_t blocks =
            (points + instance.block_threads - 1) / instance.block_threads;
        kernel_of(instance).launch(
            std::clamp<std::size_t>(blocks, 1, WAVES * d_context.multiprocessors()),
            1,
            arguments,
            stream_of(on));
    }

    const kernel& kernel_of(const kernel_instance& instance)
    {
        const std::lock_guard<std::mutex> lock(d_kernels_mutex);
        const std::pair key(instance.expression(), instance.is_double);
        const auto found = d_kernels.find(key);
        if (found != d_kernels.end())
            return found->second;
        return d_kernels.try_emplace(key, d_context, instance).first->second;
    }

    // Limit of a copy's pitch on all cards, see CU_DEVICE_ATTRIBUTE_MAX_PITCH.
    static constexpr std::size_t MOST_PITCH = (std::size_t(1) << 31) - 1;

    const device_context& d_context;
    std::mutex d_kernels_mutex;
    // by expression and precision; none is ever removed
    std::map<std::pair<std::string, bool>, kernel> d_kernels;
};

} // namespace

async_device::sptr make_cuda_device(int index)
{
    return std::make_shared<cuda_device>(index);
}

std::string broken_reason(int device) { return device_context::broken_reason(device); }

} // namespace gpufft
} // namespace gr
