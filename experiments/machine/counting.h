// What the SIMT machine counts of each case, and the tables of its steps and accesses.
#pragma once
#include <functional>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "experiments/harness/case.h"
#include "simt/runtime/observe.h"

namespace harness {

class Counting {
   public:
    explicit Counting(simt_runtime::Observer& machine);

    /// Run the case, which is done when `run` returns, and keep what the machine has counted.
    void observe(const Case& c, const std::function<void()>& run);

    /// The same for a twin whose operator is marked: only the applications of the operator are taken from it.
    void observe_marks(const Case& c, const std::function<void()>& run);

    /// The counts of the case, by the names of the results.
    const std::map<std::string, double>& counts(const Case& c) const { return counts_.at(&c); }
    /// These names.
    static std::vector<std::string> quantities();

    /// The kernels that were launched, without template arguments, separated by spaces.
    std::string kernels() const;

    /// The tables: the suffix after the claim's id, and the content.
    std::vector<std::pair<std::string, std::string>> files() const;

   private:
    void note_what_varies(const Case& c, const std::function<void()>& run);
    void write_steps(const Case& c, const simt_runtime::Recording& recording);
    void write_launches(const Case& c, const simt_runtime::Recording& recording);
    void write_accesses(const Case& c, const simt_runtime::Recording& recording);

    simt_runtime::Observer& machine_;
    std::map<const Case*, std::map<std::string, double>> counts_;
    std::set<std::string> kernels_;
    std::ostringstream steps_, launches_, trace_, shared_;
};

}  // namespace harness
