// Who may ask for a resize manually, and how does the asker learn what became of it?
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <vector>

#include "libplanner/base/error.hpp"

namespace hora::horad {

// What somebody asked for over the network; munge says who.
struct ResizeRequest {
    std::uint32_t job = 0;
    std::uint32_t gpus = 0;
    std::uint32_t tag = 0;  // tells apart two that ask for the same
    uid_t uid = 0;
    bool is_forced = false;  // though its time limit may end the job then

    friend auto operator<=>(const ResizeRequest&, const ResizeRequest&) = default;
};

// Stands between the server's thread and the daemon's loop. Each call is safe by itself.
class ResizeRequests {
  public:
    // What has come of this request; empty while the loop has not decided: ask again later. The
    // answer is given once. Refuses where too many wait, of this user or of all; root has a
    // reserve.
    std::optional<Expected<void>> ask(const ResizeRequest& request);

    // The requests to be decided, for the loop; it answers each.
    std::vector<ResizeRequest> take();
    void answer(const ResizeRequest& request, Expected<void> outcome);

  private:
    static constexpr std::size_t most = 64;
    static constexpr std::size_t most_of_user = 8;
    static constexpr std::size_t reserve = 8;  // for root

    struct Case {
        bool is_taken = false;
        std::optional<Expected<void>> outcome;
    };

    bool has_room_for(uid_t uid) const;

    std::mutex mutex_;
    std::map<ResizeRequest, Case> cases_;
};

}  // namespace hora::horad
