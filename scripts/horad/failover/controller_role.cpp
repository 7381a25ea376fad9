// Is this host's slurmctld the one that acts?
#include "scripts/horad/failover/controller_role.hpp"

#include <fmt/format.h>
#include <ifaddrs.h>
#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>
#include <memory>
#include <string_view>

#include "scripts/horad/log/host_name.hpp"

namespace hora::horad {
namespace {

std::string_view short_name(std::string_view name) {
    return name.substr(0, name.find('.'));
}

bool is_same(const sockaddr* a, const sockaddr* b) {
    if (a == nullptr || b == nullptr || a->sa_family != b->sa_family) {
        return false;
    }
    if (a->sa_family == AF_INET) {
        return reinterpret_cast<const sockaddr_in*>(a)->sin_addr.s_addr ==
               reinterpret_cast<const sockaddr_in*>(b)->sin_addr.s_addr;
    }
    return a->sa_family == AF_INET6 &&
           IN6_ARE_ADDR_EQUAL(&reinterpret_cast<const sockaddr_in6*>(a)->sin6_addr,
                              &reinterpret_cast<const sockaddr_in6*>(b)->sin6_addr);
}

bool is_own_address(const std::string& name) {
    addrinfo hints{};
    hints.ai_socktype = SOCK_STREAM;
    addrinfo* found = nullptr;
    ifaddrs* own = nullptr;
    if (::getaddrinfo(name.c_str(), nullptr, &hints, &found) != 0 || ::getifaddrs(&own) != 0) {
        return false;
    }
    const std::unique_ptr<addrinfo, void (*)(addrinfo*)> addresses(found, ::freeaddrinfo);
    const std::unique_ptr<ifaddrs, void (*)(ifaddrs*)> interfaces(own, ::freeifaddrs);
    for (const addrinfo* address = found; address != nullptr; address = address->ai_next) {
        for (const ifaddrs* one = own; one != nullptr; one = one->ifa_next) {
            if (is_same(address->ai_addr, one->ifa_addr)) {
                return true;
            }
        }
    }
    return false;
}

bool is_named_like_this_host(const slurm::Controller& controller) {
    const std::string own = host_name();
    // Two hosts of two domains may share their short name: it counts where one side has no more.
    const bool is_full =
        own.find('.') != std::string::npos && controller.host.find('.') != std::string::npos;
    return is_full ? own == controller.host : short_name(own) == short_name(controller.host);
}

}  // namespace

// An address may stand for several hosts in turn; a name does not.
std::optional<std::size_t> own_place(std::span<const slurm::Controller> controllers) {
    auto found = std::find_if(controllers.begin(), controllers.end(), is_named_like_this_host);
    if (found == controllers.end()) {
        found = std::find_if(controllers.begin(), controllers.end(), [](const auto& controller) {
            return is_own_address(controller.address);
        });
    }
    const auto place = static_cast<std::size_t>(found - controllers.begin());
    return place < controllers.size() ? std::optional(place) : std::nullopt;
}

Standing standing_of(std::span<const slurm::Controller> controllers, std::optional<std::size_t> own,
                     std::size_t acting) {
    if (!own) {
        return {Role::unlisted, fmt::format("nothing is done here: slurm.conf names no "
                                            "SlurmctldHost that is this host, \"{}\"; run horad "
                                            "on each that it names",
                                            host_name())};
    }
    if (*own != acting) {
        return {Role::standby,
                fmt::format("nothing is done here for now: the slurmctld of \"{}\" acts",
                            controllers[acting].host)};
    }
    return {Role::acting, "this host's slurmctld acts, and so does horad"};
}

}  // namespace hora::horad
