// The functions that a GPU's driver provides to kernels: their arguments, and those in files of their own.
#pragma once
#include <map>
#include <string>

#include "simt/instructions/words.h"
#include "simt/run/launch.h"

namespace sass {

/// The lane's argument of 64 bits in R<first> and the register after it.
inline U64 argument(Warp& w, int first, int lane) { return wide(w.row(std::uint16_t(first)), lane); }

/// Those of the device's runtime, by name: launches.cpp.
const std::map<std::string, Handler>& runtime_functions();

}  // namespace sass
