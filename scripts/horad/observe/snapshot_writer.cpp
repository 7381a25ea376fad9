// When is the snapshot that submissions are planned on written anew?
#include "scripts/horad/observe/snapshot_writer.hpp"

#include <algorithm>
#include <utility>

#include "libplanner/report/plan/snapshot.hpp"

namespace hora::horad {

// Two writes may fail, or be late, before the file is taken for stale.
SnapshotWriter::SnapshotWriter(std::string path, Seconds max_age)
    : path_(std::move(path)), longest_pause_(std::min(max_age.count() / 3, 20.0)) {}

Expected<bool> SnapshotWriter::write(const domain::Snapshot& cluster, const history::Digest& digest,
                                     bool is_news, scripts::FileRights rights, std::int64_t now) {
    is_due_ = is_due_ || is_news || !(digest == digest_) || age() >= longest_pause_;
    if (!is_due_) {
        return false;
    }
    domain::Snapshot dated = cluster;
    dated.written = now;
    history::put_into(dated, digest);
    if (const auto done = scripts::replace_file(path_, report::to_json(dated), rights); !done) {
        return unexpected(done.error());
    }
    is_due_ = false;
    digest_ = digest;
    written_ = Clock::now();
    return true;
}

}  // namespace hora::horad
