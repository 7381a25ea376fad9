// In which number format a network is trained.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

namespace hora::domain {

enum class DataType { fp32, tf32, fp16, bf16, fp8 };

struct DataTypeInfo {
    DataType type;
    std::string_view name;
    std::size_t size;  // bytes of one stored element; tf32 is a compute format stored as fp32
};

constexpr std::array<DataTypeInfo, 5> data_types{{
    {DataType::fp32, "fp32", 4},
    {DataType::tf32, "tf32", 4},
    {DataType::fp16, "fp16", 2},
    {DataType::bf16, "bf16", 2},
    {DataType::fp8, "fp8", 1},
}};

constexpr const DataTypeInfo& info(DataType type) {
    return data_types[static_cast<std::size_t>(type)];
}

constexpr std::optional<DataType> data_type_named(std::string_view name) {
    for (const DataTypeInfo& known : data_types) {
        if (known.name == name) {
            return known.type;
        }
    }
    return std::nullopt;
}

}  // namespace hora::domain
