// Whether NCCL is there, which is opened when an experiment calls it.
#pragma once
#include <string>

namespace harness {

/// "" if NCCL can be called; else what is missing, and what to do.
std::string why_no_nccl();

}  // namespace harness
