// The ring: chunks are summed on their way to their owners, and their sums go around once more
// (P3).
#include "plugins/mpi/allreduce/ring.hpp"

#include <stdexcept>
#include <utility>

namespace hora::mpi {

Ring::Ring(const Reduction& reduction, std::uint32_t number, std::uint32_t rank,
           const Layout& layout, Outbox& outbox)
    : reduction_(reduction),
      number_(number),
      rank_(rank),
      next_((rank + 1) % layout.ranks()),
      layout_(layout),
      outbox_(outbox) {
    for (std::uint32_t piece = 0; piece < layout.pieces(); ++piece) {
        missing_ += layout.elements_of(piece).size() > 0 ? 1 : 0;
    }
}

void Ring::start() {
    const std::uint32_t owner = (rank_ + layout_.ranks() - 1) % layout_.ranks();
    for (std::uint32_t slice = 0; slice < layout_.slices(); ++slice) {
        const std::uint32_t piece = layout_.piece_of(owner, slice);
        outbox_.send(next_, {.reduction = number_, .piece = piece},
                     reduction_.own(layout_.elements_of(piece)), nullptr);
    }
}

void Ring::accept(Arrived arrived) {
    const ItemHeader& header = arrived.header;
    if (header.piece >= layout_.pieces() ||
        arrived.payload.size() != reduction_.own(layout_.elements_of(header.piece)).size()) {
        throw std::runtime_error("hora: the ranks reduce vectors of different lengths");
    }
    if (header.kind == ItemKind::result) {
        accept_sum(std::move(arrived));
    } else if (layout_.owner_of(header.piece) == rank_) {
        finish(std::move(arrived));
    } else {
        add_own_part(std::move(arrived));
    }
}

void Ring::accept_sum(Arrived arrived) {
    const std::uint32_t piece = arrived.header.piece;
    outbox_.copy(arrived.payload, reduction_.result(layout_.elements_of(piece)));
    --missing_;
    if (next_ != layout_.owner_of(piece)) {
        outbox_.send(next_, arrived.header, arrived.payload, std::move(arrived.message));
    }
}

void Ring::add_own_part(Arrived arrived) {
    const std::uint32_t piece = arrived.header.piece;
    const Range elements = layout_.elements_of(piece);
    std::byte* const partial = arrived.payload.data();
    outbox_.reduce(reduction_, partial, partial, reduction_.own(elements).data(), elements.size());
    arrived.header.last = layout_.position(rank_, layout_.owner_of(piece));
    outbox_.send(next_, arrived.header, arrived.payload, std::move(arrived.message));
}

// The owner's own part is the last one; the sum goes out from the caller's memory.
void Ring::finish(Arrived arrived) {
    const std::uint32_t piece = arrived.header.piece;
    const Range elements = layout_.elements_of(piece);
    const auto sum = reduction_.result(elements);
    outbox_.reduce(reduction_, sum.data(), arrived.payload.data(), reduction_.own(elements).data(),
                   elements.size());
    --missing_;
    outbox_.send(next_,
                 {.reduction = number_,
                  .piece = piece,
                  .last = layout_.ranks() - 1,
                  .kind = ItemKind::result},
                 sum, nullptr);
}

}  // namespace hora::mpi
