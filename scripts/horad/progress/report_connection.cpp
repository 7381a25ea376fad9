// How far has one sender come with its report?
#include "scripts/horad/progress/report_connection.hpp"

#include <fmt/format.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <utility>

namespace hora::horad {

std::string sender_of(uid_t uid) {
    return fmt::format("user {}", uid);
}

ReportConnection::ReportConnection(int file, std::string host, Clock::time_point ends)
    : file_(file), host_(std::move(host)), owner_(host_), ends_(ends) {}

void ReportConnection::read() {
    std::array<char, 512> block{};
    while (stage_ == Stage::reading) {
        const ssize_t size = ::recv(file(), block.data(), block.size(), MSG_DONTWAIT);
        if (size < 0 && errno == EINTR) {
            continue;
        }
        if (size <= 0) {
            stage_ = size < 0 && errno == EAGAIN ? stage_ : Stage::over;
            return;
        }
        input_.append(block.data(), static_cast<std::size_t>(size));
        if (const std::size_t end = input_.find('\n'); end != std::string::npos) {
            input_.resize(end);
            stage_ = Stage::whole;
        } else if (input_.size() > slurm::longest_credential) {
            answer(failure("the line is too long"));
        }
    }
}

void ReportConnection::park(slurm::SignedReport report) {
    parked_ = report;
    owner_ = sender_of(report.uid);
    stage_ = Stage::waiting;
}

void ReportConnection::answer(const Expected<void>& outcome) {
    output_ = slurm::answer_text(outcome) + "\n";
    stage_ = Stage::writing;
    write();
}

void ReportConnection::write() {
    while (stage_ == Stage::writing && !output_.empty()) {
        const ssize_t size =
            ::send(file(), output_.data(), output_.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
        if (size < 0 && errno == EINTR) {
            continue;
        }
        if (size < 0) {
            stage_ = errno == EAGAIN ? stage_ : Stage::over;
            return;
        }
        output_.erase(0, static_cast<std::size_t>(size));
    }
    stage_ = Stage::over;
}

}  // namespace hora::horad
