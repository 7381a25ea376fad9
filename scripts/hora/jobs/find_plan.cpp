// What did Hora decide about a job, by what stands in its administrator's comment?
#include "scripts/hora/jobs/find_plan.hpp"

#include <fmt/format.h>

#include <string>

#include "libplanner/read/state/decision_token.hpp"

namespace hora::scripts {
namespace {

// The daemon takes a record into the database before it removes the file: looked up in this order,
// one of the two has it at any moment.
Expected<std::optional<std::string>> record_of(const std::string& key, const PlanPlaces& places) {
    auto spooled = places.spool.read(key, places.slurm_user);
    const bool is_there = spooled && *spooled;
    if (is_there || places.database == nullptr) {
        return spooled;
    }
    auto kept = places.database->plan(key);
    // One that waits and cannot be read is not missing.
    const bool is_missing = kept && !*kept;
    return is_missing && !spooled ? spooled : kept;
}

}  // namespace

Expected<std::optional<domain::Decision>> find_plan(std::string_view comment,
                                                    const PlanPlaces& places) {
    const auto word = read::find_plan_word(comment);
    if (!word) {
        return read::find_decision(comment);
    }
    const auto record = record_of(word->key, places);
    if (!record) {
        return unexpected(record.error());
    }
    if (!*record) {
        return failure(fmt::format("the plan \"{}\" is not in horad's database", word->key));
    }
    return read::read_record(**record).map(
        [](domain::Decision&& decision) { return std::optional(std::move(decision)); });
}

}  // namespace hora::scripts
