// When is it worth while to look into the checkpoint folder?
#pragma once

#include <string>

namespace hora::watch {

// Tells by inotify that a name came up in the folder. On a network file system it tells nothing of
// other nodes: whoever waits looks every now and then all the same.
class FolderEvents {
  public:
    explicit FolderEvents(std::string folder);
    FolderEvents(const FolderEvents&) = delete;
    FolderEvents& operator=(const FolderEvents&) = delete;
    ~FolderEvents();

    // To wait on; below 0 where there is nothing to be had.
    int descriptor() const { return descriptor_; }
    // Forgets what has happened, and follows a folder that is there only now.
    void take();

  private:
    std::string folder_;
    int descriptor_ = -1;
};

}  // namespace hora::watch
