// Which kinds of layers are there, and what describes each?
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <variant>
#include <vector>

namespace hora::model {

// The extents of one sample, without the batch; channels come first: {3, 224, 224}, and sequences
// have the position first: {512, 768}.
using Shape = std::vector<std::uint64_t>;

// One number for each spatial dimension, or one number for all of them.
class Extents {
  public:
    Extents(std::uint64_t all) : values_{all} {}  // implicit: kernel = 3 and kernel = {1, 7}
    Extents(std::initializer_list<std::uint64_t> values) : values_(values) {}
    explicit Extents(std::vector<std::uint64_t> values) : values_(std::move(values)) {}

    bool covers(std::size_t rank) const { return values_.size() == 1 || values_.size() == rank; }
    std::uint64_t at(std::size_t dimension) const {
        return values_.size() == 1 ? values_[0] : values_[dimension];
    }

  private:
    std::vector<std::uint64_t> values_;
};

struct Convolution {
    std::uint64_t channels = 0;  // of the output
    Extents kernel = 1;
    Extents stride = 1;
    Extents padding = 0;  // on both sides
    Extents dilation = 1;
    std::uint64_t groups = 1;
    bool has_bias = true;
};

struct TransposedConvolution {
    std::uint64_t channels = 0;
    Extents kernel = 1;
    Extents stride = 1;
    Extents padding = 0;
    Extents dilation = 1;
    Extents output_padding = 0;
    std::uint64_t groups = 1;
    bool has_bias = true;
};

// Applied to the last dimension.
struct Dense {
    std::uint64_t width = 0;
    bool has_bias = true;
    // The weights are another layer's (the table of an embedding): read here, owned there.
    bool is_tied = false;
};

struct Embedding {
    std::uint64_t vocabulary = 0;
    std::uint64_t width = 0;
    bool is_tied = false;  // a later dense layer reads the table as its weights
};

enum class RecurrentKind { rnn, lstm, gru };

struct Recurrent {
    RecurrentKind kind = RecurrentKind::lstm;
    std::uint64_t width = 0;  // of the state
    std::uint64_t layers = 1;
    bool is_bidirectional = false;
    bool has_bias = true;  // two for each gate, as cuDNN and PyTorch keep them
};

// Attention with its four projections: of a sequence to itself, or, given a second input, of the
// first to the second (whose keys and values are read).
struct Attention {
    std::uint64_t heads = 1;
    std::optional<std::uint64_t> key_value_heads =
        std::nullopt;  // fewer than heads: grouped queries
    bool has_bias = true;
    bool is_fused = false;  // the scores are never written, as in FlashAttention
};

enum class NormalizationKind { batch, layer, root_mean_square, local_response };

struct Normalization {
    NormalizationKind kind = NormalizationKind::batch;
    // Scale and shift; the root mean square is scaled alone, local response has neither.
    bool has_parameters = true;
};

struct Activation {};

enum class PoolingKind { max, average };

struct Pooling {
    PoolingKind kind = PoolingKind::max;
    Extents kernel = 1;
    std::optional<Extents> stride = std::nullopt;  // empty = the kernel's extents
    Extents padding = 0;
    Extents dilation = 1;
    bool rounds_up = false;  // "ceil mode"
};

struct AdaptivePooling {
    Extents output = 1;
};

// Sum, product ... of its inputs; an extent of 1 is repeated.
struct ElementWise {};

struct Softmax {};

struct Concatenation {
    std::size_t axis = 0;
};

// Another view of the same elements: costs nothing.
struct Flatten {};

using LayerSpec = std::variant<Convolution, TransposedConvolution, Dense, Embedding, Recurrent,
                               Attention, Normalization, Activation, Pooling, AdaptivePooling,
                               ElementWise, Softmax, Concatenation, Flatten>;

}  // namespace hora::model
