// What was measured and done, kept in one SQLite file: horad writes, anyone who may read it reads.
#include "scripts/history/database.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>
#include <utility>

#include "scripts/history/schema.hpp"

namespace hora::history {
namespace {

std::int64_t whole(std::uint64_t value) {
    constexpr auto most = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    return static_cast<std::int64_t>(value < most ? value : most);
}

// Several megabytes are of no use; cut between letters of UTF-8.
std::string_view cut(std::string_view text) {
    if (text.size() <= Database::longest_text) {
        return text;
    }
    std::size_t end = Database::longest_text;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) {
        --end;
    }
    return text.substr(0, end);
}

std::optional<double> count_of(const std::optional<Seconds>& seconds) {
    return seconds ? std::optional(seconds->count()) : std::nullopt;
}

bool is_worth_keeping(const Sample& sample) {
    return std::isfinite(sample.step.count()) && sample.step > Seconds(0) &&
           std::isfinite(sample.predicted_compute.count()) &&
           std::isfinite(sample.predicted_exchange.count());
}

std::optional<Seconds> seconds_at(const Statement& row, int column) {
    return row.is_null(column) ? std::nullopt : std::optional(Seconds(row.real(column)));
}

std::optional<double> real_at(const Statement& row, int column) {
    return row.is_null(column) ? std::nullopt : std::optional(row.real(column));
}

Incarnation incarnation_at(const Statement& row) {
    return {.job = static_cast<std::uint64_t>(row.whole(0)),
            .submitted = row.whole(1),
            .restarts = static_cast<std::uint32_t>(row.whole(2))};
}

Sample sample_at(const Statement& row) {
    return {.of = incarnation_at(row),
            .uid = static_cast<std::uint32_t>(row.whole(3)),
            .model = row.text(4),
            .device = row.text(5),
            .gpus = static_cast<std::uint32_t>(row.whole(6)),
            .nodes = static_cast<std::uint32_t>(row.whole(7)),
            .where = row.text(8),
            .batch = static_cast<std::uint64_t>(row.whole(9)),
            .predicted_compute = Seconds(row.real(10)),
            .predicted_exchange = Seconds(row.real(11)),
            .step = Seconds(row.real(12)),
            .steps = static_cast<std::uint64_t>(row.whole(13)),
            .lost = seconds_at(row, 14),
            .when = row.whole(15),
            .late = seconds_at(row, 16)};
}

Rescale rescale_at(const Statement& row) {
    return {.of = incarnation_at(row),
            .uid = static_cast<std::uint32_t>(row.whole(3)),
            .from = static_cast<std::uint32_t>(row.whole(4)),
            .requested = row.is_null(15) ? std::nullopt
                                         : std::optional(static_cast<std::uint32_t>(row.whole(15))),
            .to = static_cast<std::uint32_t>(row.whole(5)),
            .why = row.text(6),
            .outcome = row.text(7),
            .remark = row.text(16),
            .asked = row.real(8),
            .ready = real_at(row, 9),
            .started = real_at(row, 10),
            .first_step = real_at(row, 11),
            .lost = seconds_at(row, 12),
            .step_before = seconds_at(row, 13),
            .step_after = seconds_at(row, 14)};
}

Expected<void> write(Statement& statement, const Sample& sample) {
    return statement.bind(whole(sample.of.job))
        .bind(sample.of.submitted)
        .bind(whole(sample.of.restarts))
        .bind(whole(sample.uid))
        .bind(cut(sample.model))
        .bind(cut(sample.device))
        .bind(whole(sample.gpus))
        .bind(whole(sample.nodes))
        .bind(cut(sample.where))
        .bind(whole(sample.batch))
        .bind(sample.predicted_compute.count())
        .bind(sample.predicted_exchange.count())
        .bind(sample.step.count())
        .bind(whole(sample.steps))
        .bind_if(count_of(sample.lost))
        .bind(sample.when)
        .bind_if(count_of(sample.late))
        .run();
}

Expected<Statement> select(Connection& connection, const std::string& table,
                           const std::string& time, const Filter& filter) {
    auto statement = connection.prepare(selection_of(table, time, filter));
    if (statement) {
        const auto bound = [](auto value) {
            return value ? std::optional(whole(*value)) : std::nullopt;
        };
        statement->bind_if(bound(filter.job))
            .bind_if(bound(filter.uid))
            .bind_if(filter.since)
            .bind(whole(filter.most));
    }
    return statement;
}

template <class Record, class Make>
Expected<std::vector<Record>> all(Expected<Statement> statement, Make make) {
    if (!statement) {
        return unexpected(statement.error());
    }
    std::vector<Record> records;
    while (true) {
        const auto row = statement->step();
        if (!row) {
            return unexpected(row.error());
        }
        if (!*row) {
            return records;
        }
        records.push_back(make(*statement));
    }
}

Expected<std::int64_t> changes(Connection& connection) {
    auto statement = connection.prepare("SELECT changes()");
    if (!statement) {
        return unexpected(statement.error());
    }
    const auto row = statement->step();
    return row ? Expected<std::int64_t>(statement->whole(0)) : unexpected(row.error());
}

// How many rows went: the old ones, and what is too much.
Expected<std::int64_t> forget_from(Connection& connection, const std::string& table,
                                   const std::string& time, std::int64_t oldest, std::uint32_t most,
                                   std::uint32_t at_once, const std::string& which = "1") {
    const std::string begin =
        "DELETE FROM " + table + " WHERE rowid IN (SELECT rowid FROM " + table + " WHERE " + which;
    auto old = connection.prepare(begin + " AND " + time + " < ?1 LIMIT ?2)");
    auto surplus = connection.prepare(begin + " ORDER BY " + time + " DESC LIMIT ?2 OFFSET ?1)");
    if (!old || !surplus) {
        return unexpected(!old ? old.error() : surplus.error());
    }
    if (const auto done = old->bind(oldest).bind(whole(at_once)).run(); !done) {
        return unexpected(done.error());
    }
    const auto aged = changes(connection);
    if (!aged || *aged >= at_once) {
        return aged;
    }
    if (const auto done = surplus->bind(whole(most)).bind(whole(at_once)).run(); !done) {
        return unexpected(done.error());
    }
    return changes(connection).map([&](std::int64_t rows) { return rows + *aged; });
}

// Of a file that was not made for it, this gives nothing back; its room is used again.
Expected<void> give_room_back(Connection& connection) {
    return connection.execute("PRAGMA incremental_vacuum(1000)");
}

// The keys of living jobs' plans in a table of this connection's own.
Expected<void> mark_living(Connection& connection, const std::vector<std::string>& living) {
    auto ready = connection.execute(
        "CREATE TEMP TABLE IF NOT EXISTS living (key TEXT PRIMARY KEY); DELETE FROM living");
    if (!ready) {
        return ready;
    }
    for (const std::string& key : living) {
        auto statement = connection.prepare("INSERT OR IGNORE INTO living VALUES (?)");
        const auto done = statement ? statement->bind(key).run() : unexpected(statement.error());
        if (!done) {
            return done;
        }
    }
    return {};
}

// Not at each call, or a thousand jobs would be written again and again.
Expected<void> renew_living(Connection& connection, std::int64_t now) {
    constexpr std::int64_t pause = 1800;
    auto statement = connection.prepare(
        "UPDATE plans SET at = ?1 WHERE at < ?2 AND key IN (SELECT key FROM living)");
    return statement ? statement->bind(now).bind(now - pause).run() : unexpected(statement.error());
}

}  // namespace

