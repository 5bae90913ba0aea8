// From what each instruction cost to the counts of a launch.
#pragma once
#include "simt/run/launch.h"

namespace sass {

void add_observation(Observation& sum, const Observation& part);
Counts counts_of(const Kernel& kernel, const Observation::Step& step);
std::vector<InstructionCounts> instruction_counts(const Kernel& kernel, const Observation& all);

}  // namespace sass
