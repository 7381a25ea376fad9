// Where does the owner read what was done with the job? In a file beside its checkpoints.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace hora::watch {

class EventLog {
  public:
    // Without a folder nothing is written.
    EventLog(std::string folder, std::uint32_t restarts);

    // "2026-11-21T17:03:04 start 2: …". What cannot be written is lost.
    void write(std::string_view event) const;

  private:
    std::string path_;
    std::uint32_t restarts_;
};

}  // namespace hora::watch
