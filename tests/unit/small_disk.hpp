// A disk that takes nothing.
#pragma once

#include <gtest/gtest.h>
#include <sys/mount.h>

#include <string>

#include "tests/unit/scratch_folder.hpp"

namespace hora::tests {

// A disk of a few pages and files, where this process may mount one.
class SmallDisk {
  public:
    SmallDisk()
        : is_mounted_(
              ::mount("none", folder_.path().c_str(), "tmpfs", 0, "size=256k,nr_inodes=8") == 0) {}
    SmallDisk(const SmallDisk&) = delete;
    SmallDisk& operator=(const SmallDisk&) = delete;
    ~SmallDisk() {
        if (is_mounted_) {
            ::umount2(folder_.path().c_str(), MNT_DETACH);
        }
    }

    bool is_mounted() const { return is_mounted_; }
    const std::string& path() const { return folder_.path(); }
    void fill() const { folder_.write("filling", std::string(1 << 20, 'x')); }
    void use_up_files() const {
        for (int i = 0; i < 8; ++i) {
            folder_.write(std::to_string(i), "");
        }
    }
    void make_read_only() const { remount(MS_RDONLY); }
    void make_writable() const { remount(0); }

  private:
    void remount(unsigned long flags) const {
        EXPECT_EQ(::mount("none", path().c_str(), "tmpfs", MS_REMOUNT | flags, nullptr), 0);
    }

    const ScratchFolder folder_;
    const bool is_mounted_;
};

}  // namespace hora::tests
