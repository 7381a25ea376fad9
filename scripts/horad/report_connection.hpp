// How far has one sender come with its report?
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "plugins/slurm/report_credential.hpp"

namespace hora::horad {

enum class Stage {
    reading,  // the line is not whole yet
    waiting,  // it is, and the daemon has to look at the cluster first
    writing,  // the answer
    over,
};

// Owns its socket. Never waits.
class ReportConnection {
  public:
    using Clock = std::chrono::steady_clock;

    ReportConnection(int file, std::string host, Clock::time_point ends);
    ReportConnection(const ReportConnection&) = delete;
    ReportConnection& operator=(const ReportConnection&) = delete;
    ~ReportConnection();

    int file() const { return file_; }
    const std::string& host() const { return host_; }
    Clock::time_point ends() const { return ends_; }
    Stage stage() const { return stage_; }

    // Reads what is there. True once the line is whole; a line that is too long, or an end before
    // it, ends the connection.
    bool read();
    std::string_view line() const { return input_; }

    // The report that waits to be judged again.
    void park(slurm::SignedReport report);
    const std::optional<slurm::SignedReport>& parked() const { return parked_; }

    void answer(const Expected<void>& outcome);
    void write();  // as much of the answer as goes out
    void end() { stage_ = Stage::over; }

  private:
    int file_;
    std::string host_;
    Clock::time_point ends_;
    Stage stage_ = Stage::reading;
    std::string input_;
    std::string output_;
    std::optional<slurm::SignedReport> parked_;
};

}  // namespace hora::horad
