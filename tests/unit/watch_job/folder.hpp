// A folder of a test's own, gone with the test.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace hora::watch {

class Folder {
  public:
    Folder() {
        std::string name = testing::TempDir() + "hora-watch.XXXXXX";
        path_ = mkdtemp(name.data());
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    ~Folder() { std::filesystem::remove_all(path_); }

    const std::string& path() const { return path_; }
    void append(const std::string& name, const std::string& text) const {
        std::ofstream(path_ + "/" + name, std::ios::app) << text;
    }

  private:
    std::string path_;
};

}  // namespace hora::watch
