// Which jobs of a pool are to grow and shrink, and why does each other one stay as it is?
#include "libplanner/elastic/decide.hpp"

#include <fmt/format.h>

#include <utility>

#include "libplanner/base/counted.hpp"
#include "libplanner/elastic/same_size.hpp"
#include "libplanner/elastic/suspension.hpp"

namespace hora::elastic {
namespace {

std::string why_unchanged(const SeenJob& job, const Pool& pool) {
    if (!job.stays.empty()) {
        return job.stays;
    }
    if (job.gpus == 0) {
        return fmt::format("pending until {} are free; {} idle of {}", counted(job.asks, "GPU"),
                           pool.idle, pool.name);
    }
    if (job.gpus >= job.max) {
        return fmt::format("has all of the {} that it may have", counted(job.max, "GPU"));
    }
    if (pool.idle == 0) {
        return fmt::format("no idle GPUs of {}", pool.name);
    }
    return fmt::format("more of the {} of {} would not save enough time",
                       counted(pool.idle, "idle GPU"), pool.name);
}

std::vector<Unchanged> unchanged_of(const Pool& pool, const Decision& decision) {
    const auto changed = jobs_of({&decision.now, &decision.later});
    std::vector<Unchanged> unchanged;
    for (const SeenJob& job : pool.jobs) {
        if (!changed.contains(job.id)) {
            unchanged.push_back({job.id, why_unchanged(job, pool)});
        }
    }
    return unchanged;
}

}  // namespace

Decision decide(const Pool& pool, const Policy& policy) {
    Decision decision;
    const Question question = question_of(pool);
    if (!question.state.jobs.empty()) {
        const Allocation answer = policy.decide(question.state);
        Verdict verdict = judge(pool, question, answer);
        decision.held = held_back(pool, question, policy, answer, verdict);
        if (auto change = same_size(pool, question, verdict)) {
            verdict.now.push_back(*std::move(change));
        }
        if (auto change = suspension(pool, question, answer, verdict)) {
            verdict.now.push_back(*std::move(change));
        }
        decision.now = std::move(verdict.now);
        decision.later = std::move(verdict.later);
    }
    decision.unchanged = unchanged_of(pool, decision);
    return decision;
}

}  // namespace hora::elastic
