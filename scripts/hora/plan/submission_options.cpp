// Which submission is meant by the options of `hora plan`?
#include "scripts/hora/plan/submission_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "libplanner/base/lower_case.hpp"
#include "libplanner/read/quoted.hpp"
#include "libplanner/read/slurm/slurm_time.hpp"
#include "libplanner/read/words.hpp"

namespace hora::scripts {
namespace {

Expected<std::uint32_t> uid_of(const std::string& user, const domain::Snapshot& snapshot) {
    const auto found = std::find_if(snapshot.users.begin(), snapshot.users.end(),
                                    [&](const domain::User& known) { return known.name == user; });
    if (found == snapshot.users.end()) {
        return wrong_use(fmt::format("--user: the snapshot knows no user {}", read::quoted(user)));
    }
    return found->uid;
}

// sbatch counts in whole minutes, and takes 0 and these words for no limit.
Expected<std::optional<Seconds>> limit_of(const std::string& time) {
    if (time.empty() || time == "-1" || is_same_word(time, "infinite") ||
        is_same_word(time, "unlimited")) {
        return std::nullopt;
    }
    const auto limit = read::parse_slurm_time(time);
    if (!limit) {
        return wrong_use("--time: " + limit.error().message);
    }
    const Seconds whole(60 * std::ceil(limit->count() / 60));
    return whole > Seconds(0) ? std::optional(whole) : std::nullopt;
}

Expected<void> read_request(const SubmissionOptions& options, request::Submission& submission) {
    submission.is_batch = true;
    submission.min_cpus = options.nodes.value_or(1);  // as sbatch says it for its user
    submission.partitions = read::given_words(options.partition);
    submission.qos = options.qos;
    submission.account = options.account;
    submission.features = options.constraint;
    submission.min_nodes = options.nodes;
    submission.max_nodes = options.nodes;
    return limit_of(options.time).map([&](const std::optional<Seconds>& limit) {
        submission.time_limit = limit;
    });
}

}  // namespace

Expected<request::Submission> submission_of(const SubmissionOptions& options,
                                            const std::map<std::string, std::string>& job,
                                            std::uint32_t uid, const domain::Snapshot& snapshot) {
    request::Submission submission;
    if (auto done = read_request(options, submission); !done) {
        return unexpected(done.error());
    }
    const auto owner = options.user.empty() ? uid : uid_of(options.user, snapshot);
    if (!owner) {
        return unexpected(owner.error());
    }
    submission.uid = *owner;
    for (const auto& [name, value] : job) {
        if (!value.empty()) {
            std::string option = name;
            std::replace(option.begin(), option.end(), '-', '_');
            submission.options.emplace_back(std::move(option), value);
        }
    }
    return submission;
}

}  // namespace hora::scripts
