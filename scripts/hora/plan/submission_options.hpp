// Which submission is meant by the options of `hora plan`?
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "libplanner/base/error.hpp"
#include "libplanner/domain/snapshot.hpp"
#include "libplanner/request/scope/submission.hpp"

namespace hora::scripts {

// What an sbatch would say beside the options of the job; empty: not said.
struct SubmissionOptions {
    std::string partition;
    std::string qos;
    std::string account;
    std::string user;
    std::string constraint;
    std::optional<std::uint32_t> nodes;
    std::string time;

    bool are_given() const {
        return !partition.empty() || !qos.empty() || !account.empty() || !user.empty() ||
               !constraint.empty() || nodes || !time.empty();
    }
};

// The script that sbatch would submit with them. `job`: by name, as --hora-... options have it. Of
// another user than the caller, `uid`, only as far as the snapshot names its users.
Expected<request::Submission> submission_of(const SubmissionOptions& options,
                                            const std::map<std::string, std::string>& job,
                                            std::uint32_t uid, const domain::Snapshot& snapshot);

}  // namespace hora::scripts
