// Does any word that names a job, a host or a socket of munge's, or what sacct prints of a job,
// break its reader?
#include <cstdlib>

#include "plugins/slurm/find_job.hpp"
#include "plugins/slurm/report/report_client.hpp"
#include "plugins/slurm/report/report_credential.hpp"
#include "tests/fuzz/lines.hpp"

namespace {

void check_job(std::string_view text) {
    const auto number = hora::slurm::parse_job_number(text);
    if (!number) {
        return;
    }
    const std::string part = number->task        ? "_" + std::to_string(*number->task)
                             : number->component ? "+" + std::to_string(*number->component)
                                                 : "";
    const auto again = hora::slurm::parse_job_number(std::to_string(number->job) + part);
    if (number->job == 0 || (number->task && number->component) || !again ||
        again->job != number->job || again->task != number->task ||
        again->component != number->component) {
        std::abort();
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text = hora::fuzz::text_of(data, size);
    check_job(text);
    if (const auto job = hora::slurm::read_accounting(text)) {
        const std::string owner = std::string(1, hora::slurm::accounting_separator) + job->user +
                                  hora::slurm::accounting_separator;
        if (text.find('\n') < text.find(owner)) {
            std::abort();
        }
    }
    for (const std::string& host : hora::slurm::host_names(text)) {
        if (host.empty() || host.find_first_of(", ") != host.npos || text.find(host) == text.npos) {
            std::abort();
        }
    }
    if (text.find(hora::slurm::munge_socket_of(text)) == text.npos) {
        std::abort();
    }
    if (hora::slurm::is_written_as_credential(text) && text.find('\n') != text.npos) {
        std::abort();
    }
    return 0;
}
