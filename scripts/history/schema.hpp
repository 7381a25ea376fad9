// What tables has the history, and how does that of an earlier Hora come to have them?
#pragma once

#include <array>
#include <string_view>

#include "scripts/history/connection.hpp"

namespace hora::history {

inline constexpr std::array<std::string_view, 6> schema_steps{
    R"(CREATE TABLE samples (
           job INTEGER NOT NULL, submitted INTEGER NOT NULL, restarts INTEGER NOT NULL,
           uid INTEGER NOT NULL, model TEXT NOT NULL, device TEXT NOT NULL,
           gpus INTEGER NOT NULL, nodes INTEGER NOT NULL, place TEXT NOT NULL,
           batch INTEGER NOT NULL, predicted_compute REAL NOT NULL,
           predicted_exchange REAL NOT NULL, step REAL NOT NULL, steps INTEGER NOT NULL,
           lost REAL, at INTEGER NOT NULL,
           PRIMARY KEY (job, submitted, restarts));
       CREATE INDEX samples_at ON samples (at);
       CREATE TABLE rescales (
           job INTEGER NOT NULL, submitted INTEGER NOT NULL, restarts INTEGER NOT NULL,
           uid INTEGER NOT NULL, gpus_from INTEGER NOT NULL, gpus_to INTEGER NOT NULL,
           why TEXT NOT NULL, outcome TEXT NOT NULL, asked REAL NOT NULL, ready REAL,
           started REAL, first_step REAL, lost REAL, step_before REAL, step_after REAL,
           PRIMARY KEY (job, submitted, restarts));
       CREATE INDEX rescales_asked ON rescales (asked);)",
    // One start may be asked for another size several times.
    R"(ALTER TABLE rescales RENAME TO rescales_of_starts;
       DROP INDEX rescales_asked;
       CREATE TABLE rescales (
           job INTEGER NOT NULL, submitted INTEGER NOT NULL, restarts INTEGER NOT NULL,
           uid INTEGER NOT NULL, gpus_from INTEGER NOT NULL, gpus_to INTEGER NOT NULL,
           why TEXT NOT NULL, outcome TEXT NOT NULL, asked REAL NOT NULL, ready REAL,
           started REAL, first_step REAL, lost REAL, step_before REAL, step_after REAL,
           PRIMARY KEY (job, submitted, restarts, asked));
       CREATE INDEX rescales_asked ON rescales (asked);
       INSERT INTO rescales SELECT * FROM rescales_of_starts;
       DROP TABLE rescales_of_starts;)",
    // Of the others only what they have got is known.
    R"(ALTER TABLE rescales ADD COLUMN gpus_wished INTEGER;
       ALTER TABLE rescales ADD COLUMN remark TEXT NOT NULL DEFAULT '';
       UPDATE rescales SET gpus_wished = gpus_to WHERE outcome IN ('done', 'pending');)",
    // What jobs carry only the key of.
    R"(CREATE TABLE plans (key TEXT PRIMARY KEY NOT NULL, at INTEGER NOT NULL, plan TEXT NOT NULL);
       CREATE INDEX plans_at ON plans (at);)",
    // The words of the field.
    R"(ALTER TABLE rescales RENAME COLUMN gpus_wished TO gpus_requested;
       UPDATE rescales SET outcome = 'no checkpoint' WHERE outcome = 'unanswered';
       UPDATE rescales SET outcome = 'reverted' WHERE outcome = 'taken back';
       UPDATE rescales SET outcome = 'cancelled' WHERE outcome = 'changed';)",
    // Of a step; jobs that record no timeline do not know it.
    "ALTER TABLE samples ADD COLUMN late REAL;",
};

inline constexpr Schema schema{
    .what = "history", .application_id = 0x486f7261, .steps = schema_steps};

}  // namespace hora::history