std::string selection_of(const std::string& table, const std::string& time, const Filter& filter) {
    std::string text = "SELECT * FROM " + table + " WHERE 1";
    text += filter.job ? " AND job = ?1" : "";
    text += filter.uid ? " AND uid = ?2" : "";
    text += filter.since ? " AND " + time + " >= ?3" : "";
    return text + " ORDER BY " + time + " DESC LIMIT ?4";
}

Expected<Database> Database::open(const std::string& path, Access access, mode_t mode,
                                  OnDamage on_damage) {
    auto connection = Connection::open(path, access, schema, mode, std::move(on_damage));
    if (!connection) {
        return unexpected(connection.error());
    }
    return Database(std::move(*connection));
}

Expected<void> Database::record(const std::vector<Sample>& samples) {
    return connection_.transaction([&]() -> Expected<void> {
        for (const Sample& sample : samples) {
            if (!is_worth_keeping(sample)) {
                continue;
            }
            auto statement = connection_.prepare(
                "INSERT OR REPLACE INTO samples VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)");
            const auto done = statement ? write(*statement, sample) : unexpected(statement.error());
            if (!done) {
                return done;
            }
        }
        return {};
    });
}

Expected<void> Database::record(const Rescale& rescale) {
    return connection_.transaction([&]() -> Expected<void> {
        auto statement = connection_.prepare(
            "INSERT OR REPLACE INTO rescales VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)");
        if (!statement) {
            return unexpected(statement.error());
        }
        return statement->bind(whole(rescale.of.job))
            .bind(rescale.of.submitted)
            .bind(whole(rescale.of.restarts))
            .bind(whole(rescale.uid))
            .bind(whole(rescale.from))
            .bind(whole(rescale.to))
            .bind(cut(rescale.why))
            .bind(cut(rescale.outcome))
            .bind(rescale.asked)
            .bind_if(rescale.ready)
            .bind_if(rescale.started)
            .bind_if(rescale.first_step)
            .bind_if(count_of(rescale.lost))
            .bind_if(count_of(rescale.step_before))
            .bind_if(count_of(rescale.step_after))
            .bind_if(rescale.requested ? std::optional(whole(*rescale.requested)) : std::nullopt)
            .bind(cut(rescale.remark))
            .run();
    });
}

