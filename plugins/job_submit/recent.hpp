// Which decisions were taken a moment ago? A script that submits the same job many times, and a
// sweep that comes back to it, need not be planned anew each time.
#pragma once

#include <memory>
#include <string>

#include "libplanner/read/settings/settings.hpp"
#include "libplanner/request/decide.hpp"
#include "plugins/job_submit/latest.hpp"
#include "plugins/slurm/store/snapshot_file.hpp"

namespace hora::submit {

// Everything that a decision follows from, but the clock: hence none is kept where the snapshot
// has reservations, which begin and end.
struct Question {
    request::Submission submission;
    std::shared_ptr<const read::Settings> settings;
    slurm::SharedSnapshot snapshot;

    friend bool operator==(const Question&, const Question&) = default;
};

struct Decided {
    request::Answer answer;
    std::string token{};      // under which it is on record; empty: it is not
    bool has_failed = false;  // to plan
};

class Recent {
  public:
    // Null where the question is new.
    std::shared_ptr<const Decided> find(const Question& question) const;
    void keep(std::shared_ptr<const Question> question, std::shared_ptr<const Decided> answer);

  private:
    struct Entry {
        std::shared_ptr<const Question> question;
        std::shared_ptr<const Decided> answer;
    };

    Latest<Entry> latest_;
};

}  // namespace hora::submit
