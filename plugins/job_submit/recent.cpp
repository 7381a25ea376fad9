// Which decisions were taken a moment ago?
#include "plugins/job_submit/recent.hpp"

#include <utility>

namespace hora::submit {

std::shared_ptr<const Decided> Recent::find(const Question& question) const {
    return latest_.find(
        [&](const Entry& entry) { return entry.question && *entry.question == question; },
        &Entry::answer);
}

void Recent::keep(std::shared_ptr<const Question> question, std::shared_ptr<const Decided> answer) {
    if (!question->snapshot || !question->snapshot->reservations.empty()) {
        return;
    }
    latest_.keep({std::move(question), std::move(answer)});
}

}  // namespace hora::submit
