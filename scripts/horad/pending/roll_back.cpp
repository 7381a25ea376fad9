// What gives a job back what it asked for before it was planned anew?
#include "scripts/horad/pending/roll_back.hpp"

#include <string>
#include <string_view>

#include "libplanner/read/cluster/decision_token.hpp"
#include "libplanner/report/jobs/decision_token.hpp"
#include "scripts/horad/pending/own_request.hpp"

namespace hora::horad {
namespace {

// What others have written beside Hora's word since stays.
std::string comment_before(const std::string& now, const std::string& before) {
    const std::string_view word = read::find_word(before);
    return word.empty() ? before : report::with_token(now, word);
}

}  // namespace

ReplacedPlan plan_of(const slurm::Job& job, const domain::Decision& next) {
    return {.job = job.id,
            .uid = job.uid,
            .submitted = next.submitted,
            .times = next.replanned.times,
            .shape = job.shape,
            .features = job.features,
            .prefer = job.prefer,
            .admin_comment = job.admin_comment,
            .priority = job.priority};
}

Expected<slurm::JobChange> roll_back(const slurm::Job& job, const domain::Decision& decision,
                                     const ReplacedPlan& before, bool computes_priorities) {
    if (const auto own = own_request(job, decision); !own) {
        return unexpected(own.error());
    }
    slurm::JobChange change;
    change.shape = before.shape;
    change.features = before.features;
    change.prefer = before.prefer;
    change.admin_comment = comment_before(job.admin_comment, before.admin_comment);
    change.is_of_impossible = true;
    change.forgets_priority = computes_priorities;
    if (!computes_priorities) {
        change.priority = before.priority;
    }
    return change;
}

}  // namespace hora::horad
