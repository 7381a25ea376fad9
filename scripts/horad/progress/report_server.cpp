// Who takes the jobs' reports, and how does a slow or hostile sender harm no other sender?
#include "scripts/horad/progress/report_server.hpp"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <map>
#include <tuple>
#include <utility>

namespace hora::horad {
namespace {

using Clock = ReportConnection::Clock;

double wall_time() {
    const std::chrono::duration<double> time = std::chrono::system_clock::now().time_since_epoch();
    return time.count();
}

// On all addresses, IPv4 senders come as mapped ones; a host without IPv6 gets a socket of its own
// kind.
Expected<slurm::Descriptor> listen_on(const ReportAddress& at) {
    sockaddr_in6 any6{};
    any6.sin6_family = AF_INET6;
    any6.sin6_port = htons(at.port);
    sockaddr_in any4{};
    any4.sin_family = AF_INET;
    any4.sin_port = htons(at.port);
    const bool is_any = at.address.empty();
    const bool may_be_6 = is_any || inet_pton(AF_INET6, at.address.c_str(), &any6.sin6_addr) == 1;
    const bool may_be_4 = is_any || inet_pton(AF_INET, at.address.c_str(), &any4.sin_addr) == 1;
    const std::tuple<bool, const sockaddr*, socklen_t> addresses[] = {
        {may_be_6, reinterpret_cast<const sockaddr*>(&any6), sizeof any6},
        {may_be_4, reinterpret_cast<const sockaddr*>(&any4), sizeof any4}};
    int reason = EINVAL;
    for (const auto& [may_be, address, size] : addresses) {
        if (!may_be) {
            continue;
        }
        slurm::Descriptor file(
            ::socket(address->sa_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
        const int yes = 1;
        const int no = 0;
        if (file.is_open()) {
            ::setsockopt(file.number(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
            ::setsockopt(file.number(), IPPROTO_IPV6, IPV6_V6ONLY, &no, sizeof no);
        }
        if (file.is_open() && ::bind(file.number(), address, size) == 0 &&
            ::listen(file.number(), SOMAXCONN) == 0) {
            return file;
        }
        reason = errno;
    }
    return failure(fmt::format(
        "cannot take reports on {}port {}: {}; jobs are not resized until the setting horad.port "
        "names a free one{}",
        is_any ? "" : at.address + " ", at.port, std::strerror(reason),
        is_any ? "" : ", and horad.listen an address of this host"));
}

std::uint16_t port_of(int file) {
    sockaddr_storage address{};
    socklen_t size = sizeof address;
    ::getsockname(file, reinterpret_cast<sockaddr*>(&address), &size);
    return ntohs(address.ss_family == AF_INET6
                     ? reinterpret_cast<const sockaddr_in6&>(address).sin6_port
                     : reinterpret_cast<const sockaddr_in&>(address).sin_port);
}

std::string host_of(const sockaddr_storage& address) {
    std::array<char, INET6_ADDRSTRLEN> text{};
    const void* const place =
        address.ss_family == AF_INET6
            ? static_cast<const void*>(&reinterpret_cast<const sockaddr_in6&>(address).sin6_addr)
            : static_cast<const void*>(&reinterpret_cast<const sockaddr_in&>(address).sin_addr);
    ::inet_ntop(address.ss_family, place, text.data(), text.size());
    return text.data();
}

void ring(int bell) {
    const std::uint64_t one = 1;
    static_cast<void>(!::write(bell, &one, sizeof one));
}

bool is_whole(const std::unique_ptr<ReportConnection>& connection) {
    return connection->stage() == Stage::whole;
}

void silence(int bell) {
    std::uint64_t count = 0;
    static_cast<void>(!::read(bell, &count, sizeof count));
}

}  // namespace

Expected<std::unique_ptr<ReportServer>> ReportServer::start(const ReportAddress& at,
                                                            std::string munge_socket,
                                                            ReportFilter& filter,
                                                            ReportServerLimits limits) {
    auto listener = listen_on(at);
    if (!listener) {
        return unexpected(listener.error());
    }
    const std::uint16_t port = port_of(listener->number());
    return std::unique_ptr<ReportServer>(
        new ReportServer(*std::move(listener), port, std::move(munge_socket), filter, limits));
}

ReportServer::ReportServer(slurm::Descriptor listener, std::uint16_t port, std::string munge_socket,
                           ReportFilter& filter, ReportServerLimits limits)
    : listener_(std::move(listener)),
      news_(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)),
      wake_(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)),
      port_(port),
      munge_socket_(std::move(munge_socket)),
      filter_(filter),
      limits_(limits),
      refusals_(limits.refusals),
      reports_(limits.reports),
      requests_(limits.requests),
      thread_([this] { serve(); }, [this] { ring(news_.number()); }) {}

ReportServer::~ReportServer() {
    is_ending_ = true;
    ring(wake_.number());
    thread_.join();
}

void ReportServer::take_news() const {
    silence(news_.number());
    thread_.rethrow();  // the daemon must not go on deaf
}

void ReportServer::look_again() const {
    ring(wake_.number());
}

void ReportServer::serve() {
    while (!is_ending_) {
        const short accepts = has_room_ ? POLLIN : 0;
        std::vector<pollfd> files{{wake_.number(), POLLIN, 0}, {listener_.number(), accepts, 0}};
        for (const auto& connection : connections_) {
            const short events = connection->stage() == Stage::reading   ? POLLIN
                                 : connection->stage() == Stage::writing ? POLLOUT
                                                                         : 0;
            files.push_back({connection->file(), events, 0});
        }
        ::poll(files.data(), files.size(), pause());
        const bool is_to_judge = files[0].revents != 0;
        if (is_to_judge) {
            silence(wake_.number());
        }
        for (std::size_t i = 0; i < connections_.size(); ++i) {
            advance(*connections_[i], files[i + 2].revents);
            if (is_to_judge && connections_[i]->stage() == Stage::waiting) {
                judge(*connections_[i]);
            }
        }
        hear_all();
        drop_done();
        if (files[1].revents != 0 || (!has_room_ && Clock::now() >= next_try_)) {
            accept_all();
        }
    }
}

void ReportServer::drop_done() {
    const Clock::time_point now = Clock::now();
    for (const auto& connection : connections_) {
        if (connection->stage() == Stage::waiting && connection->ends() <= now) {
            connection->answer(filter_.judge_last(*connection->parked(), wall_time()).answer);
        }
    }
    std::erase_if(connections_, [now](const auto& connection) {
        return connection->stage() == Stage::over || connection->ends() <= now;
    });
}

// Until the first connection has had its time, in milliseconds, or may make room for one that
// waits; -1: none is there; 0: one is to be heard.
int ReportServer::pause() const {
    if (connections_.empty() && has_room_) {
        return -1;
    }
    if (std::any_of(connections_.begin(), connections_.end(), is_whole)) {
        return 0;
    }
    const Clock::time_point now = Clock::now();
    Clock::time_point first = connections_.empty() ? next_try_ : Clock::time_point::max();
    for (const auto& connection : connections_) {
        first = std::min(first, has_room_ ? connection->ends() : grace_end(*connection));
    }
    first = has_room_ ? first : std::max(first, next_try_);
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(first - now).count();
    return static_cast<int>(std::max<std::int64_t>(left, 0));
}

void ReportServer::accept_all() {
    // A flood must not keep those that have connected from being read.
    for (std::size_t i = 0; i < limits_.connections; ++i) {
        // That another waits is known by accepting it: one too many is kept until there is room.
        has_room_ = connections_.size() <= limits_.connections || make_room();
        if (!has_room_) {
            return;
        }
        sockaddr_storage address{};
        socklen_t size = sizeof address;
        const int file = ::accept4(listener_.number(), reinterpret_cast<sockaddr*>(&address), &size,
                                   SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (file < 0) {
            if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM) {
                take_lack();
            }
            return;
        }
        connections_.push_back(std::make_unique<ReportConnection>(file, host_of(address),
                                                                  Clock::now() + limits_.time));
    }
}

// The one that waits comes in once there is room. The listener stays readable meanwhile, so it is
// not asked.
void ReportServer::take_lack() {
    constexpr std::chrono::milliseconds rest{100};
    constexpr std::chrono::seconds is_shown_for{60};
    const Clock::time_point now = Clock::now();
    lack_holds_ = now + is_shown_for;
    has_room_ = !connections_.empty() && make_room();
    next_try_ = now + rest;
}

bool ReportServer::lacks_descriptors() const {
    return Clock::now() < lack_holds_.load();
}

Clock::time_point ReportServer::grace_end(const ReportConnection& connection) const {
    return connection.ends() - limits_.time + limits_.grace;
}

bool ReportServer::may_be_dropped(const ReportConnection& connection, Clock::time_point now) const {
    switch (connection.stage()) {
        case Stage::whole:
            return false;  // it is heard before the next ones are accepted
        case Stage::reading:
            return grace_end(connection) <= now;
        default:
            return true;
    }
}

// False: none may be dropped yet.
bool ReportServer::make_room() {
    const Clock::time_point now = Clock::now();
    std::map<std::string_view, std::size_t> held;
    for (const auto& connection : connections_) {
        held[connection->owner()] += may_be_dropped(*connection, now) ? 1 : 0;
    }
    const auto most = std::max_element(
        held.begin(), held.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
    const auto oldest =
        std::find_if(connections_.begin(), connections_.end(), [&](const auto& connection) {
            return connection->owner() == most->first && may_be_dropped(*connection, now);
        });
    if (oldest == connections_.end()) {
        return false;
    }
    connections_.erase(oldest);
    return true;
}

void ReportServer::advance(ReportConnection& connection, short events) {
    if (connection.stage() == Stage::writing && events != 0) {
        connection.write();
    } else if (connection.stage() == Stage::reading && events != 0) {
        connection.read();
    } else if (connection.stage() == Stage::waiting && events != 0) {
        connection.end();  // the sender has gone
    }
}

// The lines of addresses that spend munge's time on nothing come last, and a few at a time.
void ReportServer::hear_all() {
    std::vector<ReportConnection*> behind;
    for (const auto& connection : connections_) {
        if (!is_whole(connection)) {
            continue;
        }
        if (refusals_.has_room(connection->host(), Clock::now())) {
            hear(*connection);
        } else {
            behind.push_back(connection.get());
        }
    }
    behind.resize(std::min(behind.size(), limits_.behind));
    for (ReportConnection* const connection : behind) {
        hear(*connection);
    }
}

void ReportServer::hear(ReportConnection& connection) {
    if (!slurm::is_written_as_credential(connection.line())) {
        connection.answer(failure("the line is no credential of munge"));
        return;
    }
    const auto report = slurm::open_report(connection.line(), munge_socket_);
    if (!report) {
        refusals_.admit(connection.host(), Clock::now());
        connection.answer(unexpected(report.error()));
        return;
    }
    if (const auto admitted = admit(*report); !admitted) {
        connection.answer(admitted);
        return;
    }
    connection.park(*report);
    judge(connection);
}

// Root is kept out by no user, since its own reports are its own to bound.
Expected<void> ReportServer::admit(const slurm::SignedReport& given) {
    if (given.uid == 0) {
        return {};
    }
    const std::string sender = sender_of(given.uid);
    const auto waiting =
        std::count_if(connections_.begin(), connections_.end(), [&](const auto& connection) {
            return connection->stage() == Stage::waiting && connection->owner() == sender;
        });
    if (static_cast<std::size_t>(waiting) >= limits_.waiting) {
        return failure("too many reports of this user wait to be judged");
    }
    // Of an operator's training, however loud it is, the operator's requests are kept apart.
    const bool is_request = slurm::asks_for_gpus(given.report.kind);
    SenderLimits& limits = is_request ? requests_ : reports_;
    if (!limits.admit(sender, Clock::now()) && !filter_.is_first(given)) {
        return failure(is_request ? "too many requests of this user"
                                  : "too many reports of this user");
    }
    return {};
}

void ReportServer::judge(ReportConnection& connection) {
    const Judged judged = filter_.judge(*connection.parked(), wall_time());
    if (judged.verdict != Verdict::later) {
        connection.answer(judged.answer);
    }
    if (judged.verdict != Verdict::refused) {
        ring(news_.number());
    }
}

}  // namespace hora::horad
