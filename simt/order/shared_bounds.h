// Which array of shared memory an access is meant for. In code that is not optimised its address is computed
// from the array's own, within a few instructions: beyond the array's end it has left it, though the block
// may have another array there.
#pragma once
#include <cstdint>
#include <map>
#include <vector>

#include "simt/decode/decode.h"
#include "simt/loader/module.h"

namespace sass {

class SharedBounds {
   public:
    /// The kernel's arrays that the cubin names; none of code that is optimised.
    explicit SharedBounds(const Code& code)
        : code_(code), arrays_(code.module->shared_arrays(*code.kernel)) {}

    bool are_known() const { return !arrays_.empty(); }
    /// The array from whose address the access at this index computes its own; null if the code does not
    /// tell: it is a pointer's, or comes from another block of instructions.
    const SharedArray* meant_by(std::uint32_t site);

   private:
    std::uint32_t begin_of_block(std::uint32_t site);

    const Code& code_;
    std::vector<SharedArray> arrays_;
    std::vector<bool> targets_;                          ///< instructions to which another one may jump
    std::map<std::uint32_t, const SharedArray*> known_;  ///< by instruction
};

}  // namespace sass
