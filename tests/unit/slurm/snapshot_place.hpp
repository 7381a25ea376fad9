// A folder of the test's own with a snapshot file in it.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

#include "libplanner/report/plan/snapshot.hpp"
#include "plugins/slurm/store/snapshot_file.hpp"
#include "tests/unit/read/some_snapshot.hpp"
#include "tests/unit/scratch_folder.hpp"

namespace hora::testing {

class SnapshotPlace : public ::testing::Test {
  protected:
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

    const tests::ScratchFolder scratch_;
    const std::string& folder_ = scratch_.path();
    const std::string path_ = scratch_.file("snapshot.json");
};

}  // namespace hora::testing
