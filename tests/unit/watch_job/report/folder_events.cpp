// Does whoever waits for a checkpoint hear of each new name in its folder, and of nothing else?
#include "scripts/watch-job/report/folder_events.hpp"

#include <gtest/gtest.h>
#include <poll.h>

#include <filesystem>

#include "tests/unit/scratch_folder.hpp"

namespace hora::watch {
namespace {

bool has_news(const FolderEvents& events) {
    pollfd file{events.descriptor(), POLLIN, 0};
    return poll(&file, 1, 0) == 1;
}

TEST(FolderEvents, TellOfNamesThatComeUp) {
    const tests::ScratchFolder folder;
    folder.write("old", "text");
    FolderEvents events(folder.path());
    EXPECT_FALSE(has_news(events));
    folder.write("old", "more");
    EXPECT_FALSE(has_news(events)) << "a name that was there";
    folder.write("new", "text");
    EXPECT_TRUE(has_news(events)) << "a new file";
    events.take();
    EXPECT_FALSE(has_news(events)) << "that was taken";
    std::filesystem::rename(folder.file("new"), folder.file("READY"));
    EXPECT_TRUE(has_news(events)) << "a file that was renamed";
    events.take();
    std::filesystem::remove(folder.file("READY"));
    EXPECT_FALSE(has_news(events)) << "a name that goes";
}

TEST(FolderEvents, FollowAFolderThatComesLater) {
    const tests::ScratchFolder above;
    FolderEvents events(above.file("checkpoints"));
    EXPECT_FALSE(has_news(events));
    std::filesystem::create_directory(above.file("checkpoints"));
    events.take();
    above.write("checkpoints/READY", "1 0");
    EXPECT_TRUE(has_news(events));
}

TEST(FolderEvents, FollowNoFileAndNothing) {
    const tests::ScratchFolder folder;
    folder.write("file", "text");
    FolderEvents of_file(folder.file("file"));
    FolderEvents of_nothing("");
    folder.write("file", "more");
    folder.write("new", "text");
    EXPECT_FALSE(has_news(of_file));
    EXPECT_FALSE(has_news(of_nothing));
}

}  // namespace
}  // namespace hora::watch
