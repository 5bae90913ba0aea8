#include "simt/order/undefined.h"

#include <algorithm>
#include <iterator>
#include <string>

#include "simt/instructions/tensor/fragments.h"
#include "simt/run/lanes.h"

namespace sass {

void Undefined::clear() {
    live_.reset();
    live_rows_ = live_predicates_ = 0;
    std::fill(std::begin(predicates_), std::end(predicates_), 0);
    origins_.clear();
    defined_locally.clear();
    from_locally.clear();
}

bool Undefined::touches(const Instruction& i, const Flow& flow) const {
    const auto any_of = [&](const Source& s, int rows) {
        for (int k = 0; k < rows; ++k)
            if (row(s, k) != nullptr) return true;
        return false;
    };
    for (const std::uint8_t code : {i.guard, i.pa, i.pb, i.pc, i.p, i.q})
        if (live_predicates_ >> (code & 31) & 1) return true;
    const bool packs_predicates =
        flow.rule == Rule::bits_of_predicates || flow.rule == Rule::predicates_of_bits;
    return any_of(i.a, flow.a) || any_of(i.b, flow.b) || any_of(i.c, flow.c) || any_of({i.d, 0, 0}, flow.d) ||
           row({flow.places, 0, 0}) != nullptr || (packs_predicates && live_predicates_ != 0);
}

Undefined::Number Undefined::origin(std::uint32_t pc, Origin::From from) {
    const auto known = std::find_if(origins_.begin(), origins_.end(),
                                    [&](const Origin& each) { return each.pc == pc && each.from == from; });
    if (known != origins_.end()) return Number(known - origins_.begin() + 1);
    origins_.emplace_back();
    origins_.back().pc = pc;
    origins_.back().from = from;
    return Number(origins_.size());
}

Undefined::Number Undefined::from(const Source& s, int rows) const {
    for (int k = 0; k < rows; ++k)
        if (row(s, k) != nullptr) return from_[std::size_t(s.row) + std::size_t(k)];
    return 0;
}

void Undefined::set(std::uint16_t row, std::uint32_t lanes, const std::uint32_t* bits, Number from) {
    if (row == ZERO || row == NOWHERE) return;
    if (bits_.empty()) {
        bits_.resize(std::size_t(WARP_ROWS) * LANES);
        from_.resize(WARP_ROWS);
    }
    std::uint32_t* const to = &bits_[std::size_t(row) * LANES];
    if (!live_[row]) std::fill_n(to, LANES, 0);
    std::uint32_t any = 0;
    for (int l = 0; l < LANES; ++l) {
        if (lanes >> l & 1) to[l] = bits[l];
        any |= to[l];
    }
    live_rows_ = live_rows_ - U(live_[row]) + U(any != 0);
    live_[row] = any != 0;
    if (from != 0) from_[row] = from;
}

void Undefined::define(std::uint16_t row, std::uint32_t lanes) {
    static constexpr std::uint32_t NONE[LANES] = {};
    if (live_[row]) set(row, lanes, NONE, 0);
}

void Undefined::set_predicate(std::uint8_t index, std::uint32_t lanes, std::uint32_t undefined, Number from) {
    if (index >= NO_PREDICATE || index == PT || index == UPT) return;
    predicates_[index] = (predicates_[index] & ~lanes) | (undefined & lanes);
    live_predicates_ = (live_predicates_ & ~(1u << index)) | U(predicates_[index] != 0) << index;
    if (undefined & lanes) from_predicates_[index] = from;
}

// --- What instructions do

namespace {

bool has(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

Rule rule_of(const std::string& base, const std::string& name) {
    static constexpr struct {
        Rule rule;
        const char* names;  // between blanks
    } RULES[] = {
        {Rule::moves, " MOV UMOV BREV SEL FSEL "},
        {Rule::places, " SHF PRMT SGXT "},
        {Rule::adds, " IADD3 IADD VIADD IMAD LEA "},
        {Rule::logic, " LOP3 "},
        {Rule::logic_of_predicates, " PLOP3 "},
        {Rule::halves, " HADD2 HMUL2 HFMA2 HMNMX2 VHMNMX HSET2 HSETP2 "},
        {Rule::packs, " F2FP "},
        {Rule::converts, " F2I F2IP F2F FRND I2F I2FP MUFU "},
        {Rule::compares, " ISETP FSETP DSETP "},
        {Rule::votes, " VOTE VOTEU "},
        {Rule::gathers, " MATCH REDUX CREDUX "},
        {Rule::multiplies, " HMMA IMMA BMMA DMMA "},
        {Rule::transposes, " MOVM "},
        {Rule::to_uniform, " R2UR "},
        {Rule::bits_of_predicates, " P2R "},
        {Rule::predicates_of_bits, " R2P "},
        {Rule::shuffles, " SHFL "},
        {Rule::loads, " LDG LD LDS LDL LDC LDSM "},
        {Rule::stores, " STG ST STS STL STSM "},
        {Rule::atomic, " ATOM ATOMG ATOMS REDG RED LDGSTS "},
    };
    if ((base == "LEA" || base == "IMAD") && has(name, ".HI")) return Rule::computes;
    const std::string wanted = " " + base + " ";
    for (const auto& each : RULES)
        if (has(each.names, wanted.c_str())) return each.rule;
    return Rule::computes;
}

/// Of a conversion's name, from its last format on, which is what it reads: F2F.F16.F32.RM, FRND.F16.CEIL.
std::string from_source_format(const std::string& name) {
    std::size_t at = 0;
    for (const char* format : {".F16", ".BF16", ".F32", ".F64"})
        if (const std::size_t found = name.rfind(format); found != std::string::npos)
            at = std::max(at, found);
    return name.substr(at);
}

/// Of what a conversion reads: a half, or a byte.
std::uint32_t part_of(const std::string& base, const Line& line) {
    const std::string& name = line.opcode;
    const std::string from = base == "F2F" || base == "FRND" ? from_source_format(name) : name;
    const bool to_float = base[0] == 'I';
    const auto names = [&](std::initializer_list<const char*> formats) {
        return std::any_of(formats.begin(), formats.end(), [&](const char* each) { return has(from, each); });
    };
    const bool is_byte = to_float && names({"U8", "S8"});
    const bool is_half = to_float ? names({"U16", "S16"}) : names({"F16"});
    if (!is_byte && !is_half) return ~0u;
    const std::string text = name + (line.operands.empty() ? "" : "." + line.operands.back());
    unsigned shift = has(text, "H1") ? 16 : 0;
    for (unsigned k = 1; k < 4; ++k)
        if (has(text, (".B" + std::to_string(k)).c_str())) shift = 8 * k;
    return (is_byte ? 0xffu : 0xffffu) << shift;
}

}  // namespace

Flow flow_of(const Instruction& i) {
    Flow flow;
    flow.is_known = true;
    const std::string& name = i.line->opcode;
    const std::string base = i.base;
    flow.rule = i.is_control ? Rule::controls : rule_of(base, name);
    const auto wide = [&](std::initializer_list<const char*> parts) {
        const auto is_part = [&](const char* each) { return has(name, each); };
        return std::uint8_t(std::any_of(parts.begin(), parts.end(), is_part) ? 2 : 1);
    };
    switch (flow.rule) {
        case Rule::loads:
        case Rule::stores:
        case Rule::atomic: {
            const bool of_matrices = i.counted == Class::matrix_load || i.counted == Class::matrix_store;
            const auto rows = std::uint8_t(of_matrices ? int(i.number) : std::max(1, i.bytes / 4));
            flow.a = flow.b = std::uint8_t(i.is_wide ? 2 : 1);
            flow.c = flow.rule == Rule::loads ? 0 : rows;
            flow.d = flow.rule == Rule::stores ? 0 : rows;
            break;
        }
        case Rule::converts: {
            const bool rounds = base == "F2F" || base == "FRND";
            const std::string from = base == "F2F" ? from_source_format(name) : name;
            flow.b = base[0] == 'I' ? wide({".S64", ".U64"}) : std::uint8_t(has(from, ".F64") ? 2 : 1);
            flow.d = base[0] == 'I' || rounds ? wide({".F64"}) : wide({".S64", ".U64"});
            flow.part = part_of(base, *i.line);
            break;
        }
        case Rule::transposes: flow.d = wide({".U4TO8"}); break;
        case Rule::multiplies: {
            const auto registers = tensor::Registers::of(i);
            flow.a = std::uint8_t(registers.a), flow.b = std::uint8_t(registers.b);
            flow.c = flow.d = std::uint8_t(registers.d);
            if (has(name, ".SP")) flow.places = tensor::Sparsity::of(i).row;
            flow.part = base[0] == 'D' ? 64 : has(name, ".F16") ? 16 : 32;
            break;
        }
        case Rule::shuffles:
        case Rule::halves: break;
        case Rule::gathers: flow.a = wide({".U64"}); break;
        default:
            if (base == "IMAD") {
                const bool is_copy = is_zero(i.a) && is_zero(i.c) && wide({".WIDE", ".HI", ".X"}) == 1;
                if (is_copy) flow.rule = Rule::moves;  // as which it is decoded, whatever its name
                flow.c = wide({".WIDE", ".HI"});
                flow.d = wide({".WIDE"});
            } else if (base == "CS2R" || base == "LEPC") {
                flow.d = has(name, ".32") ? 1 : 2;
            } else if (base[0] == 'D' || (base != "SHF" && wide({".64", ".S64", ".U64"}) == 2)) {
                flow.a = flow.b = flow.c = flow.d = 2;
            }
    }
    return flow;
}

}  // namespace sass
