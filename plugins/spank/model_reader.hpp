// What does the helper program say of a model?
#pragma once

#include <string>

#include "plugins/spank/process/bounded_run.hpp"

namespace hora::spank {

enum class ModelVerdict { good, refused, no_reader };

struct ModelAnswer {
    ModelVerdict verdict = ModelVerdict::no_reader;
    std::string workload;     // good: the workload text
    std::string message;      // otherwise: what is wrong, and what to do
    std::string remark = {};  // good: a line, as of what the file leaves open
};

// The words of the call; an empty data type leaves the reader's own.
std::vector<std::string> reader_call(const std::string& reader, const std::string& model,
                                     const std::string& data_type);

// refused: the user's model is wrong. no_reader: the reader is, which no user can mend.
ModelAnswer judge(const std::string& reader, const RunResult& result);

}  // namespace hora::spank
