// Does a ring with a late rank take what its messages take, counted one by one?
#include "libplanner/cost/late_rank.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <functional>
#include <queue>
#include <vector>

#include "libplanner/cost/exchange.hpp"

namespace hora::cost {
namespace {

// Plays every addition, copy and message of an all-reduce over a ring. A chunk has the number of
// its owner, and begins its way at the owner's successor. Rank 0 is the late one.
class Ring {
  public:
    enum class Mode { waits, bypasses };

    Ring(const LateRank& late, std::uint64_t addition, Mode mode)
        : late_(late), addition_(addition), mode_(mode), ranks_(late.ranks) {
        for (std::size_t rank = 0; rank < size(); ++rank) {
            ranks_[rank].has_left.resize(size());
            send(Seconds(0), next(rank), {.chunk = before(rank, 1), .parts = 1});
            ranks_[rank].has_left[before(rank, 1)] = true;
        }
    }

    Seconds play() {
        Seconds end;
        while (!events_.empty()) {
            const Event event = events_.top();
            events_.pop();
            if (event.has_message) {
                ranks_[event.rank].mail.push_back(event.message);
            }
            if (ranks_[event.rank].busy_until <= event.time) {
                serve(event.rank, event.time);
            }
            end = std::max(end, ranks_[event.rank].busy_until);
        }
        return end;
    }

  private:
    struct Message {
        std::size_t chunk = 0;
        std::size_t parts = 0;  // that are summed in it; all: the result
    };
    struct Event {
        Seconds time;
        std::size_t rank = 0;
        bool has_message = false;
        Message message{};

        friend bool operator>(const Event& a, const Event& b) { return a.time > b.time; }
    };
    struct Rank {
        Seconds busy_until;
        std::deque<Message> mail;
        std::deque<Message> to_add;
        std::deque<Message> own;  // parts of its own chunk
        std::deque<Message> to_copy;
        std::vector<bool> has_left;  // by chunk
        std::size_t own_parts = 1;
        std::size_t additions = 0;
    };

    std::size_t size() const { return static_cast<std::size_t>(late_.ranks); }
    std::size_t next(std::size_t rank) const { return (rank + 1) % size(); }
    std::size_t before(std::size_t rank, std::size_t by) const {
        return (rank + 2 * size() - by) % size();
    }
    void send(Seconds time, std::size_t to, const Message& message) {
        events_.push({time + late_.hop, to, true, message});
    }
    void wake(Seconds time, std::size_t rank) { events_.push({time, rank}); }

    void sort_mail(std::size_t number, Seconds now) {
        Rank& rank = ranks_[number];
        for (const Message& message : rank.mail) {
            if (message.parts == size()) {
                rank.to_copy.push_back(message);
            } else if (message.chunk == number) {
                rank.own.push_back(message);
            } else if (rank.has_left[message.chunk]) {
                send(now, message.chunk, message);
            } else {
                rank.to_add.push_back(message);
            }
        }
        rank.mail.clear();
    }

    // T after it has come in a ring in which no rank is late.
    Seconds deadline(std::size_t at) const {
        return static_cast<double>(at) * (late_.handling + late_.hop);
    }

    // The next rank waits for T longer than this one is to send it.
    std::size_t receiver(std::size_t number, std::size_t chunk, Seconds now) const {
        const bool is_past_next =
            mode_ == Mode::bypasses && now > deadline(before(number, chunk + 1)) + late_.handling;
        return is_past_next ? chunk : next(number);
    }

    void go_ahead(std::size_t number, Seconds now) {
        Rank& rank = ranks_[number];
        for (std::size_t at = 1; at + 1 < size(); ++at) {
            const std::size_t chunk = before(number, at + 1);
            if (rank.has_left[chunk]) {
                continue;
            }
            // What is handled in time is begun T before.
            if (now < deadline(at) + late_.handling * 1e-9) {
                return wake(deadline(at) + late_.handling * 2e-9, number);
            }
            rank.has_left[chunk] = true;
            send(now, receiver(number, chunk, now), {chunk, 1});
            for (const Message& message : rank.to_add) {
                if (message.chunk == chunk) {
                    send(now, chunk, message);
                }
            }
            std::erase_if(rank.to_add, [&](const Message& one) { return one.chunk == chunk; });
        }
    }

    bool has_all_parts(const Rank& rank) const {
        std::size_t parts = rank.own_parts;
        for (const Message& message : rank.own) {
            parts += message.parts;
        }
        return parts == size();
    }
    bool has_sent_all(std::size_t number) const {
        return std::ranges::count(ranks_[number].has_left, false) == 1;  // its own chunk
    }

