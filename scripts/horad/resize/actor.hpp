// Which resizes are under way, and what has to be done for them now?
//
// settings: elastic.ready_timeout elastic.fallback elastic.reserve
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "libplanner/base/error.hpp"
#include "scripts/horad/journal/act_edge.hpp"
#include "scripts/horad/journal/resize.hpp"
#include "scripts/horad/observe/controller_age.hpp"
#include "scripts/horad/pending/pending_changes.hpp"
#include "scripts/horad/resize/resize_step.hpp"
#include "scripts/horad/resize/restart_nodes.hpp"

namespace hora::horad {

class Actor {
  public:
    using Log = std::function<void(const std::string& line)>;

    // Everything must outlive the actor.
    Actor(SlurmEdge& slurm, Journal<ResizeEntry>& journal, PendingChanges& pending,
          ResizeHistory& history, ResizeLimits limits, Log log);

    // Takes up what an earlier daemon left, once the pending changes are loaded. Until it has
    // succeeded, nothing is begun.
    Expected<void> recover(Moment now);

    // Begins one; it goes on in step(). Fails, in words for a person, where the job cannot be
    // resized, where one of it is under way, or where the journal cannot be written.
    Expected<void> request(const Resize& resize, const Shaper& shaper, Moment now);

    // Goes on with all of them, as far as they can be now. Asks slurmctld once for each.
    void step(const Listener& listener, const Shaper& shaper, Moment now);

    // While true, step() is to be called every 100 ms or oftener.
    bool is_busy() const;
    bool is_resizing(std::uint32_t job) const;
    // Is anything left to be done in step()?
    bool is_open() const { return !items_.empty() || nodes_.is_open(); }
    // Does a job that is restarted keep its GPUs meanwhile?
    bool reserves_nodes() const { return limits_.reserves_nodes && !nodes_.is_refused(); }
    // See RestartNodes.
    void suspect_reservation() { nodes_.suspect(); }
    bool closes_nodes(Seconds now) const { return nodes_.closes_nodes(now); }
    std::vector<ResizeEntry> under_way() const;
    void set_limits(ResizeLimits limits) { limits_ = limits; }

  private:
    struct Item {
        ResizeEntry entry;
        Waiting waiting;
        int refusals = 0;       // of the last act
        std::string complaint;  // the last one that was logged
        bool is_over = false;
        bool lacks_journal = false;  // at the last step, which could not be written down
        bool is_pressing = true;     // it is soon to go on
    };

    static Item begun(ResizeEntry entry, Moment now);
    bool advance(Item& item, const Listener& listener, const Shaper& shaper, Moment now);
    bool carry_out(Item& item, const ResizeStep& step, const std::optional<slurm::Job>& job,
                   Moment now);
    void wait_for_journal(Item& item, const std::optional<slurm::Job>& job);
    void keep_nodes(Moment now);
    bool keep_before(Item& item, const ResizeStep& step, const std::optional<slurm::Job>& job);
    bool keep(Item& item, const ResizeEntry& entry, Moment now);
    slurm::JobChange still_due(slurm::JobChange change, const ResizeEntry& entry,
                               const slurm::Job& seen);
    slurm::Answered change(std::uint32_t job, const slurm::JobChange& change);
    slurm::Answered act(Item& item, const ResizeStep& step, const std::optional<slurm::Job>& job);
    bool close(Item& item, const ResizeStep& step, const std::optional<slurm::Job>& job,
               Moment now);
    bool is_written(Item& item, const Expected<void>& written);
    void complain(Item& item, const std::string& what);

    SlurmEdge& slurm_;
    Journal<ResizeEntry>& journal_;
    PendingChanges& pending_;
    ResizeHistory& history_;
    RestartNodes nodes_;
    std::string refusal_;  // of a reservation, the last one that was logged
    ControllerAge controller_;
    ResizeLimits limits_;
    Log log_;
    bool has_recovered_ = false;
    std::vector<Item> items_;
};

}  // namespace hora::horad