Expected<void> Database::record(const std::vector<KeptPlan>& plans) {
    return connection_.transaction([&]() -> Expected<void> {
        for (const KeptPlan& plan : plans) {
            auto statement = connection_.prepare("INSERT OR IGNORE INTO plans VALUES (?,?,?)");
            const auto done =
                statement ? statement->bind(plan.key).bind(plan.when).bind(plan.record).run()
                          : unexpected(statement.error());
            if (!done) {
                return done;
            }
        }
        return {};
    });
}

Expected<std::optional<std::string>> Database::plan(std::string_view key) {
    auto statement = connection_.prepare("SELECT plan FROM plans WHERE key = ?");
    if (!statement) {
        return unexpected(statement.error());
    }
    const auto row = statement->bind(key).step();
    if (!row) {
        return unexpected(row.error());
    }
    return *row ? std::optional(statement->text(0)) : std::nullopt;
}

Expected<std::vector<Sample>> Database::samples(const Filter& filter) {
    return all<Sample>(select(connection_, "samples", "at", filter), sample_at);
}

Expected<std::vector<Rescale>> Database::rescales(const Filter& filter) {
    return all<Rescale>(select(connection_, "rescales", "asked", filter), rescale_at);
}

Expected<std::optional<std::int64_t>> Database::oldest() {
    auto statement = connection_.prepare(
        "SELECT min(t) FROM (SELECT min(at) AS t FROM samples UNION ALL SELECT min(asked) FROM "
        "rescales UNION ALL SELECT min(at) FROM plans)");
    const auto row = statement ? statement->step() : unexpected(statement.error());
    if (!row) {
        return unexpected(row.error());
    }
    const bool is_none = !*row || statement->is_null(0);
    return is_none ? std::nullopt : std::optional(static_cast<std::int64_t>(statement->real(0)));
}

Expected<bool> Database::forget(std::int64_t oldest, std::uint32_t most, std::uint32_t at_once) {
    std::int64_t samples = 0;
    std::int64_t rescales = 0;
    const auto done = connection_.transaction([&]() -> Expected<void> {
        const auto of_samples = forget_from(connection_, "samples", "at", oldest, most, at_once);
        const auto of_rescales =
            forget_from(connection_, "rescales", "asked", oldest, most, at_once);
        if (!of_samples || !of_rescales) {
            return unexpected(!of_samples ? of_samples.error() : of_rescales.error());
        }
        samples = *of_samples;
        rescales = *of_rescales;
        return {};
    });
    if (!done) {
        return unexpected(done.error());
    }
    if (samples + rescales > 0) {
        if (const auto given = give_room_back(connection_); !given) {
            return unexpected(given.error());
        }
    }
    return std::max(samples, rescales) >= at_once;
}

Expected<bool> Database::forget_plans(std::int64_t oldest, const std::vector<std::string>& living,
                                      std::int64_t now, std::uint32_t most, std::uint32_t at_once) {
    Expected<std::int64_t> gone = 0;
    const auto done = connection_.transaction([&]() -> Expected<void> {
        if (auto marked = mark_living(connection_, living); !marked) {
            return marked;
        }
        if (auto renewed = renew_living(connection_, now); !renewed) {
            return renewed;
        }
        gone = forget_from(connection_, "plans", "at", oldest, most, at_once,
                           "key NOT IN (SELECT key FROM living)");
        return gone ? Expected<void>() : unexpected(gone.error());
    });
    if (!done) {
        return unexpected(done.error());
    }
    const auto given = *gone > 0 ? give_room_back(connection_) : Expected<void>();
    return given ? Expected<bool>(*gone >= at_once) : unexpected(given.error());
}

}  // namespace hora::history
