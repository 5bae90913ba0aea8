// Follows undefined bits through the instructions of a warp: see undefined.h.
#include <algorithm>

#include "simt/instructions/tensor/matrices.h"
#include "simt/order/checker.h"
#include "simt/run/lanes.h"

namespace sass {
namespace {

using Number = Undefined::Number;

/// A result of two rows at most.
struct Result {
    U bits[2][LANES] = {};
    Number from = 0;
    U of(int k, int lane) const { return bits[k][lane]; }
};

U lowest(U bits) { return bits & -bits; }
/// The bits from the lowest one that is set.
U upward(U bits) { return bits == 0 ? 0 : ~(lowest(bits) - 1); }

/// By halves, as a source's modifier places them.
U placed(U bits, std::uint8_t modifier) {
    if ((modifier & (of_bytes | exchange)) == as_half) return bits != 0 ? ALL : 0;
    switch (modifier & exchange) {
        case low_twice: return (bits & 0xffff) * 0x10001;
        case high_twice: return (bits >> 16) * 0x10001;
        case exchange: return bits >> 16 | bits << 16;
        default: return bits;
    }
}
U whole_halves(U bits) { return (bits & 0xffff ? 0xffffu : 0) | (bits >> 16 ? 0xffff0000u : 0); }

/// What a truth table may give, bit by bit, for inputs of which some bits are undefined.
struct Possible {
    U one = 0, zero = 0;
};
Possible possible(U table, const U (&value)[3], const U (&undefined)[3]) {
    Possible result;
    for (int k = 0; k < 8; ++k) {
        U here = ALL;
        for (int input = 0; input < 3; ++input)
            here &= (k >> (2 - input) & 1 ? value[input] : ~value[input]) | undefined[input];
        (table >> k & 1 ? result.one : result.zero) |= here;
    }
    return result;
}

/// One step of a warp.
class Step {
   public:
    Step(Warp& w, const Instruction& i, const Flow& flow, U lanes)
        : w_(w), i_(i), u_(w.undefined), flow_(flow), lanes_(lanes) {}

    void run();
    /// In a lane whose guard is undefined the result is, too.
    void unguarded(U lanes, Number from);

   private:
    void write(const Result& result, int rows);
    void write_all(U undefined, Number from);
    Number first(std::initializer_list<Number> all) const {
        for (const Number each : all)
            if (each != 0) return each;
        return 0;
    }
    Number from_sources() const {
        return first({u_.from(i_.a, flow_.a), u_.from(i_.b, flow_.b), u_.from(i_.c, flow_.c),
                      u_.predicate(i_.pa) ? u_.from_predicate(i_.pa) : Number(0),
                      u_.predicate(i_.pb) ? u_.from_predicate(i_.pb) : Number(0),
                      u_.predicate(i_.pc) ? u_.from_predicate(i_.pc) : Number(0)});
    }
    Number computed() const { return Number(from_sources() | Undefined::COMPUTED); }
    U any_bit(const Source& s, int rows, int lane) const {
        U bits = 0;
        for (int k = 0; k < rows; ++k) bits |= u_.bits(s, k, lane);
        return bits;
    }
    U of_sources(int lane) const {
        return any_bit(i_.a, flow_.a, lane) | any_bit(i_.b, flow_.b, lane) | any_bit(i_.c, flow_.c, lane);
    }
    U by_predicates() const { return u_.predicate(i_.pa) | u_.predicate(i_.pb) | u_.predicate(i_.pc); }
    U lanes_of_sources() const {
        return (where([&](int l) { return of_sources(l) != 0; }) | by_predicates()) & lanes_;
    }
    template <class F>
    void each_word(F f, Number from);
    void moves();
    void adds();
    void logic();
    void logic_of_predicates();
    void halves();
    void compares();
    void votes();
    void gathers();
    void to_uniform();
    void multiplies();
    void transposes();
    void bits_of_predicates();
    void predicates_of_bits();
    U combined_with_predicate(U undefined);

