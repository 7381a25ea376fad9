// `hora plan --partition NAME`: what would this job get if it were submitted to the site?
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "libplanner/base/error.hpp"
#include "libplanner/read/settings/settings.hpp"
#include "libplanner/request/rewrite/spelling.hpp"
#include "scripts/hora/command/command.hpp"
#include "scripts/hora/plan/submission_options.hpp"

namespace hora::scripts {

// For messages.
constexpr std::string_view submission_option_names =
    "--partition, --qos, --account, --user, --constraint, --nodes and --time";

void add_submission_options(CLI::App& command, SubmissionOptions& options);

struct SubmissionToPlan {
    const SubmissionOptions& site;
    const std::map<std::string, std::string>& job;  // by name, as --hora-... options have it
    std::optional<std::uint64_t> sequence;
    request::SpellGpus spell;
    bool is_json = false;
};

// Prints the plan. `path`: of a snapshot.
Expected<Exit> plan_submission(const SubmissionToPlan& to_plan, const std::string& path,
                               const read::Settings& settings);

}  // namespace hora::scripts
