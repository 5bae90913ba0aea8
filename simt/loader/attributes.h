// What the compiler notes of a kernel for the driver: the sections .nv.info and .nv.info.<kernel>.
#pragma once
#include "simt/loader/elf.h"
#include "simt/loader/module.h"

namespace sass {

/// Sets all of a function but its name, address and lines. `section`: of its code.
void read_attributes(const Elf& elf, int section, Function& function);

}  // namespace sass