    Warp& w_;
    const Instruction& i_;
    Undefined& u_;
    const Flow& flow_;
    const U lanes_;
};

void Step::write(const Result& result, int rows) {
    for (int k = 0; k < rows; ++k) u_.set(std::uint16_t(i_.d + k), lanes_, result.bits[k], result.from);
}
/// Results and predicates, in these lanes.
void Step::write_all(U undefined, Number from) {
    Result result;
    result.from = from;
    for (int k = 0; k < 2; ++k)
        for (int l = 0; l < LANES; ++l) result.bits[k][l] = undefined >> l & 1 ? ALL : 0;
    for (int k = 0; k < flow_.d; ++k)
        u_.set(std::uint16_t(i_.d + k), lanes_, result.bits[k % 2], result.from);
    for (const std::uint8_t p : {i_.p, i_.q}) u_.set_predicate(p, lanes_, undefined, from);
}
void Step::unguarded(U lanes, Number from) {
    if (lanes == 0) return;
    Step(w_, i_, flow_, lanes).write_all(lanes, Number(from | Undefined::COMPUTED));
}

template <class F>
void Step::each_word(F f, Number from) {
    Result result;
    result.from = from;
    for (int l = 0; l < LANES; ++l) result.bits[0][l] = result.bits[1][l] = f(l);
    write(result, flow_.d);
}

/// The instruction itself moves the bits: what it moves them by is as it is.
void Step::moves() {
    const bool is_choice = i_.pa != PT;
    const bool by_b = flow_.rule == Rule::places;
    Instruction copy = i_;
    U scratch = SCRATCH;
    const auto bring = [&](Source& s, int rows) {
        const Source at{std::uint16_t(scratch), 0, 0};
        for (int k = 0; k < 2; ++k, ++scratch)
            for (int l = 0; l < LANES; ++l)
                w_.row(std::uint16_t(scratch))[l] = k < rows ? u_.bits(s, k, l) : 0;
        s = at;
    };
    bring(copy.a, flow_.a);
    if (!by_b) bring(copy.b, flow_.b);
    bring(copy.c, flow_.c);
    copy.d = std::uint16_t(scratch);
    copy.p = copy.q = NO_PREDICATE;
    (i_.inner != nullptr ? i_.inner : i_.run)(w_, copy, lanes_);
    Result result;
    result.from = from_sources();
    const U unknown = (is_choice ? u_.predicate(i_.pa) : 0) |
                      (by_b ? where([&](int l) { return u_.bits(i_.b, 0, l) != 0; }) : 0);
    for (int k = 0; k < 2; ++k)
        for (int l = 0; l < LANES; ++l)
            result.bits[k][l] = unknown >> l & 1 ? ALL : w_.row(std::uint16_t(copy.d + k))[l];
    if (unknown & lanes_) result.from |= Undefined::COMPUTED;
    write(result, flow_.d);
}

void Step::adds() {
    Result result;
    result.from = computed();
    const U carried = by_predicates();
    const bool multiplies = i_.base == std::string("IMAD");
    const U *const a = w_.source(i_.a), *const b = w_.source(i_.b);
    for (int l = 0; l < LANES; ++l) {
        const U in_a = u_.bits(i_.a, 0, l), in_b = u_.bits(i_.b, 0, l);
        const U product = multiplies ? lowest(in_a) * lowest(b[l] | in_b) | lowest(in_b) * lowest(a[l] | in_a)
                                     : in_a | in_b;
        result.bits[0][l] = carried >> l & 1 ? ALL : upward(product | u_.bits(i_.c, 0, l));
        result.bits[1][l] = carried >> l & 1 || of_sources(l) ? ALL : 0;
    }
    write(result, flow_.d);
    const U any = lanes_of_sources();
    for (const std::uint8_t p : {i_.p, i_.q}) u_.set_predicate(p, lanes_, any, result.from);
}

void Step::logic() {
    Result result;
    result.from = from_sources();
    const U *const a = w_.source(i_.a), *const b = w_.source(i_.b), *const c = w_.source(i_.c);
    U unknown = 0;  // is the word zero?
    for (int l = 0; l < LANES; ++l) {
        const Possible p = possible(i_.number & 255, {a[l], b[l], c[l]},
                                    {u_.bits(i_.a, 0, l), u_.bits(i_.b, 0, l), u_.bits(i_.c, 0, l)});
        result.bits[0][l] = p.one & p.zero;
        unknown |= U((p.one & p.zero) != 0 && (p.one & ~p.zero) == 0) << l;
    }
    write(result, 1);
    if (i_.p != NO_PREDICATE)
        u_.set_predicate(i_.p, lanes_, unknown | by_predicates(), Number(result.from | Undefined::COMPUTED));
}

void Step::logic_of_predicates() {
    const auto input = [&](int k, std::uint8_t code, const Source& s) {
        if (!(i_.kind >> k & 1)) return std::pair<U, U>{w_.predicate(code), u_.predicate(code)};
        const U* const row = w_.source(s);
        return std::pair<U, U>{where([&](int l) { return row[l] >> 31; }),
                               where([&](int l) { return u_.bits(s, 0, l) >> 31; })};
    };
    const auto a = input(0, i_.pa, i_.a), b = input(1, i_.pb, i_.b), c = input(2, i_.pc, i_.c);
    const Number from = computed();
    const std::pair<std::uint8_t, U> results[] = {{i_.p, i_.number & 255}, {i_.q, i_.number >> 8}};
    for (const auto& [p, table] : results) {
        const Possible of = possible(table, {a.first, b.first, c.first}, {a.second, b.second, c.second});
        u_.set_predicate(p, lanes_, of.one & of.zero, from);
    }
}

void Step::halves() {
    const auto of_lane = [&](int l) {
        U bits = 0;
        for (const Source* s : {&i_.a, &i_.b, &i_.c}) bits |= placed(u_.bits(*s, 0, l), s->modifier);
        return u_.predicate(i_.pa) >> l & 1 ? ALL : whole_halves(bits);
    };
    each_word(of_lane, computed());
    const bool is_of_both = i_.line->opcode.find("H_AND") != std::string::npos;
    const U low = where([&](int l) { return of_lane(l) & 0xffff; }),
            high = where([&](int l) { return of_lane(l) >> 16; });
    u_.set_predicate(i_.p, lanes_, is_of_both ? low | high : low, computed());
    u_.set_predicate(i_.q, lanes_, is_of_both ? low | high : high, computed());
}

/// Comparisons are combined with a predicate: does it matter, if that one is undefined?
void Step::compares() {
    const U compared = where([&](int l) { return of_sources(l) != 0; }) | u_.predicate(i_.pb);
    const U with = u_.predicate(i_.pa);
    const Number from = computed();
    const std::uint8_t written[] = {i_.p, i_.q};
    for (int k = 0; k < 2; ++k) {
        if (written[k] == NO_PREDICATE) continue;
        U results[2];
        for (const bool is_false : {false, true}) {
            Instruction copy = i_;
            copy.pa = std::uint8_t(PT | (is_false ? INVERTED : 0));
            copy.p = k == 0 ? SCRATCH_PREDICATE : NO_PREDICATE;
            copy.q = k == 1 ? SCRATCH_PREDICATE : NO_PREDICATE;
            copy.run(w_, copy, lanes_);
            results[is_false] = w_.p[SCRATCH_PREDICATE];
        }
        // The other way round: what the predicate decides alone, whatever is compared.
        const bool is_or = i_.line->opcode.find(".OR") != std::string::npos,
                   is_and = i_.line->opcode.find(".AND") != std::string::npos;
        const U in = w_.predicate(i_.pa);
        const U decided = ~with & (is_and ? ~in : is_or ? in : 0);
        u_.set_predicate(written[k], lanes_,
                         (compared & ~decided) | (with & ~compared & (results[0] ^ results[1])), from);
    }
}

void Step::votes() {
    const U in = w_.predicate(i_.pa) & lanes_, undefined = u_.predicate(i_.pa) & lanes_;
    const Number from = computed();
    const U yes = in & ~undefined, no = lanes_ & ~in & ~undefined;
    const bool is_known = undefined == 0 || (i_.kind == 0 ? no != 0 : i_.kind == 1 ? yes != 0 : yes && no);
    Result result;
    result.from = from;
    std::fill_n(result.bits[0], LANES, undefined);
    if (i_.d != NOWHERE) u_.set(i_.d, i_.is_wide ? ALL : lanes_, result.bits[0], from);
    u_.set_predicate(i_.p, i_.p >= 8 ? ALL : lanes_, is_known ? 0 : ALL, from);
}

void Step::gathers() {
    const U any = lanes_of_sources();
    const Number from = computed();
    Result result;
    std::fill_n(result.bits[0], LANES, any ? ALL : 0);
    u_.set(i_.d, is_uniform(i_.d) ? ALL : lanes_, result.bits[0], from);
    u_.set_predicate(i_.p, lanes_, any ? ALL : 0, from);
}

/// The lowest lane's value, and which lanes have another.
void Step::to_uniform() {
    const U any = where([&](int l) { return u_.bits(i_.a, 0, l) != 0; }) & lanes_;
    const Number from = from_sources();
    Result result;
    std::fill_n(result.bits[0], LANES, u_.bits(i_.a, 0, __builtin_ctz(lanes_)));
    u_.set(i_.d, ALL, result.bits[0], from);
    u_.set_predicate(i_.p, lanes_, any, Number(from | Undefined::COMPUTED));
}

/// A row of A, a column of B, an element of C.
void Step::multiplies() {
    const int words = flow_.part == 64 ? 2 : 1, halves_of_rows = flow_.d * 16 / int(flow_.part);
    U rows[2] = {}, columns = 0;  // which are undefined, a bit each
    const Source places{flow_.places, 0, 0};
    const bool is_unknown = where([&](int l) { return u_.bits(places, 0, l) != 0; }) != 0;
    for (int l = 0; l < LANES; ++l) {
        for (int k = 0; k < flow_.a; ++k)
            rows[k / words % halves_of_rows] |= U(u_.bits(i_.a, k, l) != 0) << l / 4;
        columns |= U(any_bit(i_.b, flow_.b, l) != 0) << l / 4;
    }
    const Number from = is_unknown ? Number(u_.from(places, 1) | Undefined::COMPUTED) : computed();
    for (int k = 0; k < flow_.d; k += words) {
        U bits[LANES];
        for (int l = 0; l < LANES; ++l) {
            const bool is_half = flow_.part == 16;
            const bool of_row = is_unknown || rows[is_half ? k : k / words / 2] >> l / 4 & 1;
            const U of_columns = columns >> l % 4 * 2 & 3;
            U before = u_.bits(i_.c, k, l);
            if (words == 2) before |= u_.bits(i_.c, k + 1, l);
            if (is_half)
                bits[l] = of_row ? ALL
                                 : whole_halves(before) | (of_columns & 1 ? 0xffffu : 0) |
                                       (of_columns & 2 ? 0xffff0000u : 0);
            else
                bits[l] = of_row || before != 0 || (of_columns >> k / words % 2 & 1) ? ALL : 0;
        }
        for (int m = 0; m < words; ++m) u_.set(std::uint16_t(i_.d + k + m), lanes_, bits, from);
    }
}
void Step::transposes() {
    U bits[LANES], result[LANES];
    if (flow_.d == 2) {  // MOVM.U4TO8: within four lanes
        for (int l = 0; l < LANES; ++l) bits[l] = 0;
        for (int l = 0; l < LANES; ++l)
            if (u_.bits(i_.a, 0, l) != 0) std::fill_n(bits + l / 4 * 4, 4, ALL);
        for (int k = 0; k < 2; ++k) u_.set(std::uint16_t(i_.d + k), lanes_, bits, from_sources());
        return;
    }
    for (int l = 0; l < LANES; ++l) bits[l] = u_.bits(i_.a, 0, l);
    tensor::transpose(bits, result);
    u_.set(i_.d, lanes_, result, from_sources());
}

void Step::bits_of_predicates() {
    Number from = u_.from(i_.a, 1);
    const int base = i_.is_uniform ? 8 : 0;
    const U mask = i_.number << i_.kind;
    Result result;
    for (int l = 0; l < LANES; ++l) result.bits[0][l] = u_.bits(i_.a, 0, l) & ~mask;
    for (int k = 0; k < 7; ++k) {
        const U there = u_.predicate(std::uint8_t(base + k));
        if (there & lanes_) from = u_.from_predicate(std::uint8_t(base + k));
        for (int l = 0; l < LANES; ++l) result.bits[0][l] |= (there >> l & 1) << (k + i_.kind) & mask;
    }
    result.from = from;
    write(result, 1);
}
void Step::predicates_of_bits() {
    const int base = i_.is_uniform ? 8 : 0;
    for (int k = 0; k < 7; ++k)
        if (i_.number >> k & 1)
            u_.set_predicate(std::uint8_t(base + k), lanes_,
                             where([&](int l) { return u_.bits(i_.a, 0, l) >> (i_.kind + k) & 1; }),
                             from_sources());
}

void Step::run() {
    const auto packed = [&](int l) {
        return (u_.bits(i_.a, 0, l) ? 0xffff0000u : 0) | (u_.bits(i_.b, 0, l) ? 0xffffu : 0);
    };
    const auto converted = [&](int l) {
        return u_.bits(i_.b, 0, l) & flow_.part || u_.bits(i_.b, flow_.b - 1, l) & flow_.part ? ALL : 0;
    };
    switch (flow_.rule) {
        case Rule::moves:
        case Rule::places: return moves();
        case Rule::adds: return adds();
        case Rule::logic: return logic();
        case Rule::logic_of_predicates: return logic_of_predicates();
        case Rule::halves: return halves();
        case Rule::packs: return each_word(packed, computed());
        case Rule::converts: return each_word(converted, computed());
        case Rule::compares: return compares();
        case Rule::votes: return votes();
        case Rule::gathers: return gathers();
        case Rule::to_uniform: return to_uniform();
        case Rule::multiplies: return multiplies();
        case Rule::transposes: return transposes();
        case Rule::bits_of_predicates: return bits_of_predicates();
        case Rule::predicates_of_bits: return predicates_of_bits();
        case Rule::shuffles: return;  // see Checks::shuffled
        case Rule::loads:
        case Rule::stores:
        case Rule::atomic:
        case Rule::controls:  // what is written is defined, or follows
            return write_all(0, 0);
        case Rule::computes: return write_all(lanes_of_sources(), computed());
    }
}

}  // namespace

const Flow& Checks::flow(std::uint32_t pc, const Instruction& i) {
    if (flows_.empty()) flows_.resize(kernel_.code->list.size());
    if (!flows_[pc].is_known) flows_[pc] = flow_of(i);
    return flows_[pc];
}

/// Before the instruction is executed.
void Checks::follow(Warp& w, const Instruction& i) {
    const Flow& flow = this->flow(w.pc, i);
    Undefined& u = w.undefined;
    if (!u.touches(i, flow)) return;
    const U guarded = u.predicate(i.guard) & w.active;
    const bool decides = flow.rule == Rule::controls || flow.rule == Rule::loads ||
                         flow.rule == Rule::stores || flow.rule == Rule::atomic;
    if (decides && guarded != 0) {
        use(w, guarded, u.from_predicate(i.guard));
        u.set_predicate(i.guard & 31, guarded, 0, 0);
    }
    const U on = w.active & w.predicate(i.guard);
    const U lanes = i.is_uniform ? (on != 0 ? ALL : 0) : on;
    if (decides) decide(w, i, flow, flow.rule == Rule::controls ? w.active : lanes);
    if (lanes != 0) Step(w, i, flow, lanes).run();
    if (!decides && guarded != 0) Step(w, i, flow, lanes).unguarded(guarded, u.from_predicate(i.guard));
}

namespace {

/// The lanes in which a part of the word is defined.
U in_part(const Warp& w, const Source& s, int k) {
    return where([&](int l) { return w.undefined.bits(s, k, l) != ALL; });
}

}  // namespace

/// Addresses, what atomics are given, conditions of branches, masks.
void Checks::decide(Warp& w, const Instruction& i, const Flow& flow, U lanes) {
    Undefined& u = w.undefined;
    const auto check = [&](const Source& s, int rows) {
        for (int k = 0; k < rows; ++k) {
            if (u.row(s, k) == nullptr) continue;
            const U bad = where([&](int l) { return u.bits(s, k, l) != 0; }) & lanes;
            if (bad != 0) use(w, bad, u.from(s, rows));
            u.define(std::uint16_t(s.row + k), bad);
        }
    };
    check(i.a, flow.a);
    check(i.b, flow.b);
    if (flow.rule == Rule::atomic) {
        // By a compare-and-swap a part of a word may be changed: the other part is compared as it is.
        if (i.line->opcode.find("CAS") != std::string::npos)
            for (int k = 0; k < flow.c; ++k)
                u.define(std::uint16_t(i.c.row + k), i.c.of == 0 ? in_part(w, i.c, k) : 0);
        check(i.c, flow.c);
    }
    for (const std::uint8_t p : {i.pa, i.pb, i.pc})
        if (const U bad = u.predicate(p) & lanes) {
            use(w, bad, u.from_predicate(p));
            u.set_predicate(p & 31, bad, 0, 0);
        }
}

}  // namespace sass
