// How does the plugin write to slurmctld's log?
#include "plugins/job_submit/log.hpp"

#include "libplanner/read/quoted.hpp"
#include "plugins/job_submit/daemon.hpp"

namespace hora::submit {
namespace {

constexpr std::size_t longest_line = 1024;

}  // namespace

void log_info(std::string_view text) {
    slurm_info("hora: %s", read::printable(text, longest_line).c_str());
}

void log_error(std::string_view text) {
    slurm_error("hora: %s", read::printable(text, longest_line).c_str());
}

}  // namespace hora::submit
