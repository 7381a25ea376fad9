// A folder of a test's own, gone with it.
#pragma once

#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

namespace hora::tests {

class ScratchFolder {
  public:
    ScratchFolder() : path_((std::filesystem::temp_directory_path() / "hora.XXXXXX").string()) {
        if (mkdtemp(path_.data()) == nullptr) {
            path_.clear();
        }
    }
    ~ScratchFolder() {
        std::error_code error;
        std::filesystem::remove_all(path_, error);
    }
    ScratchFolder(const ScratchFolder&) = delete;
    ScratchFolder& operator=(const ScratchFolder&) = delete;

    std::string file(std::string_view name) const { return path_ + "/" + std::string(name); }
    const std::string& path() const { return path_; }
    void write(std::string_view name, std::string_view text) const {
        std::ofstream(file(name), std::ios::binary) << text;
    }
    void append(std::string_view name, std::string_view text) const {
        std::ofstream(file(name), std::ios::binary | std::ios::app) << text;
    }
    std::string read(std::string_view name) const {
        std::ifstream stream(file(name), std::ios::binary);
        return {std::istreambuf_iterator<char>(stream), {}};
    }

  private:
    std::string path_;
};

}  // namespace hora::tests