    // So many vectors are read, and one is written.
    Seconds handle(std::size_t number, Seconds now, std::size_t vectors) {
        Rank& rank = ranks_[number];
        const bool is_addition = vectors > 1;
        rank.additions += is_addition ? 1 : 0;
        const bool is_late = number == 0 && is_addition && rank.additions == addition_;
        const double times = is_addition ? static_cast<double>(vectors + 1) / 3 : 1;
        rank.busy_until = now + times * late_.handling + (is_late ? late_.lateness : Seconds(0));
        wake(rank.busy_until, number);
        return rank.busy_until;
    }

    void serve(std::size_t number, Seconds now) {
        Rank& rank = ranks_[number];
        sort_mail(number, now);
        if (mode_ == Mode::bypasses) {
            go_ahead(number, now);
        }
        if (!rank.to_add.empty()) {
            const Message message = rank.to_add.front();
            rank.to_add.pop_front();
            rank.has_left[message.chunk] = true;
            const Seconds done = handle(number, now, 2);
            send(done, receiver(number, message.chunk, done), {message.chunk, message.parts + 1});
        } else if (!rank.own.empty() && has_all_parts(rank)) {
            add_own(number, now);
        } else if (!rank.to_copy.empty()) {
            const Message message = rank.to_copy.front();
            rank.to_copy.pop_front();
            const Seconds done = handle(number, now, 1);
            if (next(number) != message.chunk) {
                send(done, next(number), message);
            }
        } else if (!rank.own.empty() && has_sent_all(number)) {
            add_own(number, now);
        }
    }

    void add_own(std::size_t number, Seconds now) {
        Rank& rank = ranks_[number];
        for (const Message& message : rank.own) {
            rank.own_parts += message.parts;
        }
        const Seconds done = handle(number, now, rank.own.size() + 1);
        rank.own.clear();
        if (rank.own_parts == size()) {
            send(done, next(number), {number, size()});
        }
    }

