// Which way does a vector take between the ranks?
#pragma once

#include <cstdint>
#include <vector>

#include "libplanner/base/units.hpp"

namespace hora::mpi {

// How long messages take to the next rank while all ranks send, by their size.
class MessageTimes {
  public:
    struct Point {
        Bytes size;
        Seconds first;    // one message
        Seconds further;  // each further one that is sent at once
    };

    // By rising size, at least two. A time above that of a longer message was disturbed, and is
    // taken to be that one; the points at the end that take as long as the longest are left out.
    explicit MessageTimes(std::vector<Point> points);

    // So many messages of this size at once, at least one. Between two points as on a line, beyond
    // them on the line of the nearest two.
    Seconds of(Bytes size, std::uint32_t messages = 1) const;
    Seconds latency() const { return points_.front().first; }
    // Of long messages, in bytes a second.
    Bandwidth bandwidth() const;

  private:
    std::vector<Point> points_;
};

// Ranks whose numbers differ in one digit alone talk to each other; a level has `factor` of them.
struct Level {
    std::uint32_t factor = 1;
    // Each sends the others all it has, and all have the sum. Otherwise each sums one part, and
    // gets the other parts' sums at the end.
    bool is_whole = false;

    friend bool operator==(const Level&, const Level&) = default;
};

struct Route {
    // The product of the factors is the number of ranks, and whole levels are the last ones. Empty
    // for the ring: chunks in slices go around it, and neighbours alone talk to each other.
    std::vector<Level> levels;

    bool is_ring() const { return levels.empty(); }
    friend bool operator==(const Route&, const Route&) = default;
};

// One level of all ranks takes the fewest latencies, two ranks at a time (recursive halving and
// doubling) the fewest messages: the least sum over all ways to divide the ranks is found over the
// divisors of their number. The ring is taken where it is hardly slower, for it asks least of the
// network between switches; and by `preference` already where that costs no more than a sixteenth:
// of vectors whose chunks take sixteen times as long as the latency. The same on all ranks for the
// same arguments.
enum class Preference { fastest, ring };
Route choose_route(Bytes size, std::uint32_t ranks, const MessageTimes& times,
                   Preference preference = Preference::fastest);

// Bytes of a message whose sending takes many times as long as the latency; no more than `largest`.
Bytes message_size(const MessageTimes& times, Bytes largest);

// Slices of a ring's chunk, none larger than a message. At least 1.
std::uint32_t slices_of_chunk(Bytes chunk, Bytes message);

}  // namespace hora::mpi
