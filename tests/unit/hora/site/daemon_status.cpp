// Is what the daemon wrote last read, and is what keeps it from being read named?
#include "scripts/hora/site/daemon_status.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <string>

#include "libplanner/read/state/status.hpp"
#include "libplanner/report/jobs/status_json.hpp"
#include "tests/unit/read/some_status.hpp"
#include "tests/unit/scratch_folder.hpp"

namespace hora::scripts {
namespace {

class DaemonStatus : public ::testing::Test {
  protected:
    std::string why(const std::string& path) const {
        const auto status = read_daemon_status(path);
        return status ? "" : status.error().message;
    }
    const tests::ScratchFolder folder_;
    const std::string path_ = folder_.file("status.json");
};

TEST_F(DaemonStatus, IsReadWhole) {
    const domain::Status status = testing::small_status();
    folder_.write("status.json", report::to_json(status));
    EXPECT_EQ(read_daemon_status(path_).value(), status);
}

TEST_F(DaemonStatus, ThatIsMissingIsWrittenByADaemonToStart) {
    const std::string wanted = "there is no \"" + path_ +
                               "\", which horad writes; start it on the controller's host with "
                               "'systemctl enable --now horad', or see horad(8)";
    EXPECT_EQ(why(path_), wanted);
    std::filesystem::create_symlink(folder_.file("nothing"), path_);
    EXPECT_EQ(why(path_), wanted) << "a link to nothing";
    EXPECT_EQ(why("/nowhere/status.json").find("there is no \"/nowhere/status.json\""), 0U);
}

TEST_F(DaemonStatus, ThatCannotBeReadIsNamed) {
    std::filesystem::create_directory(path_);
    EXPECT_EQ(why(path_), "cannot read \"" + path_ + "\": Is a directory");
    folder_.write("file", "");
    EXPECT_EQ(why(folder_.file("file/status.json")),
              "cannot open \"" + folder_.file("file/status.json") + "\": Not a directory");
    for (const char* const text : {"", "{", "[]", "{\"format\":\"hora-status\"}", "\xff"}) {
        folder_.write("file", text);
        EXPECT_EQ(why(folder_.file("file")).find(folder_.file("file") + ": "), 0U) << text;
    }
    // Sparse: it takes no room on disk.
    std::filesystem::resize_file(folder_.file("file"), read::max_status_size + 1);
    EXPECT_NE(why(folder_.file("file")).find("is larger than"), std::string::npos);
}

}  // namespace
}  // namespace hora::scripts
