// Which workloads came along lately?
#include "plugins/job_submit/known_workloads.hpp"

#include <algorithm>
#include <utility>

#include "libplanner/read/model/workload_text.hpp"

namespace hora::submit {

std::shared_ptr<const domain::Workload> KnownWorkloads::known(const std::string& text) const {
    const std::lock_guard lock(mutex_);
    const auto at = std::ranges::find(entries_, text, &Entry::text);
    return at == entries_.end() ? nullptr : at->workload;
}

std::shared_ptr<const domain::Workload> KnownWorkloads::find(const std::string& text) {
    if (text.empty()) {
        return nullptr;
    }
    if (auto workload = known(text)) {
        return workload;
    }
    auto workload = read::read_workload_text(text);
    if (!workload) {
        return nullptr;
    }
    Entry entry{text, std::make_shared<const domain::Workload>(*std::move(workload))};
    auto found = entry.workload;
    const std::lock_guard lock(mutex_);
    // The oldest goes; its memory is freed after the lock.
    std::swap(entries_[next_], entry);
    next_ = (next_ + 1) % entries_.size();
    return found;
}

}  // namespace hora::submit
