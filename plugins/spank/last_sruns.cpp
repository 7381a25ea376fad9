// Which sruns has a batch script left behind that was ended itself?
#include "plugins/spank/last_sruns.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>
#include <thread>

namespace hora::spank {
namespace {

bool has_srun(pid_t session) {
    std::error_code error;
    for (std::filesystem::directory_iterator process("/proc", error), end; process != end;
         process.increment(error)) {
        if (error) {
            return false;
        }
        std::string stat;
        std::getline(std::ifstream(process->path() / "stat"), stat);
        if (is_srun_of_session(stat, session)) {
            return true;
        }
    }
    return false;
}

}  // namespace

bool is_srun_of_session(std::string_view stat, pid_t session) {
    constexpr std::string_view name = " (srun) ";
    const std::size_t place = stat.find(name);
    if (place == std::string_view::npos) {
        return false;
    }
    // state, parent, process group, session; a zombie has nothing more to hear
    stat.remove_prefix(place + name.size());
    if (stat.starts_with('Z')) {
        return false;
    }
    for (int field = 0; field < 3; ++field) {
        stat.remove_prefix(std::min(stat.find(' '), stat.size() - 1) + 1);
    }
    pid_t found = 0;
    std::from_chars(stat.data(), stat.data() + stat.size(), found);
    return found == session;
}

void wait_for_sruns(pid_t session, std::chrono::milliseconds limit) {
    using Clock = std::chrono::steady_clock;
    constexpr std::chrono::milliseconds pause(5);
    const Clock::time_point deadline = Clock::now() + limit;
    while (has_srun(session) && Clock::now() < deadline) {
        std::this_thread::sleep_for(pause);
    }
}

}  // namespace hora::spank
