// Where do all jobs stand at this moment of a simulation, and what changes next?
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "libplanner/domain/elastic.hpp"
#include "libplanner/domain/job_trace.hpp"
#include "libplanner/elastic/idle_window.hpp"
#include "libplanner/elastic/judge.hpp"
#include "libplanner/elastic/policies/policy.hpp"
#include "libplanner/sim/active_job.hpp"
#include "libplanner/sim/event_queue.hpp"
#include "libplanner/sim/knowledge.hpp"
#include "libplanner/sim/placement.hpp"
#include "libplanner/sim/result.hpp"
#include "libplanner/sim/simulate.hpp"

namespace hora::sim {

class Simulation {
  public:
    // All three outlive it.
    Simulation(const domain::JobTrace& trace, const elastic::Policy& policy, const Setup& setup);

    // Whether a job is still to come or to end.
    bool has_next() const;
    // On to the next moment at which something happens or is decided.
    void step();
    bool wants_decision() const { return wants_decision_; }
    // Asks the policy and does what it says; what it did wrong, or nothing.
    std::string decide();
    Result take_result() { return std::move(result_); }

  private:
    void show_queue();
    void show(std::uint32_t job);
    Seconds next_moment();
    void take_events();
    void end(std::size_t place);
    void measure(const ActiveJob& active);
    void refresh(std::size_t place);
    void schedule_end(std::size_t place);
    void refresh_all();
    void look_up(std::size_t place);
    bool is_settled() const;
    bool is_stuck() const;
    std::string play_policy();
    void apply(const std::vector<std::uint32_t>& gpus);
    void play_daemon();
    void start_pending();
    Seconds limit_left(std::size_t place) const;
    std::uint32_t first_size(const domain::TraceJob& job) const;
    bool is_even(std::size_t place, std::uint32_t gpus) const;
    void carry_out(const elastic::Change& change);
    void look_again(const ActiveJob& active, Seconds when);
    void see_idle();
    void stop(std::size_t place);
    void suspend(std::size_t place);
    void start(std::size_t place, std::uint32_t gpus);
    bool has_rounds() const { return setup_.round > Seconds(0); }
    Seconds next_round() const { return setup_.round * static_cast<double>(round_); }

    const domain::JobTrace& trace_;
    const elastic::Policy& policy_;
    const Setup& setup_;
    std::unique_ptr<Knowledge> knowledge_;
    Placement placement_;
    elastic::IdleWindow idle_;  // under Play::daemon
    EventQueue events_;
    domain::ElasticState state_;
    std::vector<ActiveJob> active_;    // each at the place of its ElasticJob in state_.jobs
    std::deque<std::uint32_t> queue_;  // come, but of no matter to the policy yet
    // GPUs that rigid jobs wait for: without a chance to start one, nothing is asked.
    std::multiset<std::uint32_t> rigid_waiting_;
    std::size_t elastic_jobs_ = 0;
    std::size_t running_ = 0;
    std::size_t ended_ = 0;
    std::uint32_t next_arrival_ = 0;
    std::uint64_t round_ = 0;
    bool wants_decision_ = false;
    bool has_learned_ = false;
    bool is_endless_ = false;
    Result result_;
};

}  // namespace hora::sim
