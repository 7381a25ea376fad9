#include "plugins/mpi/allreduce/message.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <vector>

namespace hora::mpi {
namespace {

std::vector<std::byte> bytes_of(const std::string& text) {
    std::vector<std::byte> bytes;
    for (const char c : text) {
        bytes.push_back(static_cast<std::byte>(c));
    }
    return bytes;
}

std::vector<std::byte> message_of(const std::vector<std::string>& payloads) {
    std::vector<ItemHeader> headers;
    for (const std::string& payload : payloads) {
        headers.push_back({.reduction = 7,
                           .piece = static_cast<std::uint32_t>(headers.size()),
                           .kind = ItemKind::result,
                           .bytes = static_cast<std::uint32_t>(payload.size())});
    }
    std::vector<std::byte> message = write_head(headers);
    for (const std::string& payload : payloads) {
        const auto bytes = bytes_of(payload);
        message.insert(message.end(), bytes.begin(), bytes.end());
        message.resize(message.size() + padded(bytes.size()) - bytes.size());
    }
    return message;
}

TEST(Message, HoldsItemsAtMultiplesOfEightBytes) {
    const std::vector<std::string> payloads = {"one", "", "of sixteen bytes", "last"};
    std::vector<std::byte> message = message_of(payloads);
    const auto items = read_message(message);
    ASSERT_EQ(items.size(), payloads.size());
    for (std::size_t i = 0; i < items.size(); ++i) {
        EXPECT_EQ(items[i].header.piece, i);
        EXPECT_EQ(items[i].header.kind, ItemKind::result);
        EXPECT_EQ((items[i].payload.data() - message.data()) % 8, 0);
        EXPECT_EQ(std::vector(items[i].payload.begin(), items[i].payload.end()),
                  bytes_of(payloads[i]));
    }
}

TEST(Message, IsNotReadWhereItIsDamaged) {
    const std::vector<std::byte> whole = message_of({"one", "two"});
    for (std::size_t size = 0; size < whole.size(); ++size) {
        std::vector<std::byte> part(whole.begin(), whole.begin() + static_cast<long>(size));
        EXPECT_THROW(read_message(part), std::runtime_error) << size;
    }
    std::vector<std::byte> too_many = whole;
    too_many[3] = std::byte{0xff};
    EXPECT_THROW(read_message(too_many), std::runtime_error);
}

}  // namespace
}  // namespace hora::mpi
