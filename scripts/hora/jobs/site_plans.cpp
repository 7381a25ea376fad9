// Where does this host know plans from that jobs carry only the key of?
#include "scripts/hora/jobs/site_plans.hpp"

#include <ctime>
#include <utility>

#include "libplanner/read/state/decision_token.hpp"
#include "libplanner/report/jobs/decision_token.hpp"
#include "plugins/slurm/messages.hpp"
#include "scripts/hora/site/site.hpp"

namespace hora::scripts {

SitePlans::SitePlans() : SitePlans(load_settings()) {}

SitePlans::SitePlans(const Expected<read::Settings>& settings) {
    if (const auto configuration = slurm::load_configuration()) {
        slurm_user_ = (*configuration)->slurm_user_id;
    }
    if (!settings) {
        why_unread_ = settings.error().message;
        return;
    }
    spool_.emplace(slurm::plan_folder(settings->get<std::string>("horad.state")));
    auto opened =
        history::Database::open(settings->get<std::string>("history.path"), history::Access::read);
    if (opened) {
        database_.emplace(*std::move(opened));
    } else {
        why_unread_ = opened.error().message;
    }
}

Expected<std::optional<domain::Decision>> SitePlans::find(std::string_view comment) {
    if (!read::find_plan_word(comment)) {
        return read::find_decision(comment);
    }
    if (!spool_) {
        return failure(why_unread_);
    }
    auto decision = find_plan(comment, {.spool = *spool_,
                                        .slurm_user = slurm_user_,
                                        .database = database_ ? &*database_ : nullptr});
    return decision || why_unread_.empty() ? decision : failure(why_unread_);
}

std::string SitePlans::keep(const domain::Decision& decision) const {
    return spool_ ? slurm::keep_or_embed(*spool_, decision,
                                         static_cast<std::int64_t>(std::time(nullptr)))
                  : report::to_token(decision);
}

}  // namespace hora::scripts
