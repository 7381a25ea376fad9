// Has only the call the rights of a job's owner?
#include "plugins/slurm/jobs/as_owner.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <thread>

namespace hora::slurm {
namespace {

constexpr std::uint32_t nobody = 65534;

TEST(AsOwner, OnlyTheCallHasTheOwnersRights) {
    if (::geteuid() != 0) {
        GTEST_SKIP() << "only root may take another user's rights";
    }
    uid_t inside = 0;
    gid_t group = 0;
    uid_t beside = nobody;
    ASSERT_TRUE(as_user(nobody, [&] {
        inside = ::geteuid();
        group = ::getegid();
        std::thread([&] { beside = ::geteuid(); }).join();
    }));
    EXPECT_EQ(inside, nobody);
    EXPECT_NE(group, 0U);
    EXPECT_EQ(beside, nobody) << "what the call starts is the owner's, too";
    EXPECT_EQ(::geteuid(), 0U);
    EXPECT_EQ(::getegid(), 0U);
    std::thread([&] { beside = ::geteuid(); }).join();
    EXPECT_EQ(beside, 0U);
}

TEST(AsOwner, WhoeverIsTheOwnerCallsAtOnce) {
    bool is_called = false;
    ASSERT_TRUE(as_user(::geteuid(), [&] { is_called = true; }));
    EXPECT_TRUE(is_called);
}

TEST(AsOwner, CallsNothingWithoutTheRight) {
    if (::geteuid() != 0) {
        GTEST_SKIP() << "only root may take another user's rights";
    }
    ASSERT_TRUE(as_user(nobody, [] {
        bool is_called = false;
        const auto refused = as_user(1, [&] { is_called = true; });
        EXPECT_FALSE(refused);
        EXPECT_FALSE(is_called);
    }));
}

}  // namespace
}  // namespace hora::slurm
