// Votes, shuffles and reductions of a warp name in their mask who takes part, and all of those must come.
#include <cooperative_groups.h>

#include "simt/test/hazards/program.h"

namespace {
using namespace hazards;
namespace cg = cooperative_groups;

constexpr unsigned ALL = 0xffffffff;
enum class Mask { all, by_ballot, lower_half };
enum class Call { ballot, any, shuffle, reduce, match, group };

/// Half of the warp comes to the call.
template <Call CALL, Mask MASK>
__global__ void in_half(int* out) {
    const int lane = int(threadIdx.x);
    const unsigned voted = __ballot_sync(ALL, lane < 16);
    const unsigned mask = MASK == Mask::all ? ALL : MASK == Mask::by_ballot ? voted : 0xffff;
    int result = 0;
    if (lane < 16) {
        if (CALL == Call::ballot) result = int(__ballot_sync(mask, 1));
        if (CALL == Call::any) result = __any_sync(mask, lane == 3);
        if (CALL == Call::shuffle) result = __shfl_xor_sync(mask, lane, 1);
        if (CALL == Call::reduce) result = int(__reduce_add_sync(mask, unsigned(lane)));
        if (CALL == Call::match) result = int(__match_any_sync(mask, lane & 1));
        if (CALL == Call::group) {
            const auto here = cg::coalesced_threads();
            result = here.shfl(lane, 0) + int(here.size());
        }
    } else {
        result = out[lane] - 1;
    }
    __syncwarp();
    out[lane] = result;
}

template <Call CALL, Mask MASK>
std::string run_in_half() {
    Device<int> out(zeros(32));
    (void)launch(in_half<CALL, MASK>, 1, 32, nullptr, out.data());
    return cudaDeviceSynchronize() == cudaSuccess ? "" : "it fails";
}

/// Lanes sum up; in the last step all read from a lane that has left, or from one that has not.
template <bool LEAVES>
__global__ void sum_of_tail(const int* in, int* out, int n) {
    const int lane = int(threadIdx.x);
    if (LEAVES && lane >= n) return;
    int sum = lane < n ? in[lane] : 0;
    for (int distance = 16; distance > 0; distance /= 2)
        sum += __shfl_down_sync(ALL, sum, unsigned(distance));
    if (lane == 0) *out = sum;
}
template <bool LEAVES>
std::string run_sum_of_tail() {
    Device<int> in(repeated(32, 1)), out(zeros(1));
    run(sum_of_tail<LEAVES>, 1, 32, static_cast<const int*>(in.data()), out.data(), 20);
    return LEAVES ? "" : difference(out.read(), {20});
}

const Bench masks("masks", {
                               {"ballot_of_those_here", Expected::clean, "the mask is of those that come",
                                run_in_half<Call::ballot, Mask::by_ballot>},
                               {"ballot_of_all", Expected::divergent_warp, "half of the mask waits elsewhere",
                                run_in_half<Call::ballot, Mask::all>},
                               {"any_of_those_here", Expected::clean, "the mask is of those that come",
                                run_in_half<Call::any, Mask::lower_half>},
                               {"any_of_all", Expected::divergent_warp, "half of the mask waits elsewhere",
                                run_in_half<Call::any, Mask::all>},
                               {"shuffle_of_those_here", Expected::clean, "the mask is of those that come",
                                run_in_half<Call::shuffle, Mask::by_ballot>},
                               {"shuffle_of_all", Expected::divergent_warp,
                                "half of the mask waits elsewhere", run_in_half<Call::shuffle, Mask::all>},
                               {"reduce_of_those_here", Expected::clean, "the mask is of those that come",
                                run_in_half<Call::reduce, Mask::lower_half>},
                               {"reduce_of_all", Expected::divergent_warp, "half of the mask waits elsewhere",
                                run_in_half<Call::reduce, Mask::all>},
                               {"match_of_those_here", Expected::clean, "the mask is of those that come",
                                run_in_half<Call::match, Mask::by_ballot>},
                               {"match_of_all", Expected::divergent_warp, "half of the mask waits elsewhere",
                                run_in_half<Call::match, Mask::all>},
                               {"coalesced_group", Expected::clean, "the group is of those that come",
                                run_in_half<Call::group, Mask::all>},
                               {"sum_of_tail", Expected::clean, "all lanes stay", run_sum_of_tail<false>},
                               {"sum_of_tail_that_leaves", Expected::divergent_warp,
                                "lanes beyond n have left", run_sum_of_tail<true>},
                           });

}  // namespace
