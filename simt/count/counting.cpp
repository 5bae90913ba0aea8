#include "simt/count/counting.h"

#include <algorithm>
#include <string_view>

namespace sass {
namespace {

constexpr std::size_t MOST_STEPS = 4096;  // later ones count with the last

bool is_float_addition(const Instruction& i) {
    const std::string_view opcode = i.line->opcode;
    const std::string_view stem = opcode.substr(0, opcode.find('.'));
    return stem == "FADD" || stem == "DADD";
}

/// What the executions of one instruction count for.
void add(Counts& c, const Instruction& i, const Tally& t) {
    c.warp_instructions += t.issued;
    if (i.pipe == Pipe::alu) c.alu_instructions += t.issued;
    if (i.pipe == Pipe::fp64) c.fp64_instructions += t.issued;
    if (i.pipe == Pipe::xu) c.xu_instructions += t.issued;
    if (i.pipe == Pipe::mio) c.mio_instructions += t.issued;
    if (i.pipe == Pipe::tensor) c.tensor_instructions += t.issued;
    c.thread_instructions += t.lanes;
    c.thread_instructions_pred_on += t.on;
    if (i.is_operator) {
        c.ops += t.on;
        c.warp_ops += t.other;  // issued with a lane at work
    }
    if (t.on != 0 && is_float_addition(i)) c.float_additions += t.on;
    const auto passes = [&](std::int64_t& requests, std::int64_t& wavefronts) {
        requests += t.requests;
        wavefronts += t.passes;
        c.ideal_wavefronts += t.ideal;
    };
    if (t.request_lanes != 0 && !i.is_strong) {
        c.request_lanes += t.request_lanes;
        c.lane_requests += t.requests + t.shared + t.local;
    }
    const auto generic = [&](std::int64_t& requests, std::int64_t& wavefronts, std::int64_t& local) {
        requests += t.shared;
        wavefronts += t.passes;
        c.ideal_wavefronts += t.ideal;
        local += t.local;
    };
    c.padded_wavefronts += t.padded;
    c.ideal_sectors += t.fewest;
    c.global_lanes += t.global_lanes;
    c.global_lane_bytes += t.global_lanes * i.bytes;
    c.atomic_words += t.words;
    if (t.padded != 0) c.shared_width = c.shared_narrow = std::max(4, int(i.bytes));
    (t.padded != 0 ? c.shared_stride : c.global_stride) = 2 * t.stride_votes >= t.requests ? t.stride : 0;
    switch (i.counted) {
        case Class::other: break;
        case Class::branch:
            c.branches += t.issued - t.requests;
            c.divergent_branches += t.other;
            break;
        case Class::shared_load:
            passes(c.shared_load_requests, c.shared_load_wavefronts);
            c.shared_loads_of_8_bytes += i.bytes == 8 ? t.requests : 0;
            c.shared_loads_of_16_bytes += i.bytes == 16 ? t.requests : 0;
            break;
        case Class::shared_store: passes(c.shared_store_requests, c.shared_store_wavefronts); break;
        case Class::shared_atomic:
            passes(c.shared_atomic_requests, c.shared_atomic_wavefronts);
            c.atomic_requests += t.requests;
            c.atomic_lanes += t.request_lanes;
            break;
        case Class::matrix_load: passes(c.matrix_load_requests, c.matrix_load_wavefronts); break;
        case Class::matrix_store: passes(c.matrix_store_requests, c.matrix_store_wavefronts); break;
        case Class::global_load:
            c.global_load_requests += t.requests;
            c.global_load_sectors += t.sectors;
            generic(c.shared_load_requests, c.shared_load_wavefronts, c.local_load_requests);
            if (i.is_strong) {
                c.volatile_load_requests += t.requests;
                c.volatile_load_sectors += t.sectors;
            }
            break;
        case Class::asynchronous_load:
            c.global_load_sectors += t.sectors;
            c.copy_conflicts += t.passes - t.ideal;
            break;
        case Class::global_store:
            c.global_store_requests += t.requests;
            c.global_store_sectors += t.sectors;
            generic(c.shared_store_requests, c.shared_store_wavefronts, c.local_store_requests);
            break;
        case Class::global_atomic:
            c.atomic_requests += t.requests + t.shared;
            c.shared_atomic_requests += t.shared;
            c.shared_atomic_wavefronts += t.passes;
            c.ideal_wavefronts += t.ideal;
            c.atomic_lanes += t.request_lanes;
            c.atomic_sectors += t.sectors;
            break;
        case Class::local_load: c.local_load_requests += t.requests; break;
        case Class::local_store: c.local_store_requests += t.requests; break;
        case Class::texture: c.texture_instructions += t.issued; break;
        case Class::block_barrier: c.barriers += t.other; break;
        case Class::shuffle: c.shuffles += t.issued; break;
        case Class::vote: c.votes += t.issued; break;
        case Class::warp_reduction: c.warp_reductions += t.issued; break;
        case Class::bulk_load: c.bulk_bytes_loaded += t.other; break;
        case Class::bulk_store:
            c.bulk_bytes_stored += t.other;
            c.bulk_sectors_stored += t.sectors;
            break;
        case Class::mbarrier_arrival: c.mbarrier_arrivals += t.other; break;
    }
}

void operator+=(Tally& sum, const Tally& part) {
    sum.issued += part.issued;
    sum.lanes += part.lanes;
    sum.on += part.on;
    sum.requests += part.requests;
    sum.request_lanes += part.request_lanes;
    sum.shared += part.shared;
    sum.local += part.local;
    sum.passes += part.passes;
    sum.ideal += part.ideal;
    sum.sectors += part.sectors;
    sum.other += part.other;
    sum.padded += part.padded;
    sum.fewest += part.fewest;
    sum.global_lanes += part.global_lanes;
    sum.words += part.words;
    if (part.stride_votes != 0) sum.vote(part.stride, part.stride_votes);
}

}  // namespace

Observation::Step& Observation::step(int number) {
    const std::size_t k = kernel->options.steps ? std::min(std::size_t(number), MOST_STEPS - 1) : 0;
    while (steps.size() <= k) {
        steps.push_back(std::make_unique<Step>());
        steps.back()->tallies.resize(kernel->code->list.size());
    }
    return *steps[k];
}

void add_observation(Observation& sum, const Observation& part) {
    for (std::size_t k = 0; k < part.steps.size(); ++k) {
        Observation::Step& into = sum.step(int(k));
        for (std::size_t n = 0; n < into.tallies.size(); ++n) into.tallies[n] += part.steps[k]->tallies[n];
        into.barriers += part.steps[k]->barriers;
        into.cluster_barriers += part.steps[k]->cluster_barriers;
        into.active_warps += part.steps[k]->active_warps;
    }
    sum.trace.insert(sum.trace.end(), part.trace.begin(), part.trace.end());
    sum.contents.insert(sum.contents.end(), part.contents.begin(), part.contents.end());
}

Counts counts_of(const Kernel& kernel, const Observation::Step& step) {
    Counts counts;
    for (std::size_t n = 0; n < step.tallies.size(); ++n)
        if (step.tallies[n].issued != 0) add(counts, kernel.code->list[n], step.tallies[n]);
    counts.barriers = step.barriers;
    counts.cluster_barriers = step.cluster_barriers;
    counts.active_warps = step.active_warps;
    return counts;
}

std::vector<InstructionCounts> instruction_counts(const Kernel& kernel, const Observation& all) {
    std::vector<InstructionCounts> counts;
    for (std::size_t n = 0; n < kernel.code->list.size(); ++n) {
        Tally sum;
        for (const auto& step : all.steps) sum += step->tallies[n];
        if (sum.issued == 0) continue;
        const Instruction& i = kernel.code->list[n];
        counts.push_back({kernel.code->address(std::uint32_t(n)), i.line->text(), i.line->place, {}});
        add(counts.back().counts, i, sum);
    }
    return counts;
}

}  // namespace sass
