// How does a report reach the daemon? One TCP connection, one line each way, within a time.
//
// settings: horad.hosts horad.port
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "libplanner/base/error.hpp"
#include "libplanner/read/settings/settings.hpp"
#include "plugins/slurm/compat.hpp"
#include "plugins/slurm/report/report_message.hpp"

namespace hora::slurm {

// Where horad listens: one of the hosts, and how to be believed there.
struct ReportPlace {
    std::vector<std::string> hosts;  // names or addresses, tried in this order
    std::uint16_t port = 0;          // 0: reports go nowhere
    std::string munge_socket;        // empty: munge's default
};

// The hosts of a setting "a, b", without blanks and empty names.
std::vector<std::string> host_names(std::string_view text);

// By the settings; where they name no host, Slurm's controllers.
ReportPlace report_place(const read::Settings& settings, const slurm_conf_t& configuration);

// What is said where no host took it; a person's request gets what to do next.
std::string not_taken(ReportKind kind, std::string_view problems);

// Sends to the first host that answers; `limit` holds for each host. Fails, harmlessly, where
// nobody does, and with the daemon's words where it refused the report.
Expected<void> send_report(const Report& report, const ReportPlace& place,
                           std::chrono::milliseconds limit);

}  // namespace hora::slurm
