// Where does this host know plans from that jobs carry only the key of?
// Settings read: history.path, horad.state.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "libplanner/read/settings/settings.hpp"
#include "scripts/history/database.hpp"
#include "scripts/hora/jobs/find_plan.hpp"

namespace hora::scripts {

// As far as the caller may read them. slurm_init() has been called.
class SitePlans {
  public:
    SitePlans();

    // As find_plan(). Where the plan is elsewhere and not found, the error says why the history, or
    // the settings, could not be read, if they could not.
    Expected<std::optional<domain::Decision>> find(std::string_view comment);
    // The word for the comment; it holds all of the decision where the caller may leave no records,
    // or the settings do not say where.
    std::string keep(const domain::Decision& decision) const;

  private:
    explicit SitePlans(const Expected<read::Settings>& settings);

    std::optional<slurm::PlanSpool> spool_;  // empty: the settings cannot be read
    uid_t slurm_user_ = 0;
    std::optional<history::Database> database_;
    std::string why_unread_;
};

}  // namespace hora::scripts
