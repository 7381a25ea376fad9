// Which workloads came along lately?
#include "plugins/job_submit/known_workloads.hpp"

#include <utility>

#include "libplanner/read/model/workload_text.hpp"

namespace hora::submit {

std::shared_ptr<const domain::Workload> KnownWorkloads::find(const std::string& text) {
    if (text.empty()) {
        return nullptr;
    }
    if (auto known = latest_.find([&](const Entry& entry) { return entry.text == text; },
                                  &Entry::workload)) {
        return known;
    }
    auto parsed = read::read_workload_text(text);
    if (!parsed) {
        return nullptr;
    }
    auto workload = std::make_shared<const domain::Workload>(*std::move(parsed));
    latest_.keep({text, workload});
    return workload;
}

}  // namespace hora::submit
