// A folder with settings and a snapshot, and the site that reads them.
#pragma once

#include <chrono>
#include <filesystem>
#include <fstream>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>

#include "libplanner/report/plan/snapshot.hpp"
#include "plugins/job_submit/site.hpp"
#include "tests/unit/scratch_folder.hpp"

namespace hora::submit {

class Place {
  public:
    // `settings`: lines of hora.toml, in the mode act.
    explicit Place(const domain::Snapshot& snapshot, const std::string& settings = {}) {
        std::ofstream(folder_ / "snapshot.json") << report::to_json(snapshot);
        change(settings);
        site_ = std::make_unique<Site>((folder_ / "hora.toml").string());
        const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(60);
        while (!site_->snapshot()) {
            if (std::chrono::steady_clock::now() > limit) {
                throw std::runtime_error("the snapshot was not read within 60 s");
            }
            std::this_thread::yield();
        }
    }
    Place(const Place&) = delete;
    Place& operator=(const Place&) = delete;

    // Other lines of hora.toml, in force once the site has seen the new file.
    void change(const std::string& settings) const {
        std::ofstream(folder_ / "hora.toml.new")
            << "mode = \"act\"\n[snapshot]\nmax_age = \"10000 s\"\npath = \""
            << (folder_ / "snapshot.json").string() << "\"\n"
            << "[horad]\nstate = \"" << folder_.string() << "\"\n"
            << settings;
        std::filesystem::rename(folder_ / "hora.toml.new", folder_ / "hora.toml");
    }

    Site& site() { return *site_; }

  private:
    const tests::ScratchFolder scratch_;
    const std::filesystem::path folder_ = scratch_.path();
    std::unique_ptr<Site> site_;
};

}  // namespace hora::submit
