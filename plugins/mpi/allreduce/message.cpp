// What does a message between two ranks hold?
#include "plugins/mpi/allreduce/message.hpp"

#include <cstring>
#include <stdexcept>

namespace hora::mpi {

std::vector<std::byte> write_head(std::span<const ItemHeader> items) {
    std::vector<std::byte> head(message_head + items.size_bytes());
    const std::uint64_t count = items.size();
    std::memcpy(head.data(), &count, sizeof count);
    std::memcpy(head.data() + message_head, items.data(), items.size_bytes());
    return head;
}

std::vector<Item> read_message(std::span<std::byte> message) {
    const auto require = [](bool holds) {
        if (!holds) {
            throw std::runtime_error("hora: a message of an all-reduce is damaged");
        }
    };
    std::uint64_t count = 0;
    require(message.size() >= message_head);
    std::memcpy(&count, message.data(), sizeof count);
    require(count <= (message.size() - message_head) / sizeof(ItemHeader));

    std::vector<Item> items(count);
    std::size_t at = message_head + count * sizeof(ItemHeader);
    for (std::size_t i = 0; i < count; ++i) {
        ItemHeader& header = items[i].header;
        std::memcpy(&header, message.data() + message_head + i * sizeof header, sizeof header);
        require(header.bytes <= message.size() - at);
        items[i].payload = message.subspan(at, header.bytes);
        at += padded(header.bytes);
        require(at <= message.size());
    }
    return items;
}

}  // namespace hora::mpi
