// Is a file that cannot be written a trouble until it can?
#include "scripts/horad/publish/logged_file.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>

#include "tests/unit/scratch_folder.hpp"

namespace hora::horad {
namespace {

TEST(LoggedFile, IsATroubleWhileItCannotBeWritten) {
    const tests::ScratchFolder folder;
    const std::string path = folder.file("below/status.json");
    testing::internal::CaptureStderr();
    Log log;
    for (int i = 0; i < 2; ++i) {
        write_logged(log, "status", path, "text", {});
    }
    ASSERT_EQ(log.troubles().size(), 1U);
    EXPECT_EQ(log.troubles().begin()->first, "status");
    EXPECT_NE(log.troubles().begin()->second.find(path), std::string::npos);
    std::filesystem::create_directory(folder.file("below"));
    write_logged(log, "status", path, "text", {.mode = 0640});
    EXPECT_TRUE(log.troubles().empty());
    EXPECT_EQ(folder.read("below/status.json"), "text");
    struct stat found {};
    ASSERT_EQ(::stat(path.c_str(), &found), 0);
    EXPECT_EQ(found.st_mode & 07777U, 0640U);
    const std::string said = testing::internal::GetCapturedStderr();
    EXPECT_EQ(said.find(path), said.rfind(path)) << "once: " << said;
}

}  // namespace
}  // namespace hora::horad