    const LateRank late_;
    const std::uint64_t addition_;
    const Mode mode_;
    std::vector<Rank> ranks_;
    std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
};

// A chunk is handled in 1 s, and gets to the next rank in another.
TEST(LateRank, TakesWhatTheFormulaSays) {
    struct Case {
        const char* name;
        std::uint64_t ranks;
        double lateness;
        std::uint64_t addition;
        double ring;
        double bypass;
    };
    const Case cases[] = {
        {"no rank is late: 2 * 7 * 2 s", 8, 0, 1, 28, 28},
        {"no rank goes ahead before a chunk is 1 s overdue", 8, 1, 1, 29, 29},
        {"4/3 s for the owner, which adds two late partials at once", 8, 5, 1, 33, 28 + 4.0 / 3},
        {"the late chunk bounds it: 2 s + 20 s + 1 s + 4/3 s + 7 * 2 s", 8, 20, 1, 48,
         37 + 4.0 / 3},
        {"no rank is left to go ahead at the last addition", 8, 20, 7, 48, 48},
        {"nor of two", 2, 20, 1, 24, 24},
    };
    for (const Case& each : cases) {
        SCOPED_TRACE(each.name);
        const LateRank late{each.ranks, Seconds(1), Seconds(1), Seconds(each.lateness)};
        EXPECT_DOUBLE_EQ(ring_with_late_rank(late).count(), each.ring);
        EXPECT_DOUBLE_EQ(bypassing_ring(late, each.addition).count(), each.bypass);
    }
}

LateRank some_late_rank() {
    return {.ranks = *rc::gen::inRange<std::uint64_t>(2, 33),
            .handling = Seconds(1),
            .hop = Seconds(*rc::gen::element(0.0, 0.03, 0.3, 1.0, 2.0)),
            .lateness = Seconds(*rc::gen::inRange(0, 1000) * 0.05)};
}

RC_GTEST_PROP(LateRank, TheRingEqualsItsMessagesOneByOne, ()) {
    const LateRank late = some_late_rank();
    const auto addition = *rc::gen::inRange<std::uint64_t>(1, late.ranks);
    const Seconds counted = Ring(late, addition, Ring::Mode::waits).play();
    RC_ASSERT(std::abs(ring_with_late_rank(late) / counted - 1) < 1e-9);
}

// What it leaves out: an owner to which one partial comes late, or more than two, and chunks that
// others pass on.
RC_GTEST_PROP(LateRank, TheBypassIsNearItsMessagesOneByOne, ()) {
    const LateRank late = some_late_rank();
    Seconds all_predicted;
    Seconds all_counted;
    for (std::uint64_t addition = 1; addition < late.ranks; ++addition) {
        const Seconds predicted = bypassing_ring(late, addition);
        const Seconds counted = Ring(late, addition, Ring::Mode::bypasses).play();
        RC_ASSERT(std::abs(predicted / counted - 1) < 0.12);
        all_predicted += predicted;
        all_counted += counted;
    }
    RC_ASSERT(std::abs(all_predicted / all_counted - 1) < 0.04);
}

RC_GTEST_PROP(LateRank, TheBypassIsNeverSlowerThanTheRing, ()) {
    const LateRank late = some_late_rank();
    LateRank in_time = late;
    in_time.lateness = Seconds(0);
    for (std::uint64_t addition = 1; addition < late.ranks; ++addition) {
        RC_ASSERT(bypassing_ring(late, addition) <= ring_with_late_rank(late));
        RC_ASSERT(bypassing_ring(late, addition) >= ring_with_late_rank(in_time));
    }
}

// Over a link on which each of the 2 (N - 1) hops takes `hop`.
domain::Plan plan_over(std::uint64_t members, Seconds hop, Seconds step) {
    domain::Plan plan;
    plan.mode = domain::Mode::sync;
    plan.members.resize(members);
    plan.step_seconds = step;
    plan.exchange = {.kind = domain::Exchange::ring, .bytes = Bytes(0)};
    plan.link = {.bandwidth = Bandwidth(1), .latency = hop};
    return plan;
}

TEST(LateStep, IsAsTheExchangeOfThePlanTakesIt) {
    struct Given {
        domain::Plan plan = plan_over(8, Seconds(1), Seconds(100));
        PlannedExchange exchange{.factor = 1, .was_measured = false, .may_bypass = true};
    };
    struct Case {
        const char* name;
        std::function<void(Given&)> change;
        std::optional<double> waiting;
        std::optional<double> bypassing;
    };
    const Case cases[] = {
        // The 22 s of the ring become 17 1/3 s, by the late chunk's way.
        {"a ring of eight", [](Given&) {}, 108, 100 + 10.0 / 3},
        {"a ring of four: the 14 s become 13 1/3 s",
         [](Given& given) { given.plan.members.resize(4); }, 108, 108 - 2.0 / 3},
        {"a ring of three goes round too soon",
         [](Given& given) { given.plan.members.resize(3); },
         108,
         {}},
        {"it was measured with the lateness",
         [](Given& given) { given.exchange.was_measured = true; }, 100, 100 - 14.0 / 3},
        {"the exchange was measured to take half as long",
         [](Given& given) {
             given.exchange.was_measured = true;
             given.exchange.factor = 0.5;
         },
         100, 100 - 7.0 / 3},
        {"only a computation was measured",
         [](Given& given) { given.plan.correction = domain::Correction{.runs = 1}; }, 108,
         100 + 10.0 / 3},
        {"a tree cannot go ahead",
         [](Given& given) { given.plan.exchange.kind = domain::Exchange::tree; },
         108,
         {}},
        {"nor can a ring that is not Hora's",
         [](Given& given) { given.exchange.may_bypass = false; },
         108,
         {}},
        {"one GPU waits for none", [](Given& given) { given.plan.members.resize(1); }, {}, {}},
        {"nor do the members of mode async",
         [](Given& given) { given.plan.mode = domain::Mode::async; },
         {},
         {}},
        {"no plan has no step", [](Given& given) { given.plan.members.clear(); }, {}, {}},
    };
    for (const Case& each : cases) {
        SCOPED_TRACE(each.name);
        Given given;
        each.change(given);
        const auto late = step_with_late_rank(given.plan, Seconds(8), given.exchange);
        ASSERT_EQ(late.has_value(), each.waiting.has_value());
        if (late) {
            EXPECT_DOUBLE_EQ(late->waiting.count(), *each.waiting);
            EXPECT_EQ(late->was_measured, given.exchange.was_measured);
            ASSERT_EQ(late->bypassing.has_value(), each.bypassing.has_value());
            EXPECT_DOUBLE_EQ(late->bypassing.value_or(Seconds(0)).count(),
                             each.bypassing.value_or(0));
        }
    }
}

TEST(Lateness, IsExpectedOfTheStepsOfAPlan) {
    const struct {
        const char* name;
        std::function<void(domain::Plan&)> change;
        std::optional<double> share;
        double factor;
        std::optional<domain::Lateness> lateness;
    } cases[] = {
        {"a ring of eight", [](domain::Plan&) {}, 0.08, 1,
         domain::Lateness{Seconds(8), Seconds(14.0 / 3)}},
        {"whose exchange was measured to take half as long", [](domain::Plan&) {}, 0.08, 0.5,
         domain::Lateness{Seconds(8), Seconds(7.0 / 3)}},
        {"a tree cannot go ahead",
         [](domain::Plan& plan) { plan.exchange.kind = domain::Exchange::tree; }, 0.08, 1,
         domain::Lateness{Seconds(8), Seconds(0)}},
        {"no run has recorded it", [](domain::Plan&) {}, {}, 1, {}},
        {"no run waited", [](domain::Plan&) {}, 0, 1, {}},
        {"less than a step is known to", [](domain::Plan&) {}, 0.049, 1, {}},
        {"one GPU waits for none", [](domain::Plan& plan) { plan.members.resize(1); }, 0.08, 1, {}},
        {"nor do the members of mode async",
         [](domain::Plan& plan) { plan.mode = domain::Mode::async; },
         0.08,
         1,
         {}},
        {"no plan has no step", [](domain::Plan& plan) { plan.members.clear(); }, 0.08, 1, {}},
    };
    for (const auto& each : cases) {
        SCOPED_TRACE(each.name);
        domain::Plan plan = plan_over(8, Seconds(1), Seconds(100));
        each.change(plan);
        const auto lateness = expected_lateness(plan, each.share, each.factor);
        ASSERT_EQ(lateness.has_value(), each.lateness.has_value());
        if (lateness) {
            EXPECT_DOUBLE_EQ(lateness->waiting.count(), each.lateness->waiting.count());
            EXPECT_NEAR(lateness->bypassed.count(), each.lateness->bypassed.count(), 1e-9);
        }
    }
}

// As hora plan --lateness has it of the same plan, whose step has waited already.
RC_GTEST_PROP(Lateness, IsBypassedAsThatOfMeasuredSteps, ()) {
    const Seconds hop(*rc::gen::inRange(0, 100) * 0.01);
    const auto members = *rc::gen::inRange<std::uint64_t>(2, 65);
    const double share = *rc::gen::inRange(0, 101) * 0.01;
    const Seconds step = ring_exchange(Bytes(0), members, {Bandwidth(1), hop}) + Seconds(1);
    const domain::Plan plan = plan_over(members, hop, step);
    const PlannedExchange exchange{.factor = 1, .was_measured = true, .may_bypass = true};
    const auto expected = expected_lateness(plan, share, 1);
    RC_ASSERT(expected.has_value() == (share >= least_late_share));
    if (expected) {
        const auto given = step_with_late_rank(plan, expected->waiting, exchange);
        const Seconds saved = given->waiting - given->bypassing.value_or(given->waiting);
        RC_ASSERT(expected->bypassed >= Seconds(0));
        RC_ASSERT(expected->bypassed <= expected->waiting);
        RC_ASSERT(std::abs((saved - expected->bypassed).count()) < 1e-9);
    }
}

// Measured steps have the lateness already.
RC_GTEST_PROP(LateStep, CountsTheLatenessOnce, ()) {
    const Seconds lateness(*rc::gen::inRange(0, 1000) * 0.05);
    const Seconds hop(*rc::gen::inRange(0, 100) * 0.01);
    const auto members = *rc::gen::inRange<std::uint64_t>(2, 65);
    const Seconds in_time = ring_exchange(Bytes(0), members, {Bandwidth(1), hop}) + Seconds(1);
    const domain::Plan plan = plan_over(members, hop, in_time);
    const domain::Plan measured = plan_over(members, hop, in_time + lateness);
    PlannedExchange exchange{.factor = 1, .was_measured = false, .may_bypass = true};
    const auto late = step_with_late_rank(plan, lateness, exchange);
    exchange.was_measured = true;
    const auto late_as_measured = step_with_late_rank(measured, lateness, exchange);
    RC_ASSERT(late->waiting == in_time + lateness);
    RC_ASSERT(late_as_measured->waiting == late->waiting);
    RC_ASSERT(late_as_measured->bypassing == late->bypassing);
    const Seconds bypassing = late->bypassing.value_or(late->waiting);
    RC_ASSERT(bypassing <= late->waiting);
    RC_ASSERT(bypassing >= in_time * (1 - 1e-12));
}

}  // namespace
}  // namespace hora::cost
