// How does a report reach the daemon? One TCP connection, one line each way, within a time.
#include "plugins/slurm/report/report_client.hpp"

#include <fmt/format.h>

#include <string_view>

#include "plugins/slurm/report/line_exchange.hpp"
#include "plugins/slurm/report/report_credential.hpp"

namespace hora::slurm {

std::vector<std::string> host_names(std::string_view text) {
    std::vector<std::string> names;
    constexpr std::string_view separators = ", \t";
    while (true) {
        const std::size_t start = text.find_first_not_of(separators);
        if (start == std::string_view::npos) {
            return names;
        }
        text.remove_prefix(start);
        const std::string_view name = text.substr(0, text.find_first_of(separators));
        names.emplace_back(name);
        text.remove_prefix(name.size());
    }
}

ReportPlace report_place(const read::Settings& settings, const slurm_conf_t& configuration) {
    ReportPlace place;
    place.hosts = host_names(settings.get<std::string>("horad.hosts"));
    place.port = static_cast<std::uint16_t>(settings.get<std::uint64_t>("horad.port"));
    if (configuration.authinfo != nullptr) {
        place.munge_socket = munge_socket_of(configuration.authinfo);
    }
    if (place.hosts.empty()) {
        for (std::uint32_t host = 0; host < configuration.control_cnt; ++host) {
            const char* const address = configuration.control_addr[host];
            place.hosts.emplace_back(address != nullptr ? address
                                                        : configuration.control_machine[host]);
        }
    }
    return place;
}

std::string not_taken(ReportKind kind, std::string_view problems) {
    return asks_for_gpus(kind) ? fmt::format(
                                     "no horad took the request: {}; is it running? "
                                     "'systemctl status horad' there says so",
                                     problems)
                               : fmt::format("no horad took the report: {}", problems);
}

Expected<void> send_report(const Report& report, const ReportPlace& place,
                           std::chrono::milliseconds limit) {
    const bool is_request = asks_for_gpus(report.kind);
    if (place.port == 0 || place.hosts.empty()) {
        return failure(fmt::format("{}: horad.port is 0 or no host is known",
                                   is_request ? "horad cannot be asked" : "reports go nowhere"));
    }
    std::string problems;
    for (const std::string& host : place.hosts) {
        // A credential is good for one reader.
        const auto credential = seal_report(report, place.munge_socket);
        if (!credential) {
            return unexpected(credential.error());
        }
        const auto answer = exchange_line(host, place.port, *credential, limit);
        if (answer) {
            return read_answer(*answer);
        }
        problems += (problems.empty() ? "" : "; ") + answer.error().message;
    }
    return failure(not_taken(report.kind, problems));
}

}  // namespace hora::slurm
