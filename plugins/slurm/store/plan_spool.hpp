// Where do records of plans lie between the plugin that makes them and the daemon that keeps them?
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "libplanner/base/error.hpp"
#include "libplanner/domain/decision.hpp"

namespace hora::slurm {

// So many records may wait for a daemon that does not run; what comes then is not spooled.
constexpr std::size_t most_waiting_plans = 10'000;

// Below the daemon's own folder (horad.state).
std::string plan_folder(const std::string& state);

// One folder. horad makes it where it keeps plans, and removes it where it does not; one file a
// record, named by its key, never changed.
class PlanSpool {
  public:
    explicit PlanSpool(std::string folder) : folder_(std::move(folder)) {}

    // Keeps the decision under a new key and returns the word for the job. `now`: seconds since the
    // epoch. A file appears whole or not at all; it is not synced. Fails where the folder is
    // missing or cannot be written to.
    Expected<std::string> keep(const domain::Decision& decision, std::int64_t now) const;

    // Empty where there is no such record. Fails on one that somebody else than root and
    // `trusted_user` wrote or may write.
    Expected<std::optional<std::string>> read(std::string_view key, uid_t trusted_user) const;

    // The keys of at most so many records; none where there is no folder.
    std::vector<std::string> keys(std::size_t most) const;

    void remove(std::string_view key) const;
    // Files that a writer that died left half written more than a minute ago.
    void remove_torn() const;

    const std::string& folder() const { return folder_; }

  private:
    std::string path_of(std::string_view key) const;

    std::string folder_;
};

// The word for a job whose decision could not be spooled holds all of it.
std::string keep_or_embed(const PlanSpool& spool, const domain::Decision& decision,
                          std::int64_t now);

}  // namespace hora::slurm
