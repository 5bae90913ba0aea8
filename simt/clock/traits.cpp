#include "simt/clock/traits.h"

#include <algorithm>
#include <cstdlib>
#include <initializer_list>

#include "simt/instructions/tensor/fragments.h"

namespace sass::clock {
namespace {

bool is_among(const std::string& name, std::initializer_list<const char*> names) {
    return std::any_of(names.begin(), names.end(), [&](const char* each) { return name == each; });
}

/// Units by opcode. Source: Nsight Compute's documentation, pipelines; those of uniform registers by their U.
Unit unit_of(const Instruction& i, const std::string& base) {
    if (i.pipe == Pipe::alu && base[0] != 'U') return Unit::alu;
    if (i.pipe == Pipe::fp64) return Unit::doubles;
    if (i.pipe == Pipe::xu) return Unit::special;
    if (i.pipe == Pipe::tensor) return Unit::tensor;
    if (is_among(base, {"FFMA", "FADD", "FMUL", "FSWZADD", "HFMA2", "HADD2", "HMUL2"})) return Unit::floats;
    if (is_among(base, {"IMAD", "IMUL", "IDP"})) return Unit::products;
    if (is_among(base, {"VOTE"})) return Unit::alu;
    if (i.is_uniform && base != "ULDC") return Unit::uniform;
    if (i.counted == Class::block_barrier || base == "UCGABAR_ARV") return Unit::barrier;
    if (i.counted != Class::other && i.counted != Class::branch && i.counted != Class::vote)
        return Unit::memory;
    if (is_among(base, {"S2R", "S2UR", "B2R", "MATCH", "QSPC", "R2UR", "SYNCS", "ARRIVES", "UBLKPF", "MEMBAR",
                        "MOVM"}))
        return Unit::memory;
    return Unit::none;
}

/// Of a product of matrices.
double tensor_cycles_of(const Instruction& i, const std::string& base, const Prices& prices) {
    const auto registers = tensor::Registers::of(i);
    if (base == "DMMA") return prices.tensor_double_cycles * registers.b / 2;
    return registers.a < 4 ? prices.tensor_half_cycles : prices.tensor_cycles;
}

double latency_of(const Instruction& i, Unit unit, const std::string& base, const Prices& prices) {
    if (base == "LDC" || base == "ULDC") return prices.constant_latency;
    if (unit == Unit::special) return prices.special_latency;
    if (base == "DMMA") {  // of others stall counts say it. Eight more rows come half a step later
        const bool has_16_rows = tensor::Registers::of(i).d == 8;
        return tensor_cycles_of(i, base, prices) + prices.tensor_double_latency +
               (has_16_rows ? prices.tensor_double_cycles / 2 : 0);
    }
    if (base == "LDSM") return prices.matrix_load_latency;
    if (base == "MOVM") return prices.matrix_move_latency;
    switch (i.counted) {
        case Class::shared_load:
        case Class::shared_store:
        case Class::mbarrier_arrival: return prices.shared_latency;
        case Class::shared_atomic: return prices.shared_atomic_latency;
        case Class::shuffle: return prices.shuffle_latency;
        case Class::warp_reduction: return prices.reduction_latency;
        default: return base == "SYNCS" ? prices.shared_latency : prices.register_latency;
    }
}

double cycles_of(Unit unit, const Prices& prices) {
    switch (unit) {
        case Unit::floats:
        case Unit::products: return prices.float_cycles;
        case Unit::alu: return prices.alu_cycles;
        case Unit::doubles: return prices.double_cycles;
        case Unit::special: return prices.special_cycles;
        case Unit::uniform: return prices.uniform_cycles;
        case Unit::barrier: return prices.barrier_cycles;
        default: return 1;
    }
}

/// DEPBAR.LE SB0, 0x1
void read_depbar(const Line& line, Traits& traits) {
    for (const std::string& operand : line.operands) {
        if (operand.rfind("SB", 0) == 0)
            traits.awaits = std::int8_t(std::atoi(operand.c_str() + 2));
        else if (operand.rfind("0x", 0) == 0)
            traits.outstanding = std::uint8_t(std::strtoul(operand.c_str(), nullptr, 16));
    }
}

Traits traits_of(const Instruction& i, const Prices& prices) {
    Traits traits;
    const std::string& opcode = i.line->opcode;
    const std::string base = opcode.substr(0, opcode.find('.'));
    const auto has = [&](const char* modifier) { return opcode.find(modifier) != std::string::npos; };
    if (i.line->upper != 0) traits.control = Control(i.line->upper);
    traits.unit = unit_of(i, base);
    traits.cycles =
        traits.unit == Unit::tensor ? tensor_cycles_of(i, base, prices) : cycles_of(traits.unit, prices);
    if (base == "UCGABAR_ARV") traits.cycles = prices.cluster_barrier_cycles;
    traits.latency = latency_of(i, traits.unit, base, prices);
    traits.is_bulk = base == "UBLKCP";
    traits.copies = traits.is_bulk || base == "LDGSTS";
    traits.is_global = traits.copies || i.counted == Class::global_load || i.counted == Class::global_store ||
                       i.counted == Class::global_atomic || i.counted == Class::local_load ||
                       i.counted == Class::local_store;
    traits.bypasses_l1 = (i.is_strong && !has(".SM")) || has(".BYPASS") || base == "UBLKCP";
    traits.stores_locally = i.counted == Class::local_store;
    traits.is_branch = i.counted == Class::branch;
    traits.waits_at_barrier = (i.counted == Class::block_barrier && !has(".ARV")) || base == "UCGABAR_WAIT";
    traits.is_of_cluster = base == "UCGABAR_ARV" || base == "UCGABAR_WAIT";
    traits.is_fence = base == "MEMBAR" && !has(".CTA");
    traits.forgets_l1 = base == "CCTL" && has(".IVALL");
    traits.closes_copies = is_among(base, {"LDGDEPBAR", "ARRIVES", "UTMACMDFLUSH"});
    traits.sleeps = base == "NANOSLEEP";
    if (traits.sleeps && !i.line->operands.empty())  // of a register's value nothing is known
        traits.cycles =
            prices.cycles_of_ns(double(std::strtoul(i.line->operands.back().c_str(), nullptr, 0)));
    if (base == "DEPBAR") read_depbar(*i.line, traits);
    return traits;
}

bool is_at(const Kernel& kernel, const Instruction& i, const std::string& place) {
    const Place* const at = place_of_user(kernel.launch.module->places(), i.line->place);
    return at != nullptr && at->file + ":" + std::to_string(at->line) == place;
}

}  // namespace

std::vector<Traits> traits_of(const Kernel& kernel, const Prices& prices) {
    const std::string& at_once = kernel.options.at_once;
    std::vector<Traits> all;
    for (const Instruction& i : kernel.code->list) {
        all.push_back(traits_of(i, prices));
        all.back().is_at_once = !at_once.empty() && is_at(kernel, i, at_once);
    }
    return all;
}

}  // namespace sass::clock
