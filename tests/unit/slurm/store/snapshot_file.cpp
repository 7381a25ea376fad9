#include "plugins/slurm/store/snapshot_file.hpp"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include "libplanner/read/state/snapshot.hpp"
#include "tests/unit/slurm/snapshot_place.hpp"

namespace hora::slurm {
namespace {

using ::testing::HasSubstr;
using SnapshotFileTest = hora::testing::SnapshotPlace;

TEST_F(SnapshotFileTest, AGoodFileIsReadOnceAndIsNewsOnce) {
    write(text(1000));
    SnapshotFile file(source());
    const auto first = file.look(1010);
    ASSERT_TRUE(first.has_value()) << first.error().message;
    EXPECT_TRUE(file.is_news());
    EXPECT_EQ((*first)->cluster.nodes.size(), 2u);
    const auto second = file.look(1020);
    EXPECT_EQ(*second, *first) << "the same file is not parsed again";
    EXPECT_FALSE(file.is_news());
    write(text(1020, 3));
    const auto third = file.look(1021);
    EXPECT_EQ((*third)->cluster.nodes.size(), 3u);
    EXPECT_FALSE(file.is_news()) << "good after good";
}

TEST_F(SnapshotFileTest, EachChangeForTheWorseIsNewsOnce) {
    SnapshotFile file(source());
    const auto expect = [&](std::int64_t now, const char* message) {
        const auto bad = file.look(now);
        ASSERT_FALSE(bad.has_value()) << message;
        EXPECT_THAT(bad.error().message, HasSubstr(message));
        EXPECT_THAT(bad.error().message, HasSubstr(path_));
        EXPECT_TRUE(file.is_news()) << message;
        static_cast<void>(file.look(now));
        EXPECT_FALSE(file.is_news()) << message;
    };
    expect(1000, "is missing; write it with 'hora cluster snapshot'");
    write(text(1000));
    expect(1061, "is 61 s old, at most 60 s");
    write(text(1000));
    expect(900, "was written 100 s from now");
    write(text(1000).substr(0, 100));
    expect(1000, "is torn");
    write(text(1000).substr(0, 101));
    expect(1000, "is torn");
    write(text(1000));
    EXPECT_TRUE(file.look(1001).has_value());
    EXPECT_TRUE(file.is_news());
    std::filesystem::remove(path_);
    expect(1001, "is missing");
}

TEST_F(SnapshotFileTest, WhatAnybodyCouldHavePutThereIsNotTrusted) {
    SnapshotFile file(source());
    const auto message = [&] {
        const auto bad = file.look(1000);
        return bad ? "it was read" : bad.error().message;
    };
    write(text(1000));
    ASSERT_EQ(::chmod(path_.c_str(), 0664), 0);
    std::filesystem::rename(path_, path_ + ".other");
    std::filesystem::rename(path_ + ".other", path_);
    EXPECT_THAT(message(), HasSubstr("can be written by others (mode 0664)"));

    std::filesystem::rename(path_, path_ + ".real");
    std::filesystem::create_symlink(path_ + ".real", path_);
    EXPECT_THAT(message(), HasSubstr("is a symbolic link"));

    std::filesystem::remove(path_);
    ASSERT_EQ(::mkfifo(path_.c_str(), 0644), 0);
    EXPECT_THAT(message(), HasSubstr("is not a regular file"));

    std::filesystem::remove(path_);
    std::filesystem::create_directory(path_);
    EXPECT_THAT(message(), HasSubstr("is not a regular file"));

    std::filesystem::remove(path_);
    write("");
    std::filesystem::resize_file(path_, read::max_snapshot_size + 1);
    EXPECT_THAT(message(), HasSubstr("bytes long, at most"));
}

TEST_F(SnapshotFileTest, AFileWhoseModeIsMendedIsRead) {
    write(text(1000));
    ASSERT_EQ(::chmod(path_.c_str(), 0664), 0);
    SnapshotFile file(source());
    EXPECT_FALSE(file.look(1000).has_value());
    ASSERT_EQ(::chmod(path_.c_str(), 0644), 0);
    EXPECT_TRUE(file.look(1000).has_value());
}

TEST_F(SnapshotFileTest, AStrangersFileIsNotTrusted) {
    if (::geteuid() != 0) {
        GTEST_SKIP() << "only root can give a file away";
    }
    write(text(1000));
    ASSERT_EQ(::chown(path_.c_str(), 65534, 65534), 0);
    EXPECT_FALSE(SnapshotFile(source()).look(1000).has_value());
    SnapshotSource slurm_user = source();
    slurm_user.trusted_user = 65534;
    EXPECT_TRUE(SnapshotFile(slurm_user).look(1000).has_value());
}

}  // namespace
}  // namespace hora::slurm
