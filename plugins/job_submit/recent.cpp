// Which decisions were taken a moment ago?
#include "plugins/job_submit/recent.hpp"

#include <utility>

namespace hora::submit {

std::shared_ptr<const Decided> Recent::find(const Question& question) const {
    const std::lock_guard lock(mutex_);
    for (const Entry& entry : entries_) {
        if (entry.question && *entry.question == question) {
            return entry.answer;
        }
    }
    return nullptr;
}

void Recent::keep(std::shared_ptr<const Question> question, std::shared_ptr<const Decided> answer) {
    if (!question->snapshot || !question->snapshot->reservations.empty()) {
        return;
    }
    Entry entry{std::move(question), std::move(answer)};
    const std::lock_guard lock(mutex_);
    // The oldest goes; its memory is freed after the lock, by whoever held it last.
    std::swap(entries_[next_], entry);
    next_ = (next_ + 1) % entries_.size();
}

}  // namespace hora::submit
