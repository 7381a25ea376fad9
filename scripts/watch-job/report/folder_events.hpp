// When is it worth while to look into the checkpoint folder?
#pragma once

#include <string>

#include "plugins/slurm/store/descriptor.hpp"

namespace hora::watch {

// Tells by inotify that a name came up in the folder. On a network file system it tells nothing of
// other nodes: whoever waits looks every now and then all the same.
class FolderEvents {
  public:
    explicit FolderEvents(std::string folder);

    // To wait on; below 0 where there is nothing to be had.
    int descriptor() const { return descriptor_.number(); }
    // Forgets what has happened, and follows a folder that is there only now.
    void take();

  private:
    std::string folder_;
    slurm::Descriptor descriptor_;
};

}  // namespace hora::watch
