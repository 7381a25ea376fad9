// `hora status`: what does the daemon do with whose jobs, and what comes next?
// Settings read: horad.state.
#include "scripts/hora/jobs/status.hpp"

#include <fmt/format.h>
#include <pwd.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <memory>
#include <string>
#include <vector>

#include "libplanner/read/quoted.hpp"
#include "libplanner/read/whole_number.hpp"
#include "libplanner/report/jobs/status.hpp"
#include "scripts/hora/jobs/refresh.hpp"
#include "scripts/hora/site/daemon_status.hpp"
#include "scripts/hora/site/site.hpp"

namespace hora::scripts {
namespace {

struct Options {
    bool is_mine = false;
    std::vector<std::string> users;
    bool is_json = false;
    double watch = 0;  // seconds; 0: once
};

// Whose jobs are shown; none: everybody's.
using Uids = std::vector<std::uint32_t>;

Expected<std::uint32_t> uid_of(const std::string& user) {
    if (const auto number = read::parse_whole_number(user, {.min = 0, .max = 4294967294})) {
        return static_cast<std::uint32_t>(*number);
    }
    const passwd* const entry = ::getpwnam(user.c_str());
    if (entry == nullptr) {
        return wrong_use("unknown user " + read::quoted(user));
    }
    return entry->pw_uid;
}

Expected<Uids> uids_of(const Options& options) {
    Uids uids;
    if (options.is_mine) {
        uids.push_back(::geteuid());
    }
    for (const std::string& user : options.users) {
        const auto uid = uid_of(user);
        if (!uid) {
            return unexpected(uid.error());
        }
        uids.push_back(*uid);
    }
    return uids;
}

Expected<report::StatusView> look(const std::string& path, const Uids& uids) {
    auto status = read_daemon_status(path);
    if (!status) {
        return unexpected(status.error());
    }
    report::StatusView view{*std::move(status), static_cast<std::int64_t>(std::time(nullptr)),
                            terminal_columns()};
    if (!uids.empty()) {
        view.is_part = true;
        std::erase_if(view.status.jobs, [&](const domain::StatusJob& job) {
            return std::find(uids.begin(), uids.end(), job.uid) == uids.end();
        });
        std::erase_if(view.status.next, [&](const domain::StatusNext& next) {
            return std::none_of(view.status.jobs.begin(), view.status.jobs.end(),
                                [&](const auto& job) { return job.id == next.job; });
        });
    }
    return view;
}

Exit show_once(const std::string& path, const Uids& uids, bool is_json) {
    const auto view = look(path, uids);
    if (!view) {
        return report(view.error());
    }
    print_data(is_json ? report::to_json(*view) : report::to_text(*view));
    return report::is_stale(*view) ? report(Error{report::staleness(*view)}) : Exit::done;
}

// A daemon that is not there may come back, so that is a part of the picture here.
std::string picture(const std::string& path, const Uids& uids) {
    const auto view = look(path, uids);
    if (!view) {
        return "hora: " + view.error().message + "\n";
    }
    return (report::is_stale(*view) ? "hora: " + report::staleness(*view) + "\n" : "") +
           report::to_text(*view);
}

Exit run(const Options& options) {
    const auto settings = load_settings();
    if (!settings) {
        return report(settings.error());
    }
    const auto uids = uids_of(options);
    if (!uids) {
        return report(uids.error());
    }
    const std::string path = status_path(*settings);
    if (options.watch == 0) {
        return show_once(path, *uids, options.is_json);
    }
    return refresh(Seconds(options.watch), [&] { return picture(path, *uids); })
               ? Exit::done
               : report(Error{"cannot write the output"});
}

}  // namespace

void add_status_command(CLI::App& app, Outcome& outcome) {
    const auto options = std::make_shared<Options>();
    CLI::App* const command = app.add_subcommand(
        "status", "Show what the daemon does with the jobs, and what comes next");
    CLI::Option* const users =
        command
            ->add_option("-u,--user", options->users, "Only the jobs of these users, names or ids")
            ->type_name("USER[,USER]")
            ->delimiter(',')
            ->check(&not_empty);
    command->add_flag("--me", options->is_mine, "Only the caller's own jobs")->excludes(users);
    CLI::Option* const json =
        command->add_flag("--json", options->is_json, "Print one JSON object");
    command
        ->add_option("--watch", options->watch,
                     "Show it again and again, every 2 seconds or as many as said")
        ->type_name("[SECONDS]")
        ->expected(0, 1)
        ->default_str("2")
        ->check(number_between(0.1, 3600))
        ->excludes(json);
    command->callback([&outcome, options] { outcome.exit = run(*options); });
}

}  // namespace hora::scripts
