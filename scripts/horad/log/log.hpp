// What does the daemon say to the administrator, and how is each thing said once?
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace hora::horad {

// Lines on stderr, "horad: ..."; below systemd with the journal's priority in front. For one
// thread.
class Log {
  public:
    Log();

    void note(std::string_view message) const;     // something that was done
    void warning(std::string_view message) const;  // something that an administrator mends

    // A condition that lasts: said when it begins, changes or ends, however often it is reported.
    // `end` is said when it ends, if it is not empty.
    void trouble(const std::string& topic, const std::string& message);
    void fine(const std::string& topic, std::string_view end = {});
    // What a condition that lasts has come to, which is no news: for troubles() alone.
    void amend(const std::string& topic, const std::string& message);

    // The conditions that last, for later callers.
    const std::map<std::string, std::string, std::less<>>& troubles() const { return troubles_; }

  private:
    void print(char priority, std::string_view message) const;

    bool has_journal_ = false;
    std::map<std::string, std::string, std::less<>> troubles_;
};

}  // namespace hora::horad
