// Which efficiencies of training are known?
// Keys: efficiency.NAME.{convolution, grouped_convolution, dense, attention, recurrent,
// memory}.{fp32, tf32, fp16, bf16, fp8}, efficiency.NAME.{layer, step, optimizer_bytes, source}.
#include "libplanner/read/machine/efficiency_catalog.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "libplanner/read/quoted.hpp"

namespace hora::read {
namespace {

using domain::DataType;
using domain::Efficiency;
using domain::LayerKind;

double& share_of(Efficiency::Shares& shares, LayerKind kind) {
    return kind == LayerKind::memory ? shares.memory
                                     : shares.compute[static_cast<std::size_t>(kind)];
}

// The type whose share counts where a table states none.
DataType stands_for(DataType type) {
    switch (type) {
        case DataType::bf16:
        case DataType::fp8:
            return DataType::fp16;
        default:
            return DataType::fp32;
    }
}

Expected<void> take_shares(TomlTable& table, const domain::LayerKindInfo& kind,
                           Efficiency& efficiency) {
    auto by_type = table.take_table(kind.name);
    if (!by_type) {
        return wrong_use(fmt::format("{}: {} states no {}", table.where(),
                                     quoted(efficiency.name), quoted(kind.name)));
    }
    for (const domain::DataTypeInfo& type : domain::data_types) {
        const auto known = static_cast<std::size_t>(stands_for(type.type));
        double share = share_of(efficiency.shares[known], kind.kind);
        by_type->take(type.name, share);
        if (!(share > 0)) {
            by_type->reject(type.name, "a share is above 0");
        }
        share_of(efficiency.shares[static_cast<std::size_t>(type.type)], kind.kind) = share;
    }
    return by_type->finish();
}

Expected<Efficiency> take_efficiency(TomlTable table) {
    Efficiency efficiency;
    efficiency.name = table.name();
    for (const domain::LayerKindInfo& kind : domain::layer_kinds) {
        if (auto good = take_shares(table, kind, efficiency); !good) {
            return unexpected(good.error());
        }
    }
    std::string source;
    table.require("layer", efficiency.layer);
    table.require("step", efficiency.step);
    table.require("optimizer_bytes", efficiency.optimizer_bytes);
    table.require("source", source);
    if (auto good = table.finish(); !good) {
        return unexpected(good.error());
    }
    return efficiency;
}

}  // namespace

const Efficiency* find_efficiency(const std::vector<Efficiency>& efficiencies,
                                  std::string_view name) {
    const auto found =
        std::find_if(efficiencies.begin(), efficiencies.end(),
                     [&](const Efficiency& efficiency) { return efficiency.name == name; });
    return found == efficiencies.end() ? nullptr : &*found;
}

Expected<std::vector<Efficiency>> take_efficiencies(TomlTable& root) {
    std::vector<Efficiency> efficiencies;
    for (const TomlTable& table : root.take_tables_in("efficiency")) {
        auto efficiency = take_efficiency(table);
        if (!efficiency) {
            return unexpected(efficiency.error());
        }
        efficiencies.push_back(std::move(*efficiency));
    }
    return efficiencies;
}

}  // namespace hora::read
