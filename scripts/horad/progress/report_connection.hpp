// How far has one sender come with its report?
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "plugins/slurm/report/report_credential.hpp"
#include "plugins/slurm/store/descriptor.hpp"

namespace hora::horad {

enum class Stage {
    reading,  // the line is not whole yet
    whole,    // it is, and nothing of it was looked at
    waiting,  // it is a report, and the daemon has to look at the cluster first
    writing,  // the answer
    over,
};

// How a user is called among senders; an address is called as it is written.
std::string sender_of(uid_t uid);

// Owns its socket. Never waits.
class ReportConnection {
  public:
    using Clock = std::chrono::steady_clock;

    ReportConnection(int file, std::string host, Clock::time_point ends);

    int file() const { return file_.number(); }
    const std::string& host() const { return host_; }
    // Whose the connection is, as far as is known: its host's, or its user's once it is parked.
    const std::string& owner() const { return owner_; }
    Clock::time_point ends() const { return ends_; }
    Stage stage() const { return stage_; }

    // Reads what is there, until the line is whole; a line that is too long, or an end before it,
    // ends the connection.
    void read();
    std::string_view line() const { return input_; }

    // The report that waits to be judged again.
    void park(slurm::SignedReport report);
    const std::optional<slurm::SignedReport>& parked() const { return parked_; }

    void answer(const Expected<void>& outcome);
    void write();  // as much of the answer as goes out
    void end() { stage_ = Stage::over; }

  private:
    slurm::Descriptor file_;
    std::string host_;
    std::string owner_;
    Clock::time_point ends_;
    Stage stage_ = Stage::reading;
    std::string input_;
    std::string output_;
    std::optional<slurm::SignedReport> parked_;
};

}  // namespace hora::horad
