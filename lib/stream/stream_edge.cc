// SPDX-License-Identifier: GPL-3.0-or-later
//
// The table of edges.

#include "stream_edge.h"
#include "engine/forks.h"
#include <algorithm>
#include <map>
#include <mutex>
#include <set>
#include <spdlog/fmt/fmt.h>

namespace gr {
namespace gpufft {

namespace {

struct edge {
    int of_card = 0, of_either = 0; // announced readers
    int users = 0;                  // inputs and the output
    std::multiset<int> cards;       // cards that read
    shadow_ring::sptr ring;
};

// An edge exists as long as one of its ends, because a writer may be done before a reader
// has read anything.
std::mutex& s_edges_mutex = free_at_forks(process_mutex::edges, *new std::mutex);
std::map<const gr::buffer*, edge> s_edges;

void leave(const gr::buffer* buffer)
{
    const auto entry = s_edges.find(buffer);
    if (--entry->second.users == 0)
        s_edges.erase(entry);
}

std::string describe(int all, int on_card, bool to_host)
{
    if (!to_host)
        return fmt::format("device: all {} readers run on a card", all);
    if (on_card < all)
        return fmt::format(
            "device and host: {} of {} readers run on a card", on_card, all);
    return "device and host: on_error is cpu here or at a reader";
}

} // namespace

stream_edge::input::input(const gr::buffer_sptr& buffer,
                          reader can,
                          const std::vector<int>& cards)
    : d_buffer(buffer),
      d_can(can),
      d_cards(cards)
{
    const std::lock_guard<std::mutex> lock(s_edges_mutex);
    edge& at = s_edges[d_buffer.get()];
    ++at.users;
    at.of_card += d_can == reader::of_card;
    at.of_either += d_can == reader::of_either;
    at.cards.insert(d_cards.begin(), d_cards.end());
}

stream_edge::input::~input()
{
    const std::lock_guard<std::mutex> lock(s_edges_mutex);
    edge& at = s_edges[d_buffer.get()];
    at.of_card -= d_can == reader::of_card;
    at.of_either -= d_can == reader::of_either;
    for (const int card : d_cards)
        at.cards.erase(at.cards.find(card));
    leave(d_buffer.get());
}

shadow_ring::sptr stream_edge::input::ring() const
{
    const std::lock_guard<std::mutex> lock(s_edges_mutex);
    return d_can == reader::of_host ? nullptr : s_edges[d_buffer.get()].ring;
}

stream_edge::output::output(const gr::buffer_sptr& buffer,
                            const async_device::sptr& device,
                            bool keep_host,
                            std::size_t ahead,
                            common* with)
    : d_buffer(buffer)
{
    common alone;
    common& all_rings = with ? *with : alone;
    const std::lock_guard<std::mutex> lock(s_edges_mutex);
    edge& at = s_edges[d_buffer.get()];
    ++at.users;
    const int all = static_cast<int>(d_buffer->nreaders());
    const int on_card = at.of_card + at.of_either;
    const std::size_t bytes =
        std::size_t(d_buffer->bufsize()) * d_buffer->get_sizeof_item() + ahead;
    const auto cannot = std::find_if(at.cards.begin(), at.cards.end(), [&](int card) {
        return device != nullptr && !device->is_readable_from(card);
    });
    if (device == nullptr) {
        d_reason = "host: several cards take turns";
    } else if (on_card == 0) {
        d_reason = "host: no reader is a block of this module that runs on a card";
    } else if (cannot != at.cards.end()) {
        d_reason = fmt::format(
            "host: card {} cannot read from card {}", *cannot, device->index());
    } else if (bytes > all_rings.bytes) {
        d_reason = "host: the card has too little free memory for the ring";
    } else {
        const shadow_ring::sharing shared{
            keep_host || at.of_card < all,
            at.cards.count(device->index()) < at.cards.size(),
        };
        try {
            at.ring = std::make_shared<shadow_ring>(device, bytes, shared, all_rings.log);
            d_ring = at.ring;
            all_rings.bytes -= std::min(all_rings.bytes, d_ring->bytes());
            d_to_host = shared.with_host;
            d_reason = describe(all, on_card, d_to_host);
        } catch (const cuda_error& error) {
            d_reason = fmt::format("host: {}", error.what());
        }
    }
}

stream_edge::output::~output()
{
    const std::lock_guard<std::mutex> lock(s_edges_mutex);
    leave(d_buffer.get());
}

std::size_t stream_edge::count()
{
    const std::lock_guard<std::mutex> lock(s_edges_mutex);
    return s_edges.size();
}

} // namespace gpufft
} // namespace gr
