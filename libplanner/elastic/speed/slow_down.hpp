// By what factor do exchanges between a cluster's nodes take longer than its data sheet says?
#pragma once

#include <cmath>
#include <map>
#include <optional>
#include <string>

namespace hora::elastic {

// By the logarithms of factors in general, chosen on published step times:
// tests/bench/speed_models prints what that is worth on models and devices that had no part in it.
struct SlowDownConstants {
    double usual = 0.7;                 // the mean: NCCL over TCP attains half of what is written
    double between_clusters = 1;        // standard deviation of clusters' means
    double between_applications = 0.4;  // of applications on one cluster: sizes of messages
};

// What is thought of the factor: its logarithm is normal. As it stands here, of a cluster that
// nothing is known of.
struct SlowDown {
    double log = SlowDownConstants().usual;
    double deviation = std::sqrt(
        SlowDownConstants().between_clusters * SlowDownConstants().between_clusters +
        SlowDownConstants().between_applications * SlowDownConstants().between_applications);

    friend bool operator==(const SlowDown&, const SlowDown&) = default;
};

// Is that so much another one that a curve had better be fitted anew?
bool is_other(const SlowDown& one, const SlowDown& other);

// What jobs of one cluster have shown: a job that has run on one node alone is to expect of several
// what others found there. An application counts once, however many jobs it has.
class SlowDowns {
  public:
    explicit SlowDowns(const SlowDownConstants& constants = {}) : constants_(constants) {}

    // By the points of one job alone, whatever it expected.
    void add(const std::string& application, const SlowDown& shown);
    // What was added before, and counts no more.
    void remove(const std::string& application, const SlowDown& shown);
    // For a job of this application; what it has added itself (`own`) is no second witness.
    SlowDown expected(const std::string& application,
                      const std::optional<SlowDown>& own = std::nullopt) const;

  private:
    struct Shown {
        double count = 0;
        double precisions = 0;
        double logs = 0;  // each times its precision

        void add(const SlowDown& shown, double times);  // -1: take it away
    };
    struct Sum {
        double precision = 0;
        double log = 0;  // times the precision
    };
    Sum weight_of(const Shown& shown) const;
    void change(const std::string& application, const SlowDown& shown, double times);

    SlowDownConstants constants_;
    std::map<std::string, Shown> shown_;  // by application
    Sum sum_;                             // over applications
};

}  // namespace hora::elastic
