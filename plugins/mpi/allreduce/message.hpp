// What does a message between two ranks hold?
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace hora::mpi {

// `absent`: the sender's part of this piece, first = last, went to the owner; there is no payload.
enum class ItemKind : std::uint32_t { partial, result, absent };

// One piece of one reduction: on the ring a piece of its layout, a partial of which sums the parts
// of the ranks at the positions first ... last (layout.hpp); on levels (levels.hpp) a lane, `first`
// being the level and `last` the sender's digit there.
struct ItemHeader {
    std::uint32_t reduction = 0;  // counted from 0 on each communicator, modulo 2^32
    std::uint32_t piece = 0;
    std::uint32_t first = 0;
    std::uint32_t last = 0;
    ItemKind kind = ItemKind::partial;
    std::uint32_t bytes = 0;

    friend bool operator==(const ItemHeader&, const ItemHeader&) = default;
};

// An empty piece is not sent; an absence has no payload.
constexpr bool is_sent(const ItemHeader& header, std::size_t payload) {
    return payload > 0 || header.kind == ItemKind::absent;
}

struct Item {
    ItemHeader header;
    std::span<std::byte> payload;
};

// A message is the number of its items, their headers, and their payloads, each at a multiple of
// eight bytes.
constexpr std::size_t message_head = 8;

constexpr std::size_t padded(std::size_t bytes) {
    return (bytes + 7) / 8 * 8;
}

constexpr std::size_t bytes_in_message(std::size_t payload) {
    return sizeof(ItemHeader) + padded(payload);
}

// The head, to be sent before the payloads.
std::vector<std::byte> write_head(std::span<const ItemHeader> items);

// Throws std::runtime_error for what write_head() did not begin: then the ranks do not run the same
// program.
std::vector<Item> read_message(std::span<std::byte> message);

}  // namespace hora::mpi
