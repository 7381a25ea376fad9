// Who wrote this report? The word of munge, which every node of a cluster trusts.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <string>
#include <string_view>

#include "libplanner/base/error.hpp"
#include "plugins/slurm/report/report_message.hpp"

namespace hora::slurm {

// Of a line with a report, without its end; munge's own parts take about 200 characters.
constexpr std::size_t longest_credential = 2048;

// Is the line written as munge writes a credential? Of one that is not, munge need not be asked.
bool is_written_as_credential(std::string_view line);

struct SignedReport {
    Report report;
    uid_t uid = 0;  // that the sender ran as, on whichever node
};

// The socket of munged that AuthInfo of slurm.conf names, as "socket=PATH,..." or as PATH alone; ""
// where it names none, and then munge's own default holds.
std::string munge_socket_of(std::string_view auth_info);

// Both ask munged, which takes about a tenth of a millisecond; they fail where it is down.
Expected<std::string> seal_report(const Report& report, const std::string& munge_socket);

// Fails also on a credential that is forged, too old or was opened before, and on a payload that is
// no report.
Expected<SignedReport> open_report(std::string_view credential, const std::string& munge_socket);

}  // namespace hora::slurm
