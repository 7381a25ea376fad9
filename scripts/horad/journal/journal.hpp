// Which resizes were begun and not ended, however the daemon died? One small file, replaced whole.
#pragma once

#include <map>
#include <string>
#include <utility>

#include "scripts/horad/journal/act_edge.hpp"
#include "scripts/horad/journal/state_list.hpp"

namespace hora::horad {

StateWords words_of_resizes();
// What waiting jobs asked for before they were resized; it has the same format.
StateWords words_of_given_sizes();

class FileJournal : public Journal {
  public:
    FileJournal(std::string path, StateWords words)
        : path_(std::move(path)), words_(std::move(words)) {}

    Expected<void> keep(const ResizeEntry& entry) override;
    Expected<void> forget(std::uint64_t number) override;
    // A file that is not there is empty. Fails on one that cannot be read, and once on a damaged
    // one, or one of another version, which is then set aside.
    Expected<std::vector<ResizeEntry>> load() override;

  private:
    using Entries = std::map<std::uint64_t, ResizeEntry>;

    Expected<void> write(Entries entries);

    std::string path_;
    StateWords words_;
    Entries entries_;  // as they stand in the file
};

}  // namespace hora::horad
