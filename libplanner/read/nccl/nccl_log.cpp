// Which rings did NCCL build, by what it logs with NCCL_DEBUG=INFO?
#include "libplanner/read/nccl/nccl_log.hpp"

#include <map>
#include <set>
#include <unordered_map>
#include <utility>

#include "libplanner/read/nccl/nccl_line.hpp"
#include "libplanner/read/words.hpp"

namespace hora::read {
namespace {

// What one rank says of one communicator.
struct Account {
    NcclRank self;
    std::string id;
    std::uint32_t size = 0;                                     // 0: not said yet
    std::map<std::uint32_t, std::vector<std::uint32_t>> lists;  // by channel
    std::map<std::uint32_t, NcclRingStep> steps;
};

bool is_permutation(const std::vector<std::uint32_t>& ranks) {
    std::vector<bool> is_met(ranks.size(), false);
    for (const std::uint32_t rank : ranks) {
        if (rank >= ranks.size() || is_met[rank]) {
            return false;
        }
        is_met[rank] = true;
    }
    return true;
}

// What all ranks of a communicator said.
struct Gathered {
    std::string id;
    std::uint32_t size = 0;
    std::map<std::uint32_t, NcclRank> ranks;
    std::map<std::uint32_t, std::vector<std::uint32_t>> lists;
    std::map<std::uint32_t, std::unordered_map<std::uint32_t, std::uint32_t>> next;  // by channel

    void add(Account account) {
        ranks.emplace(account.self.rank, std::move(account.self));
        lists.merge(account.lists);
        for (const auto& [channel, step] : account.steps) {
            next[channel].emplace(step.rank, step.next);
        }
    }
    std::vector<std::uint32_t> ring_of(std::uint32_t channel) const;
    NcclCommunicator finished() const;
};

// Empty where it is not known whole.
std::vector<std::uint32_t> Gathered::ring_of(std::uint32_t channel) const {
    const auto list = lists.find(channel);
    if (list != lists.end() && list->second.size() == size && is_permutation(list->second)) {
        return list->second;
    }
    const auto steps = next.find(channel);
    if (steps == next.end() || steps->second.size() != size) {
        return {};
    }
    std::vector<std::uint32_t> ring;
    auto step = steps->second.find(0);
    while (step != steps->second.end() && ring.size() < size) {
        ring.push_back(step->first);
        step = steps->second.find(step->second);
    }
    const bool is_closed = step != steps->second.end() && step->first == 0;
    return is_closed && ring.size() == size && is_permutation(ring) ? ring
                                                                    : std::vector<std::uint32_t>();
}

NcclCommunicator Gathered::finished() const {
    NcclCommunicator done{id, size, {}, {}, 0};
    for (const auto& [rank, one] : ranks) {
        done.ranks.push_back(one);
    }
    std::set<std::uint32_t> channels;
    for (const auto& [channel, list] : lists) {
        channels.insert(channel);
    }
    for (const auto& [channel, steps] : next) {
        channels.insert(channel);
    }
    for (const std::uint32_t channel : channels) {
        std::vector<std::uint32_t> ring = ring_of(channel);
        if (ring.empty()) {
            ++done.torn;
        } else {
            done.rings.push_back({channel, std::move(ring)});
        }
    }
    return done;
}

class Reader {
  public:
    void take(NcclLine line);
    std::vector<NcclCommunicator> finish();

  private:
    void close(Account account);

    std::unordered_map<std::string, Account> open_;  // by thread
    std::vector<std::string> threads_;               // in the order in which they were met
    std::vector<Gathered> gathered_;
    using Name = std::pair<std::string, std::uint32_t>;  // id and size
    std::map<Name, std::vector<std::size_t>> named_;     // indices into gathered_
    // How many communicators of that name have a rank already.
    std::map<Name, std::unordered_map<std::uint32_t, std::size_t>> taken_;
};

void Reader::close(Account account) {
    if (account.size == 0) {
        // No line said whose these rings are: a whole list says it by itself.
        const auto list = account.lists.begin();
        if (list == account.lists.end() || !is_permutation(list->second)) {
            return;
        }
        account.size = static_cast<std::uint32_t>(list->second.size());
        account.self.rank = list->second.front();
    }
    const Name name(account.id, account.size);
    const std::size_t which = taken_[name][account.self.rank]++;
    std::vector<std::size_t>& alike = named_[name];
    if (which >= alike.size()) {
        alike.push_back(gathered_.size());
        gathered_.push_back({account.id, account.size, {}, {}, {}});
    }
    gathered_[alike[which]].add(std::move(account));
}

void Reader::take(NcclLine line) {
    const auto [found, is_new] = open_.try_emplace(std::string(line.thread));
    Account& account = found->second;
    if (is_new) {
        threads_.push_back(found->first);
    }
    account.self.host = line.host;
    if (auto* const list = std::get_if<NcclRingList>(&line.says)) {
        account.lists.emplace(list->channel, std::move(list->ranks));
    } else if (const auto* const step = std::get_if<NcclRingStep>(&line.says)) {
        account.steps.emplace(step->channel, *step);
    } else if (auto* const identity = std::get_if<NcclIdentity>(&line.says)) {
        if (identity->is_start) {
            close(std::exchange(account, {}));
        }
        account.self = std::move(identity->self);
        account.id = std::move(identity->id);
        account.size = identity->size;
        if (!identity->is_start) {
            close(std::exchange(account, {}));
        }
    }
}

std::vector<NcclCommunicator> Reader::finish() {
    for (const std::string& thread : threads_) {
        close(std::move(open_[thread]));
    }
    std::vector<NcclCommunicator> all;
    for (const Gathered& one : gathered_) {
        all.push_back(one.finished());
    }
    return all;
}

}  // namespace

Expected<std::vector<NcclCommunicator>> read_nccl_log(std::string_view text) {
    Reader reader;
    bool has_met_nccl = false;
    while (!text.empty()) {
        if (auto line = parse_nccl_line(take_until(text, '\n'))) {
            has_met_nccl = true;
            reader.take(std::move(*line));
        }
    }
    if (!has_met_nccl) {
        return wrong_use(
            "has no line of NCCL's; run with NCCL_DEBUG=INFO NCCL_DEBUG_SUBSYS=INIT,GRAPH");
    }
    return reader.finish();
}

}  // namespace hora::read
