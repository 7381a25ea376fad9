// How do a workload's numbers travel as one short line of text?
#include "libplanner/read/model/workload_text.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>

namespace hora::read {
namespace {

using domain::LayerCost;
using domain::LayerKind;
using domain::Workload;

constexpr std::string_view digits =
    "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
constexpr std::string_view version = "2";
constexpr std::string_view chosen_by_framework = "auto";  // in place of a data type
constexpr std::uint8_t no_digit = 255;

// By letter: its value. A submission waits for some thousand of them.
constexpr std::array<std::uint8_t, 256> value_table = [] {
    std::array<std::uint8_t, 256> values{};
    values.fill(no_digit);
    for (std::size_t i = 0; i < digits.size(); ++i) {
        values[static_cast<unsigned char>(digits[i])] = static_cast<std::uint8_t>(i);
    }
    return values;
}();

constexpr std::uint8_t value_of(char letter) {
    return value_table[static_cast<unsigned char>(letter)];
}

void append_number(std::string& text, std::uint64_t number) {
    const std::size_t start = text.size();
    do {
        text.push_back(digits[number % digits.size()]);
        number /= digits.size();
    } while (number != 0);
    std::reverse(text.begin() + static_cast<std::ptrdiff_t>(start), text.end());
}

// Looks at the text from left to right; each take_... moves on only when it succeeds.
class Cursor {
  public:
    explicit Cursor(std::string_view text) : text_(text) {}

    bool is_at_end() const { return place_ == text_.size(); }

    bool take(char wanted) {
        if (is_at_end() || text_[place_] != wanted) {
            return false;
        }
        ++place_;
        return true;
    }

    std::optional<LayerKind> take_kind() {
        const auto kind = is_at_end() ? std::nullopt : domain::layer_kind_lettered(text_[place_]);
        place_ += kind ? 1 : 0;
        return kind;
    }

    std::string_view take_word() {
        const std::size_t start = place_;
        while (!is_at_end() && value_of(text_[place_]) != no_digit) {
            ++place_;
        }
        return text_.substr(start, place_ - start);
    }

    std::optional<std::uint64_t> take_number(std::uint64_t largest) {
        std::size_t end = place_;
        std::uint64_t number = 0;
        for (; end < text_.size() && value_of(text_[end]) != no_digit; ++end) {
            number = number * digits.size() + value_of(text_[end]);
            if (number > largest) {  // largest * 62 + 61 fits, so this comes before an overflow
                return std::nullopt;
            }
        }
        const std::size_t length = end - place_;
        const bool is_canonical = length == 1 || (length > 1 && text_[place_] != '0');
        if (!is_canonical) {
            return std::nullopt;
        }
        place_ = end;
        return number;
    }

    tl::unexpected<Error> fail(std::string_view expected) const {
        return failure(
            fmt::format("workload text: character {}: expected {}", place_ + 1, expected));
    }

