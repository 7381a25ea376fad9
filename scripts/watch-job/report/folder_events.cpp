// When is it worth while to look into the checkpoint folder?
#include "scripts/watch-job/report/folder_events.hpp"

#include <sys/inotify.h>
#include <unistd.h>

#include <array>
#include <utility>

namespace hora::watch {

FolderEvents::FolderEvents(std::string folder)
    : folder_(std::move(folder)), descriptor_(inotify_init1(IN_NONBLOCK | IN_CLOEXEC)) {
    take();
}

void FolderEvents::take() {
    if (!descriptor_.is_open() || folder_.empty()) {
        return;
    }
    std::array<char, 4096> events;
    while (::read(descriptor(), events.data(), events.size()) > 0) {
    }
    // Of a folder that is followed already this changes nothing.
    inotify_add_watch(descriptor(), folder_.c_str(), IN_CREATE | IN_MOVED_TO | IN_ONLYDIR);
}

}  // namespace hora::watch
