// Who takes the jobs' reports, and how does a slow or hostile sender harm no other sender?
//
// One thread and one poll(); a bounded number of connections, of bytes and of time for each. Where
// there are too many, the host or user that holds most of them loses its oldest; but none whose
// line is here and was not looked at, nor one that is new: others wait to be accepted meanwhile.
//
// What a report costs is charged to the user that munge names. Users share the address of a node,
// so no address is ever refused: one whose credentials were no good lately waits behind others.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "libplanner/base/error.hpp"
#include "plugins/slurm/guarded_thread.hpp"
#include "plugins/slurm/store/descriptor.hpp"
#include "scripts/horad/progress/report_connection.hpp"
#include "scripts/horad/progress/report_filter.hpp"
#include "scripts/horad/progress/sender_limits.hpp"

namespace hora::horad {

struct ReportAddress {
    std::string address = {};  // IPv4 or IPv6; empty: all of the host's
    std::uint16_t port = 0;    // 0: any that is free

    friend bool operator==(const ReportAddress&, const ReportAddress&) = default;
};

struct ReportServerLimits {
    std::size_t connections = 256;
    std::chrono::milliseconds time{3000};  // from the connection to the end of the answer
    std::chrono::milliseconds grace{100};  // of those, in which it is dropped for no other
    // Credentials of one address that munge refuses; beyond, its lines wait behind others.
    SenderRate refusals{.rate = 20, .burst = 100};
    std::size_t behind = 128;  // of those, how many are looked at before the others' next ones
    // Of one user. A job that was not heard since its start, and root, are heard all the same.
    SenderRate reports{.rate = 200, .burst = 1000};
    SenderRate requests{.rate = 1, .burst = 16};  // for resizes
    std::size_t waiting = 64;                     // at once, for the daemon to look
};

class ReportServer {
  public:
    // `munge_socket`: empty for munge's default. `filter` must outlive the server.
    static Expected<std::unique_ptr<ReportServer>> start(const ReportAddress& at,
                                                         std::string munge_socket,
                                                         ReportFilter& filter,
                                                         ReportServerLimits limits = {});
    ReportServer(const ReportServer&) = delete;
    ReportServer& operator=(const ReportServer&) = delete;
    ~ReportServer();  // ends its thread; open connections are dropped

    std::uint16_t port() const { return port_; }
    // Readable when a report came in, or when the filter is to see anew; drained by take_news().
    int news() const { return news_.number(); }
    // Throws what the server's thread has ended by.
    void take_news() const;
    // Did a connection wait lately because no descriptor was left for it?
    bool lacks_descriptors() const;
    // The filter has seen anew: reports that wait for that are judged again.
    void look_again() const;

  private:
    ReportServer(slurm::Descriptor listener, std::uint16_t port, std::string munge_socket,
                 ReportFilter& filter, ReportServerLimits limits);

    void serve();
    int pause() const;
    void drop_done();
    void hear_all();
    void accept_all();
    ReportConnection::Clock::time_point grace_end(const ReportConnection& connection) const;
    bool may_be_dropped(const ReportConnection& connection,
                        ReportConnection::Clock::time_point now) const;
    bool make_room();
    void take_lack();
    void advance(ReportConnection& connection, short events);
    void hear(ReportConnection& connection);
    Expected<void> admit(const slurm::SignedReport& report);
    void judge(ReportConnection& connection);

    slurm::Descriptor listener_;
    slurm::Descriptor news_;
    slurm::Descriptor wake_;  // for the thread: to end, or to judge again
    std::uint16_t port_ = 0;
    std::string munge_socket_;
    ReportFilter& filter_;
    ReportServerLimits limits_;
    SenderLimits refusals_;
    SenderLimits reports_;
    SenderLimits requests_;
    std::vector<std::unique_ptr<ReportConnection>> connections_;
    bool has_room_ = true;                          // else one waits to be accepted
    ReportConnection::Clock::time_point next_try_;  // to accept, after a lack of descriptors
    std::atomic<ReportConnection::Clock::time_point> lack_holds_{};  // until
    std::atomic<bool> is_ending_ = false;
    slurm::GuardedThread thread_;
};

}  // namespace hora::horad
