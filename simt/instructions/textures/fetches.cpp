// The objects of texture and surface instructions, and the memory that they read.
#include "simt/instructions/textures/fetches.h"

#include "simt/loader/architecture.h"
#include "simt/order/checker.h"

namespace sass {

const Texture* object_of(Warp& w, const Instruction& i, U lanes, Fit fit(const Texture&, std::uint8_t how)) {
    const int lane = __builtin_ctz(lanes);
    const U64 handle = w.source(i.c)[lane];
    const Texture* const object = Textures::get().find(handle);
    const auto tell = [&](const std::string& what, const std::string& cure) {
        if (w.block->checks) w.block->checks->add(Hazard::undefined_fetch, w, lane, what, cure);
    };
    if (object == nullptr) {
        tell("no object has the handle " + std::to_string(handle) + ": zeros are read, nothing is written",
             "make it by cudaCreateTextureObject or cudaCreateSurfaceObject, and look at what that returns");
        return nullptr;
    }
    if (object->is_destroyed)
        tell(object->text() + " is used, which the program has destroyed",
             "destroy it once the launches that use it are over");
    const Fit fits = fit(*object, i.kind);
    if (fits == Fit::unknown)
        throw Fault{715,
                    "the machine does not know what " + i.line->opcode + " reads of " + object->text() +
                        ": use the function for this kind of object",
                    lane};
    if (fits == Fit::good) return object;
    tell(i.line->opcode + " reads zeros of " + object->text(), "use the function for this kind of object");
    return nullptr;
}

void take_handle(Decoder& d) {
    if (architecture().number < 90) {  // bank and word, if it is not in a register
        if (d.peek().kind != Operand::immediate) return void(d.out.c = d.source(Decoder::logic));
        const int bank = int(d.number());
        d.out.c = d.word_of_bank(bank, d.number());
        return;
    }
    d.out.c = d.source(Decoder::logic);
    if (d.out.c.row < UNIFORM && !is_zero(d.out.c)) d.refuse("a handle in an ordinary register");
    if (d.left() > 0 && d.peek().kind == Operand::immediate && d.number() != 0) d.refuse("second handle");
}

void read_elements(Warp& w, const U64* addresses, U lanes, unsigned bytes) {
    check_global(addresses, lanes, bytes);
    if (w.block->checks) w.block->checks->fetched(w, addresses, lanes, bytes);
}

}  // namespace sass
