// Which decisions were taken a moment ago?
#include "plugins/job_submit/recent.hpp"

#include <utility>

namespace hora::submit {

std::shared_ptr<const Answer> Recent::find(const Question& question) const {
    const std::lock_guard lock(mutex_);
    for (const auto& entry : entries_) {
        if (entry && entry->question == question) {
            return entry->answer;
        }
    }
    return nullptr;
}

void Recent::keep(const Question& question, std::shared_ptr<const Answer> answer) {
    if (!question.snapshot->reservations.empty()) {
        return;
    }
    auto entry = std::make_shared<const Entry>(question, std::move(answer));
    const std::lock_guard lock(mutex_);
    // The oldest goes; its memory is freed by whoever held it last.
    entries_[next_] = std::move(entry);
    next_ = (next_ + 1) % entries_.size();
}

}  // namespace hora::submit
