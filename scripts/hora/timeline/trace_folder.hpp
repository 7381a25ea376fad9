// Which records of processes (hora-trace(5)) lie in a folder?
#pragma once

#include <string>
#include <vector>

#include "libplanner/base/error.hpp"
#include "libplanner/domain/rank_record.hpp"

namespace hora::scripts {

struct TraceFolder {
    std::string path;                      // where they lie
    std::vector<std::string> others;       // folders beside it with records of other runs
    std::vector<std::string> empty_files;  // of processes that were killed before they wrote
    std::vector<domain::RankRecord> records;
};

// The *.jsonl files of the folder; where it has none, those of its newest folder that has, by name
// ("2.0" is newer than "1.10"). Fails, in words for the user, where there is no record, one is
// damaged or of another version, or two are of one rank: then they are of two runs. A folder beside
// the records that cannot be read is left out.
Expected<TraceFolder> read_trace_folder(const std::string& path);

}  // namespace hora::scripts
