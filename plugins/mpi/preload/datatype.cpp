// Which of MPI's types and operations does Hora reduce itself?
#include "plugins/mpi/preload/datatype.hpp"

#include <algorithm>
#include <array>
#include <type_traits>

namespace hora::mpi {
namespace {

struct Known {
    MPI_Datatype type;
    Element element;
};

template <class T>
constexpr Element integer() {
    constexpr std::array of_signed = {Element::int8, Element::int16, Element::int32,
                                      Element::int64};
    constexpr std::array of_unsigned = {Element::uint8, Element::uint16, Element::uint32,
                                        Element::uint64};
    constexpr std::size_t place = sizeof(T) == 1 ? 0 : sizeof(T) == 2 ? 1 : sizeof(T) == 4 ? 2 : 3;
    return std::is_signed_v<T> ? of_signed[place] : of_unsigned[place];
}

// A handle is an address or a number, as the MPI has it. Those that are asked for most come first.
// Not MPI_OFFSET: to Open MPI 4 the least of -1 and 1 is 1.
const auto& known_types() {
    static const std::array known = {
        Known{MPI_FLOAT, Element::float32},
        Known{MPI_DOUBLE, Element::float64},
        Known{MPI_INT, integer<int>()},
        Known{MPI_LONG, integer<long>()},
        Known{MPI_INT64_T, Element::int64},
        Known{MPI_UINT64_T, Element::uint64},
        Known{MPI_LONG_LONG, integer<long long>()},
        Known{MPI_UNSIGNED, integer<unsigned>()},
        Known{MPI_UNSIGNED_LONG, integer<unsigned long>()},
        Known{MPI_UNSIGNED_LONG_LONG, integer<unsigned long long>()},
        Known{MPI_INT32_T, Element::int32},
        Known{MPI_UINT32_T, Element::uint32},
        Known{MPI_SIGNED_CHAR, integer<signed char>()},
        Known{MPI_UNSIGNED_CHAR, integer<unsigned char>()},
        Known{MPI_SHORT, integer<short>()},
        Known{MPI_UNSIGNED_SHORT, integer<unsigned short>()},
        Known{MPI_INT8_T, Element::int8},
        Known{MPI_UINT8_T, Element::uint8},
        Known{MPI_INT16_T, Element::int16},
        Known{MPI_UINT16_T, Element::uint16},
        Known{MPI_AINT, integer<MPI_Aint>()},
        Known{MPI_COUNT, integer<MPI_Count>()},
    };
    return known;
}

// Of Fortran: how long they are depends on the compiler that MPI was built with.
std::optional<Element> fortran_element_of(MPI_Datatype type) {
    const bool is_real =
        type == MPI_REAL || type == MPI_REAL4 || type == MPI_REAL8 || type == MPI_DOUBLE_PRECISION;
    const bool is_integer = type == MPI_INTEGER || type == MPI_INTEGER4 || type == MPI_INTEGER8;
    if (!is_real && !is_integer) {
        return std::nullopt;
    }
    int size = 0;
    PMPI_Type_size(type, &size);
    if (size == 4) {
        return is_real ? Element::float32 : Element::int32;
    }
    if (size == 8) {
        return is_real ? Element::float64 : Element::int64;
    }
    return std::nullopt;
}

}  // namespace

std::optional<Element> element_of(MPI_Datatype type) {
    if (type == MPI_DATATYPE_NULL) {
        return std::nullopt;
    }
    const auto& known = known_types();
    const auto found = std::find_if(known.begin(), known.end(),
                                    [type](const Known& one) { return one.type == type; });
    return found != known.end() ? std::optional(found->element) : fortran_element_of(type);
}

std::optional<Operation> operation_of(MPI_Op operation) {
    if (operation == MPI_SUM) {
        return Operation::sum;
    }
    if (operation == MPI_MIN) {
        return Operation::min;
    }
    if (operation == MPI_MAX) {
        return Operation::max;
    }
    return std::nullopt;
}

}  // namespace hora::mpi