  private:
    std::string_view text_;
    std::size_t place_ = 0;
};

constexpr std::string_view a_number = "a number of at most 2^50 in base 62";

Expected<void> take_rows(Cursor& cursor, LayerCost& layer) {
    const std::optional<std::uint64_t> row = cursor.take_number(layer.weight_bytes);
    if (!row || *row == 0) {
        return cursor.fail("the bytes of a row, at most all");
    }
    if (!cursor.take('.')) {
        return cursor.fail("\".\"");
    }
    const std::optional<std::uint64_t> words = cursor.take_number(domain::max_workload_number);
    if (!words || *words == 0) {
        return cursor.fail("the words of a sample");
    }
    layer.row_bytes = *row;
    layer.words = *words;
    return {};
}

Expected<void> take_layer(Cursor& cursor, LayerCost& layer) {
    const std::optional<LayerKind> kind = cursor.take_kind();
    if (!kind) {
        return cursor.fail("the letter of a kind of layer");
    }
    layer.kind = *kind;
    std::uint64_t* const fields[] = {&layer.mac, &layer.weight_bytes, &layer.activation_bytes};
    for (std::uint64_t* const field : fields) {
        if (field != fields[0] && !cursor.take('.')) {
            return cursor.fail("\".\"");
        }
        const std::optional<std::uint64_t> number = cursor.take_number(domain::max_workload_number);
        if (!number) {
            return cursor.fail(a_number);
        }
        *field = *number;
    }
    return cursor.take('.') ? take_rows(cursor, layer) : Expected<void>();
}

Expected<std::size_t> take_count(Cursor& cursor, std::size_t left) {
    if (!cursor.take('*')) {
        return 1;
    }
    const std::optional<std::uint64_t> count = cursor.take_number(left);
    if (!count || *count < 2) {
        return cursor.fail(fmt::format("a count of at least 2, and {} layers at most",
                                       domain::max_workload_layers));
    }
    return *count;
}

Expected<void> take_layers(Cursor& cursor, std::vector<LayerCost>& layers) {
    do {
        if (layers.size() == domain::max_workload_layers) {
            return cursor.fail(fmt::format("at most {} layers", domain::max_workload_layers));
        }
        LayerCost layer;
        if (const Expected<void> taken = take_layer(cursor, layer); !taken) {
            return taken;
        }
        if (!layers.empty() && layers.back() == layer) {
            return cursor.fail("a layer unlike the one before");
        }
        const Expected<std::size_t> count =
            take_count(cursor, domain::max_workload_layers - layers.size());
        if (!count) {
            return unexpected(count.error());
        }
        layers.resize(layers.size() + *count, layer);
    } while (cursor.take('-'));
    return {};
}

}  // namespace

std::string to_text(const Workload& workload) {
    std::string text(version);
    text += '.';
    text += workload.data_type ? domain::info(*workload.data_type).name : chosen_by_framework;
    char separator = '.';
    for (auto layer = workload.layers.begin(); layer != workload.layers.end();) {
        const auto next = std::find_if(layer, workload.layers.end(),
                                       [&](const LayerCost& other) { return !(other == *layer); });
        text += separator;
        text += domain::info(layer->kind).letter;
        append_number(text, layer->mac);
        for (const std::uint64_t number : {layer->weight_bytes, layer->activation_bytes}) {
            text += '.';
            append_number(text, number);
        }
        if (layer->has_rows()) {
            for (const std::uint64_t number : {layer->row_bytes, layer->words}) {
                text += '.';
                append_number(text, number);
            }
        }
        if (next - layer > 1) {
            text += '*';
            append_number(text, static_cast<std::uint64_t>(next - layer));
        }
        separator = '-';
        layer = next;
    }
    return text;
}

Expected<Workload> read_workload_text(std::string_view text) {
    Cursor cursor(text);
    if (text.size() > domain::max_workload_text) {
        return cursor.fail(fmt::format("at most {} characters", domain::max_workload_text));
    }
    if (cursor.take_word() != version || !cursor.take('.')) {
        return cursor.fail("version \"2\": it was written by another release of Hora");
    }
    const std::string_view word = cursor.take_word();
    const std::optional<domain::DataType> type = domain::data_type_named(word);
    if (!type && word != chosen_by_framework) {
        return cursor.fail("a data type before this");
    }
    if (!cursor.take('.')) {
        return cursor.fail("\".\"");
    }
    Workload workload{.data_type = type, .layers = {}};
    workload.layers.reserve(domain::max_workload_layers);
    if (const Expected<void> taken = take_layers(cursor, workload.layers); !taken) {
        return unexpected(taken.error());
    }
    if (!cursor.is_at_end()) {
        return cursor.fail("the end");
    }
    if (std::ranges::count_if(workload.layers, &LayerCost::has_rows) >
        std::ptrdiff_t{domain::max_workload_tables}) {
        return cursor.fail(fmt::format("at most {} tables", domain::max_workload_tables));
    }
    return workload;
}

}  // namespace hora::read
