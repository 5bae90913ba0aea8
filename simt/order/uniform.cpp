#include "simt/order/uniform.h"

#include <string>

#include "simt/order/checker.h"
#include "simt/run/lanes.h"

namespace sass {

U Uniform::parted(std::uint16_t row, U lanes, U now) const {
    if (!is_uniform(row) || !parted_[row - UNIFORM]) return 0;
    const auto& own = own_[row - UNIFORM];
    return lanes & where([&](int l) { return own[std::size_t(l)] != now; });
}

void Uniform::set(std::uint16_t row, U lanes, U others, U before, U now) {
    auto part = parted_[row - UNIFORM];
    if (!part && (others == 0 || before == now)) return;
    if (own_.empty()) own_.resize(ROWS);
    auto& own = own_[row - UNIFORM];
    if (!part) own.fill(before);
    for_lanes(lanes, [&](int l) { own[std::size_t(l)] = now; });
    part = true;
    part = parted(row, others, now) != 0;
    count_ = parted_.count();
}

/// Before the instruction is executed: do its lanes find their own words?
void Checks::read_uniform(Warp& w, const Instruction& i) {
    const Flow& flow = this->flow(w.pc, i);
    const U lanes = w.active & w.predicate(i.guard);
    const auto read = [&](const Source& s, int rows) {
        for (int k = 0; k < rows && s.of == 0; ++k) {
            const auto row = std::uint16_t(s.row + k);
            const U now = w.row(row)[0], bad = w.uniform.parted(row, lanes, now);
            if (bad == 0) continue;
            const int lane = __builtin_ctz(bad);
            add(Hazard::miscompiled, w, lane,
                "miscompiled: UR" + std::to_string(row - UNIFORM) + " is " + std::to_string(now) +
                    ", as other lanes of the warp have left it, and would be " +
                    std::to_string(w.uniform.own(row, lane)) + " if each lane had its own",
                "the source may be right, the code is not: -Xptxas -O0, a loop that is unrolled, or a "
                "counter that depends on the thread");
            w.uniform.set(row, bad, 0, now, now);
        }
    };
    read(i.a, flow.a);
    read(i.b, flow.b);
    read(i.c, flow.c);
}

void Checks::run_uniform(Warp& w, const Instruction& i, U lanes) {
    U before[2];
    const int rows = std::min(2, int(flow(w.pc, i).d));
    for (int k = 0; k < rows; ++k) before[k] = w.row(std::uint16_t(i.d + k))[0];
    i.run(w, i, lanes);
    for (int k = 0; k < rows; ++k) {
        const auto row = std::uint16_t(i.d + k);
        w.uniform.set(row, w.active, w.alive & ~w.active, before[k], w.row(row)[0]);
    }
}

}  // namespace sass
