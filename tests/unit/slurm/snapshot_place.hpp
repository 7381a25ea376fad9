// A folder of the test's own with a snapshot file in it.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "libplanner/report/plan/snapshot.hpp"
#include "plugins/slurm/store/snapshot_file.hpp"
#include "tests/unit/read/some_snapshot.hpp"

namespace hora::testing {

class SnapshotPlace : public ::testing::Test {
  protected:
    SnapshotPlace() {
        std::string pattern = ::testing::TempDir() + "hora-snapshot-XXXXXX";
        folder_ = mkdtemp(pattern.data());
        path_ = folder_ + "/snapshot.json";
    }
    ~SnapshotPlace() override { std::filesystem::remove_all(folder_); }

    slurm::SnapshotSource source() const { return {path_, Seconds(60), ::geteuid()}; }

    // As the product does: beside it, then renamed.
    void write(const std::string& text) const {
        std::ofstream(path_ + ".new") << text;
        std::filesystem::rename(path_ + ".new", path_);
        std::filesystem::permissions(path_, std::filesystem::perms(0644));
    }
    static std::string text(std::int64_t written, std::uint32_t nodes = 2) {
        domain::Snapshot snapshot = large_snapshot(nodes, 4);
        snapshot.written = written;
        return report::to_json(snapshot);
    }

    std::string folder_;
    std::string path_;
};

}  // namespace hora::testing
