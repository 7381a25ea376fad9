// The text that a language model learns: reads the file, counts its words and numbers them.
#include "contrib/language-model/text.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <numeric>
#include <span>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "contrib/trainer/data_file.hpp"

namespace hora::trainer {
namespace {

constexpr std::size_t longest_word = 64;
constexpr std::size_t block = 200;
constexpr std::size_t blocks_a_test = 20;
constexpr std::size_t fewest_words = block * blocks_a_test;  // some are held out

bool is_letter(char character) {
    const auto byte = static_cast<unsigned char>(character);
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
           (byte >= '0' && byte <= '9') || byte >= 0x80;
}

char small(char character) {
    return character >= 'A' && character <= 'Z' ? static_cast<char>(character - 'A' + 'a')
                                                : character;
}

struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view word) const {
        return std::hash<std::string_view>()(word);
    }
};

// Numbers words in the order in which they first occur.
class Words {
  public:
    explicit Words(std::uint64_t most) : most_(most) {}

    bool is_full() const { return numbers_.size() == most_; }
    void read(std::span<const char> text) {
        for (const char character : text) {
            take(character);
        }
    }
    void end() {
        if (!word_.empty() && !is_full()) {
            numbers_.push_back(number_of(word_));
        }
        word_.clear();
        has_apostrophe_ = false;
    }

    const std::vector<std::uint32_t>& numbers() const { return numbers_; }
    std::vector<std::string_view> spellings() const {
        std::vector<std::string_view> spellings(known_.size());
        for (const auto& [word, number] : known_) {
            spellings[number] = word;
        }
        return spellings;
    }

  private:
    void take(char character) {
        if (is_letter(character)) {
            if (std::exchange(has_apostrophe_, false)) {
                add('\'');
            }
            add(small(character));
        } else if (character == '\'' && !word_.empty() && !has_apostrophe_) {
            has_apostrophe_ = true;  // of the word, if a letter follows
        } else {
            end();
        }
    }
    void add(char character) {
        if (word_.size() < longest_word) {
            word_ += character;
        }
    }
    std::uint32_t number_of(std::string_view word) {
        const auto known = known_.find(word);
        return known != known_.end()
                   ? known->second
                   : known_.emplace(word, static_cast<std::uint32_t>(known_.size())).first->second;
    }

    std::uint64_t most_;
    std::string word_;
    bool has_apostrophe_ = false;
    std::unordered_map<std::string, std::uint32_t, Hash, std::equal_to<>> known_;
    std::vector<std::uint32_t> numbers_;
};

Expected<void> read_words(const std::string& path, Words& words) {
    auto read = read_parts({.path = path, .what = "a text", .package = "dict-gcide"},
                           [&](std::span<const char> part) {
                               words.read(part);
                               return !words.is_full();
                           });
    words.end();
    return read;
}

bool is_held_out(std::size_t place) {
    return place / block % blocks_a_test == blocks_a_test - 1;
}

// The number that each word gets, by falling count; of the text that is held out nothing is known.
std::vector<std::uint32_t> ranks_of(const Words& words) {
    const std::vector<std::string_view> spellings = words.spellings();
    std::vector<std::uint64_t> counts(spellings.size());
    for (std::size_t i = 0; i < words.numbers().size(); ++i) {
        counts[words.numbers()[i]] += is_held_out(i) ? 0 : 1;
    }
    std::vector<std::uint32_t> order(spellings.size());
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::sort(order, [&](std::uint32_t a, std::uint32_t b) {
        return counts[a] != counts[b] ? counts[a] > counts[b] : spellings[a] < spellings[b];
    });
    const auto unseen = static_cast<std::uint32_t>(order.size());
    std::vector<std::uint32_t> ranks(order.size());
    for (std::uint32_t rank = 0; rank < order.size(); ++rank) {
        ranks[order[rank]] = counts[order[rank]] == 0 ? unseen : rank;
    }
    return ranks;
}

std::uint32_t checksum_of(const std::vector<std::uint32_t>& numbers, std::uint32_t before) {
    return static_cast<std::uint32_t>(crc32_z(before,
                                              reinterpret_cast<const Bytef*>(numbers.data()),
                                              numbers.size() * sizeof(std::uint32_t)));
}

}  // namespace

Expected<Text> read_text(const std::string& path, std::uint64_t words, std::uint32_t vocabulary) {
    Words all(words);
    if (const auto done = read_words(path, all); !done) {
        return unexpected(done.error());
    }
    if (all.numbers().size() < fewest_words) {
        return failure(fmt::format("\"{}\" has {} words; a language model needs at least {}", path,
                                   all.numbers().size(), fewest_words));
    }
    const std::vector<std::uint32_t> ranks = ranks_of(all);
    const auto seen = static_cast<std::uint32_t>(
        std::ranges::count_if(ranks, [&](std::uint32_t rank) { return rank < ranks.size(); }));
    Text text;
    text.vocabulary = std::min(vocabulary, seen + 1);
    for (std::size_t i = 0; i < all.numbers().size(); ++i) {
        const std::uint32_t number = std::min(ranks[all.numbers()[i]], text.vocabulary - 1);
        (is_held_out(i) ? text.test : text.training).push_back(number);
    }
    text.checksum = checksum_of(text.test, checksum_of(text.training, 0));
    return text;
}

}  // namespace hora::trainer
